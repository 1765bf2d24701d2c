// .eml, .mct and .hex, and Type 2 memory with additional or missing parts, written here from the formats' layouts
import Chance
import Chips
import TagImage
import Testing

@Suite struct TextFormatTests {
    /// An NTAG213 as Proxmark's emulator files have it: 4 bytes on each line.
    static let ntag213Lines =
        ["04a1b29f", "c3d4e580", "72480000", "e1101200", "0300fe00"]
        + Array(repeating: "00000000", count: 40)
    static let eml = ntag213Lines.map { $0 + "\n" }.joined()

    /// A MIFARE Classic 1K as MIFARE Classic Tool writes it.
    ///
    /// Sector 1 was not read, sector 2 lacks a key, and sector 3 is left out.
    static let mct = (0..<16).filter { $0 != 3 }.map { sector in
        let blocks =
            switch sector {
            case 0: ["DEADBEEF220804006263646566676869", zeros, zeros, "FFFFFFFFFFFFFF078069FFFFFFFFFFFF"]
            case 1: ["*No keys found or dead sector"]
            case 2: [zeros, String(repeating: "-", count: 32), zeros, "------------FF078069A0A1A2A3A4A5"]
            default: [zeros, zeros, zeros, "FFFFFFFFFFFFFF078069FFFFFFFFFFFF"]
            }
        return (["+Sector: \(sector)"] + blocks).map { $0 + "\n" }.joined()
    }.joined()
    private static let zeros = String(repeating: "0", count: 32)

    private func read(_ text: String) throws -> TagImage {
        let bytes = Array(text.utf8)
        return try TagImage(bytes, format: TagImage.Format(contents: bytes))
    }

    @Test func emulatorLinesAreMemoryAndAreWrittenBack() throws {
        let image = try read(Self.eml)
        #expect(image.kind == .type2(.ntag213) && image.identifier == bytes("04A1B2C3D4E580"))
        #expect(try text(image, .eml) == Self.eml)
        #expect(try read("# a comment\r\n" + Self.eml.replacing("\n", with: "\r\n")) == image)
        #expect(try read(text(image, .hex)) == image)
        #expect(try text(image, .hex).hasPrefix("04 A1 B2 9F\nC3 D4 E5 80\n"))
        #expect(try read(Self.ntag213Lines.joined()) == image)
    }

    @Test func aByteOrderMarkBeforeTextIsSkipped() throws {
        let image = try read(Self.eml)
        #expect(try read("\u{FEFF}" + Self.eml) == image)
        #expect(try read("\u{FEFF}" + text(image, .json)) == read(text(image, .json)))
        #expect(try read("\u{FEFF}" + text(image, .nfc)) == read(text(image, .nfc)))
        #expect(try read("\u{FEFF}" + Self.mct) == read(Self.mct))
    }

    @Test func commentsMayStandBeforeTheFirstLineOfAFlipperFile() throws {
        let flipper = try text(read(Self.eml), .nfc)
        #expect(try read("# my tag\r\n\n  # a copy\n" + flipper) == read(flipper))
    }

    @Test func sectorsWithUnknownBytesAreRead() throws {
        let image = try read(Self.mct)
        #expect(image.kind == .classic1K && image.identifier == bytes("DEADBEEF"))
        #expect(image[block: 0] == bytes("DEADBEEF220804006263646566676869"))
        #expect((4...7).allSatisfy { image[block: $0] == nil } && image.keys[1] == nil)
        #expect(image[block: 9] == nil && image[block: 8] != nil && image.blocks.count == 64)
        #expect(image[block: 11] == bytes("000000000000 FF078069 A0A1A2A3A4A5"))
        #expect(image.keys[2] == .init(a: nil, b: bytes("A0A1A2A3A4A5")))
        #expect((12...15).allSatisfy { image[block: $0] == nil })
        let again = try read(text(image, .mct))
        #expect(again.blocks == image.blocks && again.keys.filter { $1.a != nil || $1.b != nil } == image.keys)
    }

    @Test func fortySectorsAreA4K() throws {
        var memory = [UInt8](repeating: 0, count: 4096)
        memory.replaceSubrange(0..<4, with: bytes("DEADBEEF"))
        let image = try TagImage(memory, format: .bin)
        let dump = try text(image, .mct)
        #expect(dump.split(separator: "\n").count == 256 + 40)
        #expect(try read(dump).kind == .classic4K && read(dump).blocks == image.blocks)
        #expect(try read(text(image, .eml)) == image)
    }

