// Valid and invalid commands of Topaz tags — NFC Forum Type 1 Tag, command set; Broadcom BCM20203T96 and BCM20203T512

import Chance
import Testing
@testable import VirtualPN532

extension TopazCard {
    static let uid = bytes("31 32 33 34 35 36 25")

    /// Returns a tag in READY state.
    static func ready(_ chip: TopazChip, isFormatted: Bool = true) -> TopazCard {
        var card = TopazCard(memory: TopazMemory(chip: chip, uid: uid, isFormatted: isFormatted))
        card.poll()
        return card
    }

    /// Sends a command with this UID echo, and returns the answer in hex, or `-` for silence.
    mutating func send(_ hex: String, echo: String = "31 32 33 34") -> String {
        guard case .bytes(let answer) = receive(bytes(hex + " " + echo)).answer else { return "-" }
        return String(flipperBytes: answer)
    }
}

/// Returns `count` bytes of the same value in hexadecimal, with a space before each.
private func run(_ byte: String, _ count: Int) -> String { String(repeating: " " + byte, count: count) }

@Suite struct TopazCommandTests {
    @Test func ridTellsHeaderROMAndFourBytesOfTheUIDToAnyEcho() {
        var (small, large) = (TopazCard.ready(.topaz96), TopazCard.ready(.topaz512))
        #expect(small.send("78 00 00", echo: "00 00 00 00") == "11 48 31 32 33 34")
        #expect(large.send("78 FF FF", echo: "FF FF FF FF") == "12 4C 31 32 33 34")
    }

