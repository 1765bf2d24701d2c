// Raw memory: .bin, .mfd, and Proxmark's .bin with a header
import Chips
import TagImage
import Testing

@Suite struct RawMemoryTests {
    @Test(
        arguments: [
            (64, .type2(.ultralight)), (164, .type2(nil)), (168, .type2(.ntag203)), (180, .type2(.ntag213)),
            (192, .type2(.ultralightC)), (256, .type2(.st25TN01K)), (540, .type2(.ntag215)), (924, .type2(.ntagI2C1K)),
            (944, .type2(.ntagI2CPlus1K)),
            (1940, .type2(.ntagI2C2K)), (1968, .type2(.ntagI2CPlus2K)), (120, .topaz96), (512, .topaz512),
            (448, .feliCaLite), (320, .mifareMini), (1024, .classic1K), (2048, .classic2K), (4096, .classic4K),
            (80, .type2(nil)),
        ] as [(Int, TagImage.Kind)])
    func theSizeTellsTheKindAndTheBytesComeBack(size: Int, kind: TagImage.Kind) throws {
        let memory = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let image = try TagImage(memory, format: .bin)
        #expect(image.kind == kind)
        #expect(try image.bytes(.bin) == memory)
        if case .type2(nil) = kind { #expect(TagImage.Chip.candidates(blockCount: size / 4).count == 2) }
    }

    @Test func aSizeOfTwoChipsNamesBoth() {
        #expect(TagImage.Chip.candidates(blockCount: 231) == [.ntag216, .ntagI2C1K])
        #expect(TagImage.Chip.candidates(blockCount: 20) == [.ultralight11, .ntag210])
    }

    @Test func aVersionTellsAnNTAG210MicroAndTheSizeAloneAnUltralight() throws {
        let memory = bytes("04A1B29FC3D4E580") + [UInt8](repeating: 0x11, count: 56)
        #expect(try TagImage(memory, format: .bin).kind == .type2(.ultralight))
        let header = bytes("0004040102000B03 0000 00 0F") + [UInt8](repeating: 0, count: 44)
        let image = try TagImage(header + memory, format: .bin)
        #expect(image.kind == .type2(.ntag210micro))
        let flipper = try text(image, .nfc)
        #expect(flipper.contains("NTAG/Ultralight type: Mifare Ultralight\n"))
        #expect(try TagImage(Array(flipper.utf8), format: .nfc).kind == .type2(.ntag210micro))
    }

    @Test(arguments: [0, 1, 63, 65, 181, 321, 541, 4095, 4097])
    func anyOtherSizeIsRefused(size: Int) {
        #expect(
            refusal([UInt8](repeating: 0, count: size), .bin)
                == "It is not a dump in a known format: no known tag has a memory of \(size == 1 ? "1 byte" : "\(size) bytes"), and the file is not in one of the text formats."
        )
    }

    @Test func identifiersAreTakenFromTheMemory() throws {
        var memory = [UInt8](repeating: 0, count: 180)
        memory.replaceSubrange(0..<8, with: bytes("041122BF33445566"))
        #expect(try TagImage(memory, format: .bin).identifier == bytes("04112233445566"))
        let classic = try TagImage(bytes("DEADBEEF22") + [UInt8](repeating: 0, count: 1019), format: .bin)
        #expect(classic.identifier == bytes("DEADBEEF") && classic.keys.count == 16)
    }

    /// 56 bytes of header and the 16 pages of an Ultralight: 120 bytes, as many as a Topaz 96 has.
    @Test func proxmarksHeaderIsRecognised() throws {
        let header =
            bytes("0004030101000B03 0000 00 13") + Array(1...32) + bytes("070000BD 000000BD FFFFFF00")
        let memory = bytes("04A1B29FC3D4E580") + [UInt8](repeating: 0x11, count: 72)
        let image = try TagImage(header + memory, format: .bin)
        #expect(image.kind == .type2(.ultralight11) && image.blocks.count == 20)
        #expect(image.signature == Array(1...32) && image.identifier == bytes("04A1B2C3D4E580"))
        #expect(image.counters[0] == .init(value: 7, tearing: 0xBD) && image.counters[2] == .init(value: 0xFFFFFF))
        #expect(try image.bytes(.bin) == memory)

        let plain = bytes("0000000000000000 0000 00 0F") + [UInt8](repeating: 0, count: 44)
        let ultralight = plain + memory.prefix(64)
        #expect(try TagImage(ultralight, format: .bin).kind == .type2(.ultralight))
        #expect(try TagImage([UInt8](repeating: 0, count: 120), format: .bin).kind == .topaz96)
    }

    @Test func memoryWithHolesIsNotWritten() throws {
        #expect(
            throws: TagImageError.notExpressible(
                .bin,
                reason: "2 of the tag's 20 blocks could not be read, and only .nfc, .eml, .hex and .json files mark "
                    + "unknown bytes"
            )
        ) {
            try image(Fixture.flipperUltralight11, .nfc).bytes(.bin)
        }
        var classic = try image(Fixture.proxmarkClassic(), .json)
        classic.keys[5]?.b = nil
        #expect(
            throws: TagImageError.notExpressible(
                .bin,
                reason: "a key of sector 5 is not known, and only .nfc, .eml, .mct, .hex and .json files mark "
                    + "unknown bytes"
            )
        ) {
            try classic.bytes(.bin)
        }
    }

    @Test(
        arguments: [
            ("a.nfc", .nfc), ("A.NFC", .nfc), ("x/y.bin", .bin), ("card.mfd", .bin), ("d.json", .json), ("nfc", nil),
            ("a.txt", nil), ("", nil), (".", nil),
        ] as [(String, TagImage.Format?)])
    func theEndingOfAFileNameAsksForAFormat(name: String, format: TagImage.Format?) {
        #expect(TagImage.Format(fileName: name) == format)
    }

    @Test func contentsTellTheirFormat() {
        for (format, text) in Fixture.all { #expect(TagImage.Format(contents: Array(text.utf8)) == format) }
        #expect(TagImage.Format(contents: [0x04, 0x11]) == .bin)
        #expect(TagImage.Format(contents: []) == .bin)
    }
}
