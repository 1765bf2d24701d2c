// Dumps that are read like tags, including dumps with arbitrary bytes

import Chance
import Chips
import Composing
import Foundation
import Hexadecimal
import NDEF
import SafeTag
import TagImage
import TagTypes
import Testing

@Suite struct DumpedTagTests {
    private static let kinds: [TagImage.Kind] = [
        .topaz96, .topaz512, .type2(.ntag213), .type2(.ntag215), .type2(.ultralight), .type2(.ultralightC),
        .type2(.ntag203), .type2(.ntagI2C2K), .type2(nil), .feliCaLite, .type3, .classic1K, .classic4K, .type4,
        .type5(blockLength: 4), .type5(blockLength: 32),
    ]

    /// Returns an image that mostly contains bytes that affect how it is read: capability containers, TLVs, lengths.
    private static func image(_ kind: TagImage.Kind, _ random: inout SplitMix) -> TagImage {
        let likely: [UInt8] = [0x00, 0x01, 0x03, 0x04, 0x0F, 0x10, 0x20, 0xE1, 0xFE, 0xFF, 0x12, 0xD1]
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in
                Bool.random(using: &random)
                    ? likely[Int.random(in: likely.indices, using: &random)] : .random(in: 0...255, using: &random)
            }
        }
        var image = TagImage(kind: kind)
        let numbers = kind.blockNumbers ?? Array(0..<Int.random(in: 1...60, using: &random))
        image.blocks = numbers.map { number in
            let isKnown = Int.random(in: 0..<20, using: &random) > 0
            return .init(number: number, bytes: isKnown ? bytes(kind.blockLength) : nil)
        }
        switch kind {
        case .type2:
            let container: [UInt8] = [0xE1, 0x10, .random(in: 0...255, using: &random), 0x00]
            if image.blocks.count > 3 { image.blocks[3].bytes = container }
            image.identifier = (image[block: 0] ?? []).prefix(3) + (image[block: 1] ?? [])
            if image.identifier.count != 7 { image.identifier = bytes(7) }
        case .feliCaLite, .type3:
            image.identifier = bytes(8)
            image.parameter = bytes(8)
        case .type5: image.identifier = [0xE0, 0x04] + bytes(6)
        case .type4:
            image.identifier = bytes(7)
            image.blocks = []
            let container: [UInt8] = [0x00, 0x0F, 0x20, 0x00, 0x3B, 0x00, 0x34, 0x04, 0x06, 0xE1, 0x04]
            image.files = [
                .init(identifier: 0xE103, bytes: container + bytes(4)), .init(identifier: 0xE104, bytes: bytes(40)),
            ]
        default: image.identifier = bytes(4)
        }
        return image
    }

    @Test(arguments: kinds)
    func noMemoryTrapsOrHangs(kind: TagImage.Kind) {
        var random = SplitMix(state: 0x6475_6D70)
        var (described, read) = (0, 0)
        for _ in 0..<15 {
            let image = Self.image(kind, &random)
            let tag = DumpedTag(image, file: "dump")
            if let inspection = try? tag.inspection() {
                described += 1
                #expect(inspection.file == "dump")
                for block in inspection.memory.blocks where block.role != .password && block.role != .trailer {
                    #expect(block.bytes == image[block: block.number], "block \(block.number)")
                }
            }
            if let reading = try? tag.reading() {
                read += 1
                #expect(reading.bytes.count == reading.state.messageLength ?? 0)
            }
        }
        #expect(described + read > 0)
    }

    @Test func aDumpWithoutASignatureDoesNotSayThatItsChipHasNone() throws {
        var image = TagImage(kind: .type2(.ntag213))
        image.identifier = [4, 1, 2, 3, 4, 5, 6]
        image.blocks = (0..<45).map { .init(number: $0, bytes: [0, 0, 0, 0]) }
        #expect(try DumpedTag(image, file: "a").inspection().originality == .notInFile)
    }

    /// The data of sector 1 is known, but not its keys.
    ///
    /// In sector 2, key B is known.
    @Test func aDumpTellsTheKeysItHasAndNoOthers() throws {
        var image = TagImage(kind: .classic1K)
        image.identifier = [0x11, 0x22, 0x33, 0x44]
        let unknown = [UInt8](repeating: 0, count: 6) + [0x7F, 0x07, 0x88, 0x40] + [UInt8](repeating: 0, count: 6)
        image.blocks = (0..<64).map {
            .init(number: $0, bytes: $0 % 4 == 3 ? unknown : [UInt8](repeating: 0, count: 16))
        }
        image.blocks[0].bytes?.replaceSubrange(0..<5, with: [0x11, 0x22, 0x33, 0x44, 0x44])
        image.keys[2] = .init(a: nil, b: [1, 2, 3, 4, 5, 6])
        let sectors = try DumpedTag(image, file: "a").inspection().memory.sectors
        #expect(sectors[1].keyA == nil && sectors[1].keyB == nil && sectors[1].access != nil)
        #expect(sectors[2].keyA == nil && sectors[2].keyB?.bytes == [1, 2, 3, 4, 5, 6])
    }

    /// The dump of an ICODE SLIX2 by its size.
    ///
    /// Block 3 is locked, and the last block could not be read.
    @Test func aTypeFiveDumpIsReadWithItsLocks() throws {
        let message = try NDEFMessage(records: [URIRecord(uri: "https://example.com").record()]).encoded()
        // Capability container: version 1.0, 38 × 8 bytes, READ MULTIPLE BLOCKS — NFC Forum T5T.
        var memory = [0xE1, 0x40, 0x26, 0x01, 0x03, UInt8(message.count)] + message + [0xFE]
        memory += [UInt8](repeating: 0, count: 320 - memory.count)
        var image = TagImage(kind: .type5(blockLength: 4))
        image.identifier = [0xE0, 0x04, 0x01, 0x08, 0x11, 0x22, 0x33, 0x44]
        image.blocks = (0..<80).map { .init(number: $0, bytes: Array(memory[$0 * 4..<$0 * 4 + 4])) }
        image.blocks[79].bytes = nil
        image.vicinity.lockedBlocks = [3]
        image.vicinity.icReference = 0x01
        let tag = DumpedTag(image, file: "a")
        #expect(try tag.reading().bytes == message)
        let blocks = try tag.inspection().memory.blocks
        #expect(blocks.count == 80 && blocks.filter(\.isLocked).map(\.number) == [3])
        #expect(blocks[79].bytes == nil && blocks[0].bytes == [0xE1, 0x40, 0x26, 0x01])
    }

    /// The memory of a Type 2 Tag, once with an empty message and once with a URI.
    @Test func aMessageIsReadFromMemoryAlone() throws {
        var memory = [UInt8](repeating: 0, count: 180)
        memory.replaceSubrange(0..<9, with: [0x04, 0xA1, 0xB2, 0x9F, 0xC3, 0xD4, 0xE5, 0x80, 0x72])
        memory.replaceSubrange(12..<16, with: [0xE1, 0x10, 0x12, 0x00])
        memory.replaceSubrange(16..<19, with: [0x03, 0x00, 0xFE])
        #expect(try DumpedTag(TagImage(memory, format: .bin), file: "a").reading().message.records.isEmpty)
        let message = try NDEFMessage(records: [URIRecord(uri: "https://example.com").record()]).encoded()
        memory.replaceSubrange(17..<17 + message.count + 2, with: [UInt8(message.count)] + message + [0xFE])
        let reading = try DumpedTag(TagImage(memory, format: .bin), file: "a").reading()
        #expect(reading.bytes == message && reading.name == "NTAG213" && reading.state.capacity == 142)
        let file = FileManager.default.temporaryDirectory.appending(path: "dump-\(UUID().uuidString)")
        try Data(memory).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        guard case .dump(let tag) = try StoredMessage(of: .init(path: file.path, isHex: false)) else {
            Issue.record("no dump")
            return
        }
        #expect(try tag.reading().bytes == message)
        try Data(message).write(to: file)
        guard case .message(let found, let bytes) = try StoredMessage(of: .init(path: file.path, isHex: false)) else {
            Issue.record("no message")
            return
        }
        #expect(bytes == message && found.records.count == 1)
        // 64 bytes, as many as a MIFARE Ultralight has.
        let text = try NDEFMessage(records: [TextRecord(text: String(repeating: "a", count: 57)).record()]).encoded()
        #expect(text.count == 64)
        try Data(text.hex.utf8).write(to: file)
        #expect(throws: InputError.self) { try StoredMessage(of: .init(path: file.path, isHex: false)) }
    }
}
