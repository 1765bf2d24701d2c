// A MIFARE Classic as delivered — NXP MF1S50yyX, Memory Organization: data zero, keys FF, transport configuration

public import ReaderSession
import TagImage
import TagTypes

extension TagImage {
    /// A sector trailer as delivered: keys FF, access bits FF 07 80, general purpose byte 69.
    private static let transportTrailer =
        [UInt8](repeating: 0xFF, count: 6) + [0xFF, 0x07, 0x80, 0x69] + [UInt8](repeating: 0xFF, count: 6)

    /// The same card as delivered; block 0, which is the manufacturer's, is not in it.
    ///
    /// Nil for other tags.
    var factoryState: TagImage? {
        guard kind.isClassic else { return nil }
        var image = self
        let key = [UInt8](repeating: 0xFF, count: 6)
        for index in blocks.indices {
            let number = blocks[index].number
            if number == 0 {
                image.blocks[index].bytes = nil
            } else if Kind.isClassicTrailer(number) {
                image.blocks[index].bytes = Self.transportTrailer
                image.keys[Kind.classicSector(of: number)] = SectorKeys(a: key, b: key)
            } else {
                image.blocks[index].bytes = [UInt8](repeating: 0, count: kind.blockLength)
            }
        }
        return image
    }
}

/// Gives a MIFARE Classic back the state in which it was delivered.
///
/// It is a restore of that state: what the card held is kept on disk with its keys until the end, nothing is written before
/// every sector is known to allow it, and a cut is mended by the same command or by a restore of what was kept.
public struct ClassicReset: Sendable {
    private let session: TagSession

    /// Prepares a reset; nothing happens yet.
    public init(in session: TagSession) { self.session = session }

    /// Resets a card; asks first.
    ///
    /// - Returns: the card as it is connected now; whether anything had to be written.
    /// - Throws: `TagError.unsupported(reason:)` for other tags; what a restore throws.
    public func run(on detected: DetectedTag) async throws -> (tag: ConnectedTag, didWrite: Bool) {
        let tag = try await session.connect(to: detected)
        guard TagDetection.tagType(of: tag.target).type == .mifareClassic else {
            throw TagError.unsupported(reason: "only a MIFARE Classic can get its factory keys back")
        }
        guard let state = try await tag.image().0.factoryState else {
            throw TagError.unsupported(reason: "the size of this MIFARE Classic is not known")
        }
        let restore = Restore(state, [.configuration], from: "-", in: session, isReset: true)
        let (restored, result) = try await restore.run(on: detected)
        guard case .blocks(let plan, _, _) = result else { return (restored, false) }
        return (restored, !plan.writes.isEmpty)
    }
}
