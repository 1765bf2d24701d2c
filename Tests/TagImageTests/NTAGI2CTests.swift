// The sectors of an NTAG I2C in dump files, which store them one after the other
import Chips
import TagImage
import Testing

@Suite struct NTAGI2CTests {
    /// The row in the file, and the block as commands count it through sectors — tables of Flipper's poller.
    private static let rows: [(chip: TagImage.Chip, version: String, rows: [Int: Int], registers: [Int])] = [
        (
            .ntagI2C1K, "0004040502011303", [0: 0, 226: 0xE2, 227: 0xE8, 228: 0xE9, 229: 0x3F8, 230: 0x3F9],
            [0x3F8, 0x3F9]
        ),
        (
            .ntagI2C2K, "0004040502011503",
            [255: 0xFF, 256: 0x100, 480: 0x1E0, 481: 0x1E8, 482: 0x1E9, 483: 0x3F8, 484: 0x3F9], [0x3F8, 0x3F9]
        ),
        (.ntagI2CPlus1K, "0004040502021303", [226: 0xE2, 233: 0xE9, 234: 0xEC, 235: 0xED], [0xEC, 0xED]),
        (
            .ntagI2CPlus2K, "0004040502021503", [233: 0xE9, 234: 0xEC, 235: 0xED, 236: 0x100, 491: 0x1FF],
            [0xEC, 0xED]
        ),
    ]

    /// Returns a tag that was read except for its session registers, with UID and SAK in blocks 0 and 1, and ATQA in
    /// block 2.
    private static func image(_ chip: TagImage.Chip, _ version: String, without registers: [Int]) -> TagImage {
        var image = TagImage(kind: .type2(chip))
        image.version = bytes(version)
        image.identifier = bytes("04367F5A2D7280")
        image.atqa = [0x00, 0x44]
        image.sak = 0x00
        image.blocks = (image.kind.blockNumbers ?? []).map { number in
            let contents: [UInt8] =
                switch number {
                case 0: bytes("04367F5A")
                case 1: bytes("2D728000")
                case 2: bytes("44000000")
                default: [UInt8(number >> 8), UInt8(number & 0xFF), 0x11, 0x22]
                }
            return .init(number: number, bytes: registers.contains(number) ? nil : contents)
        }
        return image
    }

    @Test func aRowOfTheFileIsABlockOfASector() throws {
        for (chip, version, rows, registers) in Self.rows {
            let image = Self.image(chip, version, without: registers)
            #expect(image.blocks.count == chip.blockCount)
            let lines = try text(image, .nfc).split(separator: "\n")
            let memory = try image.bytes(.bin)
            #expect(memory.count == chip.blockCount * 4)
            #expect(lines.contains("Pages total: \(chip.blockCount)"))
            #expect(lines.contains("Pages read: \(chip.blockCount)"))
            for (row, number) in rows where number > 2 {
                let contents = image[block: number] ?? [0, 0, 0, 0]
                #expect(contents == [0, 0, 0, 0] || !registers.contains(number))
                #expect(Array(memory[row * 4..<row * 4 + 4]) == contents, "\(chip), row \(row)")
                let line = contents.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
                #expect(lines.contains("Page \(row): \(line.joined(separator: " "))"), "\(chip), row \(row)")
            }
        }
    }

    @Test(arguments: [TagImage.Format.nfc, .bin, .json])
    func everyFormatGivesTheMemoryAgain(format: TagImage.Format) throws {
        for (chip, version, _, registers) in Self.rows {
            let image = Self.image(chip, version, without: registers)
            let again = try TagImage(image.bytes(format), format: format)
            #expect(again.kind == image.kind && again.identifier == image.identifier)
            #expect(again.blocks.map(\.number) == image.blocks.map(\.number))
            #expect(again.difference(from: image).isEmpty)
            if format == .json { #expect(again == image) }
            #expect(try again.bytes(format) == image.bytes(format))
        }
    }

    /// 231 blocks: an NTAG216 has BCC0 in block 0 and BCC1 in block 2.
    @Test(
        arguments: [
            ("04367FC5 2D728000 DF480000", .ntag216), ("04367F5A 2D728000 44000000", .ntagI2C1K),
            ("04367FC5 2D728000 44000000", .ntagI2C1K),
        ] as [(String, TagImage.Chip)])
    func checkBytesTellAnNTAG216FromAnNTAGI2C(start: String, chip: TagImage.Chip) throws {
        let memory = bytes(start) + [UInt8](repeating: 0, count: 231 * 4 - 12)
        let image = try TagImage(memory, format: .bin)
        #expect(image.kind == .type2(chip))
        #expect(image.identifier == Array(bytes(chip == .ntag216 ? "04367F2D728000" : start).prefix(7)))
        #expect(try image.bytes(.bin) == memory)
    }

    /// Proxmark numbers the pages of sector 0 like commands, and stops at a page that cannot be read.
    @Test(arguments: [227, 3, 0])
    func proxmarksDumpHoldsSectorZero(pages: Int) throws {
        let (chip, version, _, registers) = Self.rows[0]
        let image = Self.image(chip, version, without: registers)
        let memory = image.blocks.prefix(pages).flatMap { $0.bytes ?? [] }
        let header = bytes(version) + [0, 0, 0, UInt8(max(pages, 1) - 1)] + [UInt8](repeating: 0, count: 44)
        guard pages >= 16 else {
            #expect(refusal(header + memory, .bin)?.contains("no known tag has a memory of") ?? false)
            return
        }
        let read = try TagImage(header + memory, format: .bin)
        #expect(read.kind == image.kind && read.blocks.count == 231 && read[block: 0xE8] == nil)
        #expect(read.blocks.prefix(pages) == image.blocks.prefix(pages))
    }

    @Test func aBlockThatTheChipHasNotIsRefused() throws {
        let (chip, version, _, registers) = Self.rows[0]
        let file = try text(Self.image(chip, version, without: registers), .json)
        let stray = file.replacing("\"232\":", with: "\"231\": \"00000000\",\n    \"232\":")
        #expect(
            refusal(Array(stray.utf8), .json)
                == "The value of blocks is a list of 232 blocks; expected the 231 blocks of NTAG I2C 1k.")
    }

    @Test func whatTheChipChangesIsNoDifference() throws {
        for (chip, version, _, registers) in Self.rows {
            let image = Self.image(chip, version, without: [])
            var later = image
            for index in later.blocks.indices where registers.contains(later.blocks[index].number) {
                later.blocks[index].bytes = [1, 2, 3, 4]
            }
            #expect(later.difference(from: image).isEmpty)
        }
    }

    @Test func onlyAnNTAGI2CHasREGLOCK() {
        #expect(ChipModel.all.filter { $0.layout?.registerLockBlock != nil } == Self.rows.map(\.chip))
        #expect(ChipModel.ntagI2C2K.layout?.registerLockBlock == 0x1E9)
    }
}
