// Answers read commands from a dump instead of a tag

import Chips
import ReaderInterface
import TagImage

/// A channel to the tag in a dump, in the state in which the tag was dumped.
///
/// It answers read commands as the chip does and refuses all others, so the code that reads tags can also read dumps.
/// The image never changes.
final class ImageChannel: TagChannel {
    let image: TagImage
    let target: Target
    let maxCommandLength = 262
    let maxResponseLength = 262
    /// The blocks by number, without those that could not be read.
    private(set) lazy var blocks: [Int: [UInt8]] = Dictionary(
        image.blocks.compactMap { block in block.bytes.map { (block.number, $0) } },
        uniquingKeysWith: { first, _ in first })

    /// The numbers of the blocks that the tag shows but the dump does not contain.
    ///
    /// No reader can read the key of an Ultralight C — MF0ICU2, Memory Organization.
    private(set) lazy var unknownBlocks = Set(
        image.blocks.filter { $0.bytes == nil && !(image.kind == .type2(.ultralightC) && $0.number >= 44) }
            .map(\.number))

    /// Whether commands that read several blocks of a Type 1 Tag at once return zeros for unknown blocks.
    let fillsGaps: Bool
    /// The selected sector of a Type 2 Tag.
    var sector = 0
    /// Whether the second packet of SECTOR SELECT comes next.
    var awaitsSector = false
    /// The authenticated sector of a MIFARE Classic, or nil if there is none.
    var openSector: Int?
    /// The content of the selected file of a Type 4 Tag, or nil if no file is selected.
    var selectedFile: [UInt8]?

    /// Creates a channel to the tag in an image.
    ///
    /// - Parameters:
    ///   - image: an image that passes `TagImage.check()`.
    ///   - fillsGaps: whether RALL and RSEG answer with zeros for unknown blocks, instead of failing.
    init(_ image: TagImage, fillsGaps: Bool = false) {
        self.image = image
        self.fillsGaps = fillsGaps
        target = Self.target(of: image)
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard let answer = try answer(to: command) else { throw .noAnswer }
        return answer
    }

    /// Exchanges a frame.
    ///
    /// A refusal is a 4-bit NAK, as a chip sends it.
    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        try answer(to: command).map { .bytes($0) } ?? .nibble(0)
    }

    func reselect() throws(ReaderError) {
        (sector, awaitsSector, openSector, selectedFile) = (0, false, nil, nil)
    }

    /// Returns the answer to a command, or nil for a refusal.
    private func answer(to command: [UInt8]) throws(ReaderError) -> [UInt8]? {
        switch image.kind {
        case .topaz96, .topaz512: try answerOfType1(command)
        case .type2(let chip): try answerOfType2(command, chip)
        case .feliCaLite, .type3: try answerOfType3(command)
        case .classic: try answerOfClassic(command)
        case .type4: answerOfType4(command)
        case .type5(let length): try answerOfType5(command, blockLength: length)
        }
    }
}

extension ImageChannel {
    /// Returns the target that a reader would find for the dumped tag.
    ///
    /// If the dump contains only the memory, the other values are the usual ones for its kind of tag.
    private static func target(of image: TagImage) -> Target {
        let uid = image.identifier
        let atqa = { (usual: [UInt8]) in image.atqa.count == 2 ? image.atqa : usual }
        switch image.kind {
        case .topaz96, .topaz512:
            // The UID in RID must match block 0. Otherwise, the dump would look like another tag.
            let uid = Array((image[block: 0] ?? uid).prefix(4))
            return .jewel(JewelTarget(sensRes: atqa([0x0C, 0x00]), uid: uid))
        case .type2: return .nfcA(NFCATarget(sensRes: atqa([0x00, 0x44]), selRes: 0x00, nfcID1: uid))
        case .classic:
            let sak = image.kind.classicSAK ?? 0x08
            // A card that also supports ISO-DEP is presented as the kind of tag in the dump.
            let own = image.sak.flatMap {
                $0 & 0x28 == 0x08 && ChipModel(selRes: $0) == ChipModel(selRes: sak) ? $0 : nil
            }
            let usual: [UInt8] = image.kind == .classic4K ? [0x00, 0x02] : [0x00, 0x04]
            return .nfcA(NFCATarget(sensRes: atqa(usual), selRes: own ?? sak, nfcID1: uid))
        case .type4:
            return .nfcA(NFCATarget(sensRes: atqa([0x03, 0x44]), selRes: 0x20, nfcID1: uid, ats: image.ats))
        case .feliCaLite, .type3:
            return .nfcF(NFCFTarget(nfcID2: uid, pad: image.parameter, systemCode: systemCode(of: image)))
        case .type5: return .nfcV(NFCVTarget(uid: uid))
        }
    }

    /// Returns the system code: that of NDEF, unless the tag is a FeliCa Lite whose bit SYS_OP in block MC is clear —
    /// FeliCa Lite-S User's Manual, MC.
    private static func systemCode(of image: TagImage) -> [UInt8] {
        guard image.kind == .feliCaLite else { return [0x12, 0xFC] }
        let isNDEF = image[block: 0x88].map { $0.count > 3 && $0[3] & 0x01 != 0 } ?? true
        return isNDEF ? [0x12, 0xFC] : [0x88, 0xB4]
    }

    /// Returns the bytes of a block, or nil if the dump does not contain them.
    func bytes(_ number: Int) -> [UInt8]? { blocks[number] }

    /// Throws an error if the tag has this block but the dump does not contain its bytes.
    ///
    /// A refusal would look like a protected block, and silence like a weak connection.
    func require(_ number: Int) throws(ReaderError) {
        if unknownBlocks.contains(number) { throw .notInFile(block: number) }
    }
}
