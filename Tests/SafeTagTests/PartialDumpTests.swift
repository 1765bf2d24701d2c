// Dumps that do not contain all blocks of a tag

import Chips
import NDEF
import ReaderInterface
import SafeTag
import TagImage
import TagTypes
import Testing

@Suite struct PartialDumpTests {
    private static let transport: [UInt8] =
        [UInt8](repeating: 0xFF, count: 6) + [0xFF, 0x07, 0x80, 0x69] + [UInt8](repeating: 0xFF, count: 6)

    /// Returns a MIFARE Classic 1K as delivered.
    private static func classic() -> TagImage {
        var image = TagImage(kind: .classic1K)
        image.identifier = [0x11, 0x22, 0x33, 0x44]
        image.blocks = (0..<64).map {
            .init(number: $0, bytes: $0 % 4 == 3 ? transport : [UInt8](repeating: 0, count: 16))
        }
        image.blocks[0].bytes?.replaceSubrange(0..<6, with: [0x11, 0x22, 0x33, 0x44, 0x44, 0x08])
        for sector in 0..<16 {
            let key = [UInt8](repeating: 0xFF, count: 6)
            image.keys[sector] = .init(a: key, b: key)
        }
        return image
    }

    /// Returns an NTAG213 with a message in blocks 4 to 8.
    private static func ntag213() throws -> TagImage {
        let message = try NDEFMessage(records: [URIRecord(uri: "https://example.com").record()]).encoded()
        var memory = [UInt8](repeating: 0, count: 180)
        memory.replaceSubrange(0..<9, with: [0x04, 0xA1, 0xB2, 0x9F, 0xC3, 0xD4, 0xE5, 0x80, 0x72])
        memory.replaceSubrange(12..<16, with: [0xE1, 0x10, 0x12, 0x00])
        memory.replaceSubrange(16..<18 + message.count + 1, with: [0x03, UInt8(message.count)] + message + [0xFE])
        // AUTH0 FF protects nothing.
        memory[41 * 4 + 3] = 0xFF
        return try TagImage(memory, format: .bin)
    }

    @Test func aBlockThatAClassicDumpLacksIsShownAsUnknown() throws {
        var image = Self.classic()
        image.blocks[9].bytes = nil
        let inspection = try DumpedTag(image, file: "a").inspection()
        #expect(inspection.memory.blocks.count == 64)
        #expect(inspection.memory.blocks.filter { $0.bytes == nil }.map(\.number) == [9])
        #expect(inspection.memory.sectors.allSatisfy { $0.access != nil })
        #expect(inspection.state.reason?.hasSuffix("block 9 is not in this file") == true)
        #expect(!inspection.state.isBlank)
    }

    @Test func aTrailerThatAClassicDumpLacksLeavesTheOtherBlocks() throws {
        var image = Self.classic()
        image.blocks[11].bytes = nil
        image.blocks[40].bytes = nil
        let blocks = try DumpedTag(image, file: "a").inspection().memory.blocks
        #expect(blocks.filter { $0.bytes == nil }.map(\.number) == [11, 40])
    }

    @Test func aMissingBlockOfTheMessageIsNamedAndNotCalledProtected() throws {
        var image = try Self.ntag213()
        image.blocks[6].bytes = nil
        let tag = DumpedTag(image, file: "a")
        #expect(throws: TagError.reader(.notInFile(block: 6))) { try tag.reading() }
        #expect(TagError.reader(.notInFile(block: 6)).kind == .badFile)
        #expect("\(TagError.reader(.notInFile(block: 6)))" == "Block 6 is not in this file.")
        let inspection = try tag.inspection()
        #expect(inspection.memory.blocks.filter { $0.bytes == nil }.map(\.number) == [6])
        #expect(inspection.memory.password?.auth0 == 0xFF)
    }

    @Test func missingBlocksAfterTheMessageAreNoPassword() throws {
        var image = try Self.ntag213()
        for block in 30..<45 { image.blocks[block].bytes = nil }
        let tag = DumpedTag(image, file: "a")
        let reading = try tag.reading()
        #expect(reading.message.records.count == 1)
        for state in [reading.state, try tag.inspection().state] {
            #expect(state.status == .readWrite && !state.needsPassword)
            #expect(
                state.reason
                    == "blocks 40-42 are not in this file, so the file does not show whether the tag is locked or "
                    + "protected")
        }
    }

    @Test func aMissingCapabilityContainerIsNamed() throws {
        var image = try Self.ntag213()
        image.blocks[3].bytes = nil
        let tag = DumpedTag(image, file: "a")
        #expect(throws: TagError.reader(.notInFile(block: 3))) { try tag.reading() }
        #expect(try tag.inspection().state.reason == "block 3 is not in this file")
    }

    @Test func unknownBlocksOfATopazAreNotReadAsZeros() throws {
        var image = TagImage(kind: .topaz96)
        image.identifier = [1, 2, 3, 4, 5, 6, 7]
        image.blocks = (0..<15).map { .init(number: $0, bytes: [UInt8](repeating: 0, count: 8)) }
        image.blocks[0].bytes = [1, 2, 3, 4, 5, 6, 7, 0]
        image.blocks[1].bytes = [0xE1, 0x10, 0x0E, 0x00, 0x03, 0x0C, 0xD1, 0x01]
        image.blocks[2].bytes = nil
        image.blocks[14].bytes = [0x01, 0x60, 0, 0, 0, 0, 0, 0]
        let tag = DumpedTag(image, file: "a")
        #expect(throws: TagError.reader(.notInFile(block: 2))) { try tag.reading() }
        let inspection = try tag.inspection()
        #expect(inspection.state == NDEFState(unknownBlock: 2))
        #expect(inspection.memory.blocks.filter { $0.bytes == nil }.map(\.number) == [2])
    }
}