    @Test(arguments: [
        ("+Sector: 40\n", "Line 1, a sector, is +Sector: 40; expected \"+Sector: N\", 0…39, each once."),
        ("+Sector: 0\n+Sector: 0\n", "Line 2, a sector, is +Sector: 0; expected \"+Sector: N\", 0…39, each once."),
        ("+Sector: 0\n00\n", "Line 2, a block, is 00; expected 32 digits in hexadecimal, or --."),
        ("+Sector: 0\n\(zeros)\n", "The value of sector 0 is 1 block; expected 4."),
        (
            "+Sector: 0\n\(zeros.dropLast(2))--\n\(zeros)\n\(zeros)\n\(zeros)\n",
            "Line 2, a block, is only partly known; expected all of its bytes, or -- for every byte."
        ),
        (
            "+Sector: 0\n\(zeros)\n\(zeros)\n\(zeros)\n\(zeros)\n\(zeros)\n",
            "Line 6, a block, is one more than the sector has; expected \"+Sector: N\" before it."
        ),
    ])
    func aBrokenSectorNamesItsLine(text: String, expected: String) {
        #expect(refusal(Array(text.utf8), .mct) == expected)
    }

    @Test func tagsThatAFormatCannotHoldAreRefused() throws {
        #expect(throws: TagImageError.self) { try read(Self.mct).bytes(.bin) }
        #expect(throws: TagImageError.self) { try read(Self.eml).bytes(.mct) }
        #expect(TagImage.Format(fileName: "a.EML") == .eml && TagImage.Format(fileName: "b.mct") == .mct)
    }

    /// 532 bytes are the memory of an NTAG215 without PWD and PACK.
    ///
    /// 572 bytes are its whole memory and the signature.
    @Test(arguments: [
        (ChipModel.ntag213, 180), (.ntag215, 540), (.ultralight21, 164), (.ultralightC, 192),
    ])
    func memoryWithoutPasswordOrWithASignatureIsRecognised(chip: ChipModel, size: Int) throws {
        var memory = [UInt8](repeating: 0, count: size)
        memory.replaceSubrange(0..<9, with: bytes("04A1B29FC3D4E58072"))
        let whole = try TagImage(memory, format: .bin)
        let secrets = chip == .ultralightC ? 16 : 8
        #expect(try TagImage(Array(memory.dropLast(secrets)), format: .bin).blocks == whole.blocks)
        let signed = try TagImage(memory + Array(1...32), format: .bin)
        #expect(signed.blocks == whole.blocks && signed.signature == Array(1...32) && signed.kind == whole.kind)
        #expect(try TagImage(memory + [UInt8](repeating: 0, count: 32), format: .bin) == whole)
    }

    /// Version, TBO_0, tearing flags, PACK, TBO_1 and signature before the memory.
    @Test func proxmarksEarlierHeaderIsRecognised() throws {
        let header = bytes("0004040201000F03 0000 BDBDBD 0000 00") + Array(1...32)
        let memory = bytes("04A1B29FC3D4E58072480000") + [UInt8](repeating: 0, count: 168)
        let image = try TagImage(header + memory, format: .bin)
        #expect(image.kind == .type2(.ntag213) && image.signature == Array(1...32))
        #expect(image[block: 0] == bytes("04A1B29F") && image.version == Array(header.prefix(8)))
        #expect(try read((header + memory).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()) == image)
    }

    @Test func theSignatureSectorsOfAnEV1AreLeftOut() throws {
        let file = Fixture.proxmarkClassic(type: "mfc v3").replacing(
            "\"blocks\": {", with: "\"blocks\": { \"64\": \"\(Self.zeros)\", \"71\": \"\(Self.zeros)\",")
        #expect(try image(file, .json).blocks.count == 64)
        #expect(throws: TagImageError.self) { try image(file.replacing("mfc v3", with: "mfc v2"), .json) }
    }

    @Test func noChangedTextTraps() throws {
        var random = SplitMix(state: 0x6D63_7431)
        var (read, refused) = (0, 0)
        for original in [Self.mct, Self.eml] {
            for _ in 0..<1_200 {
                var bytes = Array(original.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) { random.mutate(&bytes) }
                do {
                    let image = try TagImage(bytes, format: TagImage.Format(contents: bytes))
                    read += 1
                    #expect(try TagImage(image.bytes(.json), format: .json).blocks == image.blocks)
                    for format in TagImage.Format.allCases {
                        guard let written = try? image.bytes(format) else { continue }
                        let again = try TagImage(written, format: format)
                        #expect(again.blocks == image.blocks, "\(format), \(image.kind), \(again.kind)")
                    }
                } catch {
                    refused += 1
                }
            }
        }
        #expect(read > 100 && refused > 300)
    }
}