    /// Blocks D and E as in dumps of real tags (nfcpy's tests): LOCK-0 01, LOCK-1 60 and E0.
    @Test func memoryIsFormattedAndEmpty() {
        var small = TopazCard.ready(.topaz96)
        #expect(
            small.send("00 00 00") == "11 48 31 32 33 34 35 36 25 00 E1 10 0E 00 03 00 FE" + run("00", 89)
                + " 55 55 AA AA 00 00 00 00 01 60" + run("00", 6))
        var large = TopazCard.ready(.topaz512)
        #expect(
            large.send("00 00 00")
                == "12 4C 31 32 33 34 35 36 25 00 E1 10 3F 00 01 03 F2 30 33 02 03 F0 02 03 03 00 FE" + run("00", 79)
                + " 55 55 AA AA 12 49 06 00 01 E0" + run("00", 6))
    }

    @Test(arguments: [TopazChip.topaz96, .topaz512])
    func blankTagHasNoCapabilityContainer(chip: TopazChip) {
        var card = TopazCard.ready(chip, isFormatted: false)
        #expect((8..<104).allSatisfy { card.memory.bytes[$0] == 0x00 })
        #expect(card.send("01 08 00") == "08 00")
    }

    @Test(arguments: [
        ("01 08 00", "08 E1"), ("53 10 A5", "10 A5"), ("1A 10 A5", "10 A5"), ("01 70 00", "70 01"),
        // Address bit 8 must be 0.
        ("01 88 00", "-"), ("53 90 A5", "-"), ("1A 90 A5", "-"),
        // Unknown commands, HLTA, and the 8-byte commands of the dynamic structure.
        ("30 00 00", "-"), ("50 00 00", "-"), ("60 00 00", "-"), ("02 01 00", "-"),
        ("02 01" + run("00", 8), "-"), ("10 00" + run("00", 8), "-"), ("54 02" + run("11", 8), "-"),
        ("1B 02" + run("11", 8), "-"),
    ])
    func topaz96Answers(command: String, answer: String) {
        var card = TopazCard.ready(.topaz96)
        #expect(card.send(command) == answer)
    }

    @Test(arguments: [
        ("02 01" + run("00", 8), "01 E1 10 3F 00 01 03 F2 30"),
        ("02 0F" + run("00", 8), "0F" + run("00", 8)),
        ("54 3F 01 02 03 04 05 06 07 08", "3F 01 02 03 04 05 06 07 08"),
        ("1B 10 01 02 03 04 05 06 07 08", "10 01 02 03 04 05 06 07 08"),
        ("10 30" + run("00", 8), "30" + run("00", 128)),
        // ADDS contains a segment and no other bits.
        ("10 31" + run("00", 8), "-"),
        // The single-byte commands work in blocks 0 to F.
        ("53 20 A5", "20 A5"), ("01 7F 00", "7F 00"),
        // Memory beyond the end reads as zero, and writing does not change it.
        ("02 40" + run("00", 8), "40" + run("00", 8)), ("54 FF" + run("A5", 8), "FF" + run("00", 8)),
        ("10 F0" + run("00", 8), "F0" + run("00", 128)),
        // The wrong number of operands for the command.
        ("00 00" + run("00", 8), "-"), ("54 20 A5", "-"),
    ])
    func topaz512Answers(command: String, answer: String) {
        var card = TopazCard.ready(.topaz512)
        #expect(card.send(command) == answer)
    }

    @Test func segmentsAndBlocksShowTheSameMemory() {
        var card = TopazCard.ready(.topaz512)
        #expect(card.send("54 1A 01 02 03 04 05 06 07 08") == "1A 01 02 03 04 05 06 07 08")
        let segment = card.send("10 10" + run("00", 8))
        #expect(segment == "10" + run("00", 80) + " 01 02 03 04 05 06 07 08" + run("00", 40))
        #expect(card.send("02 1A" + run("00", 8)) == "1A 01 02 03 04 05 06 07 08")
    }

    @Test(arguments: ["00 00 00", "01 08 00", "53 10 A5", "1A 10 A5"])
    func wrongUIDGetsSilence(command: String) {
        var card = TopazCard.ready(.topaz96)
        let before = card.memory
        for echo in ["00 00 00 00", "31 32 33 35", "32 33 34 35"] { #expect(card.send(command, echo: echo) == "-") }
        #expect(card.memory == before && card.generation == 0)
    }

    @Test func onlyWholeFramesAreAnswered() {
        let frames = [
            "78 00 00 00 00 00 00", "00 00 00 31 32 33 34", "53 10 A5 31 32 33 34",
            "54 10" + run("A5", 8) + " 31 32 33 34",
        ]
        for frame in frames.map(bytes) {
            for length in 0..<frame.count {
                var card = TopazCard.ready(.topaz512)
                #expect(card.receive(Array(frame.prefix(length))).answer == .silence)
                #expect(card.receive(frame + [0x34]).answer == .silence)
                #expect(card.generation == 0)
            }
        }
    }

    @Test func onlyAPolledTagAnswers() {
        var card = TopazCard(memory: TopazMemory(chip: .topaz96, uid: TopazCard.uid, isFormatted: true))
        #expect(card.send("78 00 00") == "-")
        card.poll()
        #expect(card.send("78 00 00") != "-")
        card.powerOff()
        #expect(card.send("01 08 00") == "-")
    }

    /// Frame delay times n = 554 and n = 281: (128 n + 84) / 13.56 MHz.
    @Test func writingTakesItsTime() {
        var card = TopazCard.ready(.topaz512)
        let commands = [
            ("53 10 A5", 5_236), ("54 10" + run("A5", 8), 5_236), ("1A 10 A5", 2_659), ("1B 10" + run("A5", 8), 2_659),
        ]
        for (command, microseconds) in commands {
            #expect(card.receive(bytes(command + " 31 32 33 34")).delay == .microseconds(microseconds))
        }
    }

    @Test(arguments: [VirtualTagKind.topaz96, .topaz512, .topaz96Blank, .topaz512Blank])
    func noFileHoldsAType1Tag(kind: VirtualTagKind) {
        let path = "/tmp/nfctool-no-such-directory/\(kind.rawValue).nfc"
        #expect(throws: VirtualReaderError.noFileFormat(kind)) { try TagFile(path: path, kind: kind) }
        #expect(
            VirtualReaderError.noFileFormat(kind).description
                == "A \(kind.rawValue) cannot be saved to a file: the .nfc format does not support it.")
    }

    @Test(arguments: [
        (VirtualTagKind.topaz96, "E1 10 0E 00 03 00 FE", 120), (.topaz512, "E1 10 3F 00 01 03 F2 30", 512),
        (.topaz96Blank, "00 00 00 00 00 00 00", 120), (.topaz512Blank, "00 00 00 00 00 00 00", 512),
    ])
    func kindsAreMadeWithTheirUID(kind: VirtualTagKind, block1: String, size: Int) throws {
        let tag = try #require(kind.make(uid: bytes("31 32 33 34")) as? VirtualTopazTag)
        #expect(tag.identifier == bytes("31 32 33 34"))
        #expect(tag.contents.count == size)
        #expect(String(flipperBytes: tag.contents[..<8]) == "31 32 33 34 57 1F 25 00")
        #expect(String(flipperBytes: tag.contents[8..<16]).hasPrefix(block1))
        tag.store([0xFF, 0xFF], at: 0)
        #expect(tag.contents.starts(with: [0xFF, 0xFF, 0x33]))
    }

    @Test func randomFramesNeverTrap() {
        var generator = SplitMix(state: 0x70_9A2)
        for chip in [TopazChip.topaz96, .topaz512] {
            var card = TopazCard.ready(chip)
            for _ in 0..<20_000 {
                let codes: [UInt8] = [0x78, 0x00, 0x01, 0x53, 0x1A, 0x10, 0x02, 0x54, 0x1B, .random(in: 0...255)]
                let length = Bool.random(using: &generator) ? 2 : Int.random(in: 0...12, using: &generator)
                let operands = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let frame = [codes.randomElement(using: &generator) ?? 0] + operands + bytes("31 32 33 34")
                if Int.random(in: 0..<16, using: &generator) == 0 {
                    card.receiveTorn(frame)
                    card.poll()
                } else {
                    _ = card.receive(frame)
                }
            }
            #expect(card.memory.bytes.count == chip.blockCount * 8)
            #expect(card.send("78 00 00").hasSuffix("31 32 33 34"))
        }
    }
}
