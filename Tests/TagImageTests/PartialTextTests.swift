// Memory with unknown bytes as .eml and .hex
import Chips
import TagImage
import Testing

@Suite struct PartialTextTests {
    private func read(_ text: String) throws -> TagImage {
        let bytes = Array(text.utf8)
        return try TagImage(bytes, format: TagImage.Format(contents: bytes))
    }

    /// Returns memory in which sectors 1 and 3 are unknown, and so are one block and key A of sector 2.
    private func classic() throws -> TagImage { try read(TextFormatTests.mct) }

    @Test(arguments: [TagImage.Format.eml, .hex])
    func unknownBlocksAndKeysComeBackUnknown(format: TagImage.Format) throws {
        let image = try classic()
        let written = try text(image, format)
        let again = try read(written)
        #expect(again.kind == .classic1K && again.blocks == image.blocks && again.identifier == image.identifier)
        #expect(again.keys[2] == .init(a: nil, b: bytes("A0A1A2A3A4A5")) && again.keys[1] == nil)
        #expect(again.keys[0] == image.keys[0])
        // MIFARE Classic Tool writes dashes, and Flipper question marks.
        #expect(try read(written.replacing("--", with: "??")) == again)
    }

    @Test func aLineHasAMarkForEachUnknownByte() throws {
        let image = try classic()
        let emulator = try text(image, .eml).split(separator: "\n")
        #expect(emulator.count == 64 && emulator[4] == "--------------------------------")
        #expect(emulator[11] == "------------ff078069a0a1a2a3a4a5")
        let spaced = try text(image, .hex).split(separator: "\n")
        #expect(spaced[4] == "-- -- -- -- -- -- -- -- -- -- -- -- -- -- -- --")
        #expect(spaced[11] == "-- -- -- -- -- -- FF 07 80 69 A0 A1 A2 A3 A4 A5")
    }

    @Test func aKeyIsKeptThoughItsTrailerIsUnknown() throws {
        var image = try classic()
        image.keys[1] = .init(a: bytes("010203040506"), b: nil)
        let written = try text(image, .eml)
        #expect(written.split(separator: "\n")[7] == "010203040506--------------------")
        #expect(try read(written).keys[1] == .init(a: bytes("010203040506"), b: nil))
        #expect(try read(written)[block: 7] == nil)
    }

    @Test func pagesOfAnUltralightThatCouldNotBeReadStayUnknown() throws {
        let image = try image(Fixture.flipperUltralight11, .nfc)
        for format in [TagImage.Format.eml, .hex] {
            let again = try read(text(image, format))
            #expect(again.blocks == image.blocks && again.identifier == image.identifier)
        }
    }

    @Test func theUnreadableBlockOfAFeliCaLiteIsMarked() throws {
        let image = try image(Fixture.flipperFeliCa, .nfc)
        let again = try read(text(image, .hex))
        #expect(again.kind == .feliCaLite && again.blocks == image.blocks && again.parameter.count == 8)
    }

    /// The check bytes of its UID distinguish an NTAG216 from an NTAG I2C, which has the same number of blocks.
    @Test func memoryThatWouldReadAsAnotherChipIsNotWritten() throws {
        var memory = [UInt8](repeating: 0, count: 924)
        memory.replaceSubrange(0..<9, with: bytes("04A1B29FC3D4E58072"))
        var image = try TagImage(memory, format: .bin)
        image.blocks[200].bytes = nil
        #expect(try read(text(image, .hex)).blocks == image.blocks)
        image.blocks[0].bytes = nil
        #expect(throws: TagImageError.self) { try image.bytes(.hex) }
    }

    @Test func aCardOfWhichNothingIsKnownHasItsSize() throws {
        let line = String(repeating: "-", count: 32) + "\n"
        let image = try read(String(repeating: line, count: 64))
        #expect(image.kind == .classic1K && image.blocks.allSatisfy { $0.bytes == nil } && image.identifier.isEmpty)
        #expect(try text(image, .eml) == String(repeating: line, count: 64))
    }

    @Test(arguments: [
        (
            "deadbeef", "deadbe--",
            "The value of block 0 is only partly known; expected all of its bytes, or -- for every byte."
        ),
        ("deadbeef", "deadbee-", "expected bytes in hexadecimal, or --."),
        ("deadbeef", "deadb--f", "expected bytes in hexadecimal, or --."),
        ("deadbeef", "deadbe-?", "expected bytes in hexadecimal, or --."),
        (
            "a0a1a2a3a4a5", "a0a1a2a3a4--",
            "The value of key B of block 11 is only partly known; expected all of its bytes, or -- for every byte."
        ),
        (
            "ff078069a0", "ff0780--a0",
            "The value of the access bits of block 11 is only partly known; expected all of its bytes, or -- for every byte."
        ),
    ])
    func aMarkInTheWrongPlaceIsRefused(old: String, new: String, message: String) throws {
        let changed = try text(classic(), .eml).replacing(old, with: new)
        let refused = try #require(refusal(Array(changed.utf8), .eml))
        #expect(refused.hasSuffix(message), "\(refused)")
    }
}
