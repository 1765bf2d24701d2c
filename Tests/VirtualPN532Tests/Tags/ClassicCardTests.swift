// MIFARE Classic as the PN532's host sees it — NXP MF1S50yyX, MF1S70yyX; UM0701-02, InDataExchange

import Testing

@testable import VirtualPN532

/// A MIFARE Classic on the chip's bench, accessed with InDataExchange.
struct ClassicBench {
    let tag: VirtualClassicTag
    let chip: ChipBench
    /// The last four bytes of the UID.
    var uid: String { hex(tag.nfcID1.suffix(4)) }

    init(_ kind: VirtualTagKind = .classic1k, uid: [UInt8]? = nil, faults: Faults = Faults()) throws {
        tag = try #require(kind.make(uid: uid) as? VirtualClassicTag)
        chip = ChipBench([tag], faults: faults)
        _ = chip.answer("32 05 FF 01 02")
        select()
    }

    func select() { #expect(chip.answer("4A 01 00").hasPrefix("4B 01 01")) }

    /// Sends a command, and returns its status and data in hexadecimal.
    func send(_ command: String) -> String { String(chip.answer("40 01 " + command).dropFirst(3)) }

    @discardableResult func authenticate(_ block: Int, _ key: ClassicKey = .a, with secret: String = factoryKey)
        -> String
    {
        send(hex([key.rawValue, UInt8(block)]) + secret + uid)
    }

    /// Selects and authenticates again, and sends a command after that.
    func fresh(_ key: ClassicKey, _ command: String, secret: String = factoryKey) -> String {
        select()
        authenticate(Int(octets(command)[1]), key, with: secret)
        return send(command)
    }

    func block(_ block: Int) -> [UInt8] { Array(tag.contents[16 * block..<16 * block + 16]) }

    /// Sets the access bits of sector 1: `C1 C2 C3` by group, as numbers.
    func setAccess(_ conditions: [UInt8]) {
        tag.store(octets(factoryKey) + Self.accessBytes(conditions) + [0x69] + octets(factoryKey), at: 7)
    }

    static func accessBytes(_ conditions: [UInt8]) -> [UInt8] {
        var (c1, c2, c3): (UInt8, UInt8, UInt8) = (0, 0, 0)
        for (group, condition) in conditions.enumerated() {
            c1 |= (condition >> 2 & 1) << UInt8(group)
            c2 |= (condition >> 1 & 1) << UInt8(group)
            c3 |= (condition & 1) << UInt8(group)
        }
        return [(~c2 & 0xF) << 4 | ~c1 & 0xF, c1 << 4 | ~c3 & 0xF, c3 << 4 | c2]
    }
}

let factoryKey = "FFFFFFFFFFFF"
private let sixteen = String(repeating: "AB", count: 16)

@Suite struct ClassicCardTests {
    /// Kind, UID, ATQA high byte first, SAK: MF1S50yyX and MF1S70yyX, ATQA and SAK tables.
    @Test(arguments: [
        (VirtualTagKind.classic1k, "C0010203", "0004 08"), (.classic1k, "04010203040506", "0044 08"),
        (.classic4k, "C0010203", "0002 18"), (.classic4k, "04010203040506", "0042 18"),
    ])
    func targetDataIsTheDataSheets(kind: VirtualTagKind, uid: String, answer: String) throws {
        let bench = ChipBench([kind.make(uid: octets(uid))])
        let length = hex([UInt8(octets(uid).count)])
        #expect(octets(bench.answer("4A 01 00")) == octets("4B 01 01 \(answer) \(length) \(uid)"))
    }

    @Test(arguments: ["C0010203", "04010203040506"])
    func rightKeyOpensItsSectorAndNoOther(uid: String) throws {
        let bench = try ClassicBench(uid: octets(uid))
        #expect(bench.authenticate(4) == "00")
        #expect(bench.send("A0 05" + sixteen) == "00")
        #expect(bench.send("30 05") == "00 " + hex(octets(sixteen)))
        // The sector is another one, so the card answers NAK and becomes mute.
        #expect(bench.send("30 08") == "13")
        #expect(bench.send("30 05") == "01")
    }

    @Test func wrongKeyOrUIDIsAnAuthenticationErrorAndTheCardMustBeSelectedAgain() throws {
        let bench = try ClassicBench()
        #expect(bench.authenticate(4, with: "A0A1A2A3A4A5") == "14")
        #expect(bench.authenticate(4) == "14")
        bench.select()
        #expect(bench.send("60 04" + factoryKey + "00000000") == "14")
        bench.select()
        #expect(bench.authenticate(4) == "00")
        #expect(bench.authenticate(64) == "14")
    }

    @Test func aSecondAuthenticationMovesToItsSector() throws {
        let bench = try ClassicBench()
        #expect(bench.authenticate(4) == "00")
        #expect(bench.authenticate(8, .b) == "00")
        #expect(bench.authenticate(12) == "00")
        #expect(bench.send("30 0C").hasPrefix("00 "))
        #expect(bench.send("30 04") == "13")
    }

    @Test func unencryptedFramesAfterAuthenticationMeetSilence() throws {
        let bench = try ClassicBench()
        bench.authenticate(4)
        #expect(bench.chip.answer("42 30 04") == "43 01")
        #expect(bench.send("30 04") == "01")
    }

    @Test func nothingIsReadWithoutAuthentication() throws {
        let bench = try ClassicBench()
        #expect(bench.send("30 04") == "13")
        bench.select()
        #expect(bench.send("A0 04" + sixteen) == "13")
        #expect(bench.tag.generation == 0)
    }

    @Test func aNonceIsFourBytesWithoutCRC() throws {
        let bench = try ClassicBench()
        #expect(bench.chip.answer("42 60 04") == "43 02")
    }

    @Test func haltedCardAnswersWakeUpAlone() throws {
        let bench = try ClassicBench()
        bench.authenticate(4)
        #expect(bench.chip.answer("44 01") == "45 00")
        #expect(bench.send("30 04") == "13")
    }

    @Test func manufacturerBlockIsReadOnly() throws {
        let bench = try ClassicBench()
        bench.authenticate(0)
        let before = bench.tag.contents
        #expect(bench.send("30 00").hasPrefix("00 " + hex(bench.tag.nfcID1)))
        #expect(bench.send("A0 00" + sixteen) == "13")
        #expect(bench.tag.contents == before)
    }

    @Test func keyAIsNeverRead() throws {
        let bench = try ClassicBench()
        bench.authenticate(4)
        #expect(bench.send("30 07") == "00 00 00 00 00 00 00 FF 07 80 69 FF FF FF FF FF FF")
    }

    @Test func largeSectorsHaveSixteenBlocks() throws {
        let bench = try ClassicBench(.classic4k)
        #expect(bench.authenticate(255) == "00")
        #expect(bench.send("A0 F0" + sixteen) == "00")
        #expect(bench.send("30 FF").hasSuffix("FF 07 80 69 FF FF FF FF FF FF"))
        #expect(bench.send("30 EF") == "13")
        #expect(ClassicLayout.sector(of: 127) == 31 && ClassicLayout.sector(of: 128) == 32)
        #expect([128, 132, 133, 138, 142, 143].map(ClassicLayout.accessGroup) == [0, 0, 1, 2, 2, 3])
    }

    /// Condition C1C2C3 of a data block, and the keys that read, write, increment and decrement: MF1S50yyX, "Access
    /// conditions for data blocks".
    @Test(arguments: [
        (UInt8(0b000), "AB AB AB AB"), (0b010, "AB - - -"), (0b100, "AB B - -"), (0b110, "AB B B AB"),
        (0b001, "AB - - AB"), (0b011, "B B - -"), (0b101, "B - - -"), (0b111, "- - - -"),
    ])
    func dataConditions(condition: UInt8, row: String) throws {
        let bench = try ClassicBench()
        let value = "0500000 0FAFFFFFF 05000000 04FB04FB"
        for (column, who) in row.split(separator: " ").enumerated() {
            let command = ["30 05", "A0 05" + value, "C1 05 01000000", "C0 05 01000000"][column]
            for key in [ClassicKey.a, .b] {
                // With trailer condition 011, key B is secret, and has the rights in the table.
                bench.setAccess([condition, condition, condition, 0b011])
                bench.tag.store(octets(value), at: 5)
                let isAllowed = who.contains(key == .a ? "A" : "B")
                #expect(bench.fresh(key, command).hasPrefix(isAllowed ? "00" : "13"), "\(command) \(key)")
            }
        }
    }

    /// Condition of the trailer, and the keys that write key A, read and write the access bits, and read and write
    /// key B: MF1S50yyX, "Access conditions for the sector trailer".
    @Test(arguments: [
        (UInt8(0b000), "A A - A A"), (0b010, "- A - A -"), (0b100, "B AB - - B"), (0b110, "- AB - - -"),
        (0b001, "A A A A A"), (0b011, "B AB B - B"), (0b101, "- AB B - -"), (0b111, "- AB - - -"),
    ])
    func trailerConditions(condition: UInt8, row: String) throws {
        let columns = row.split(separator: " ")
        for key in [ClassicKey.a, .b] {
            func allows(_ column: Int) -> Bool { columns[column].contains(key == .a ? "A" : "B") }
            let bench = try ClassicBench()
            bench.setAccess([0, 0, 0, condition])
            let before = bench.block(7)
            let read = bench.fresh(key, "30 07")
            #expect(read.hasPrefix("00") == (allows(1) || allows(3)))
            if read.hasPrefix("00") {
                let content = Array(octets(read).dropFirst())
                #expect(content[..<6].allSatisfy { $0 == 0 })
                #expect(Array(content[6..<10]) == (allows(1) ? Array(before[6..<10]) : [0, 0, 0, 0]))
                #expect(content[10...].allSatisfy { $0 == (allows(3) ? 0xFF : 0x00) })
            }
            let new = octets("111111111111 FF0780 55 222222222222")
            let isWritten = bench.fresh(key, "A0 07" + hex(new)).hasPrefix("00")
            #expect(isWritten == (allows(0) || allows(2) || allows(4)))
            let after = bench.block(7)
            #expect(Array(after[..<6]) == Array((allows(0) ? new : before)[..<6]))
            #expect(Array(after[6..<10]) == Array((allows(2) ? new : before)[6..<10]))
            #expect(Array(after[10...]) == Array((allows(4) ? new : before)[10...]))
        }
    }

    @Test func aReadableKeyBOpensNothing() throws {
        let bench = try ClassicBench()
        #expect(bench.authenticate(4, .b) == "00")
        #expect(bench.send("30 04") == "13")
    }

    @Test(arguments: 0..<24)
    func oneWrongComplementBlocksTheSectorForEver(bit: Int) throws {
        let bench = try ClassicBench()
        var access = octets("FF0780")
        access[bit / 8] ^= 1 << UInt8(bit % 8)
        bench.authenticate(4)
        #expect(bench.send("A0 07" + factoryKey + hex(access) + "69" + factoryKey) == "00")
        for key in [ClassicKey.a, .b] {
            #expect(bench.fresh(key, "30 04") == "13")
            #expect(bench.fresh(key, "A0 07" + factoryKey + "FF078069" + factoryKey) == "13")
        }
        #expect(bench.fresh(.a, "30 08").hasPrefix("00"))
    }

    @Test func valueBlocksAreCountedThroughTheTransferBuffer() throws {
        let bench = try ClassicBench()
        bench.authenticate(4)
        #expect(bench.send("A0 05 0A000000 F5FFFFFF 0A000000 05FA05FA") == "00")
        #expect(bench.send("C1 05 05000000") == "00")
        #expect(bench.send("30 05").hasPrefix("00 0A"))
        #expect(bench.send("B0 05") == "00")
        #expect(bench.send("30 05") == "00 0F 00 00 00 F0 FF FF FF 0F 00 00 00 05 FA 05 FA")
        #expect(bench.send("C0 05 10000000") == "00")
        #expect(bench.send("B0 06") == "00")
        #expect(bench.send("30 06") == "00 FF FF FF FF 00 00 00 00 FF FF FF FF 05 FA 05 FA")
        #expect(bench.send("C2 05 00000000") == "00")
        #expect(bench.send("B0 04") == "00")
        #expect(bench.send("30 04") == "00 0F 00 00 00 F0 FF FF FF 0F 00 00 00 05 FA 05 FA")
        // The trailer is not a value block, whatever the buffer holds.
        #expect(bench.send("B0 07") == "13")
    }

    @Test func transferNeedsAValueAndValuesNeedTheirCopies() throws {
        let bench = try ClassicBench()
        bench.authenticate(4)
        #expect(bench.send("B0 05") == "13")
        for index in 0..<16 {
            var block = octets("0A000000 F5FFFFFF 0A000000 05FA05FA")
            block[index] ^= 0x01
            #expect(ValueBlock(block) == nil)
            #expect(bench.fresh(.a, "A0 05" + hex(block)) == "00")
            #expect(bench.send("C1 05 01000000") == "13")
        }
    }

    @Test func tornWritesMixOldAndNewBytes() throws {
        var seen: Set<[UInt8]> = []
        for serial in 0..<32 {
            let tag = try #require(VirtualTagKind.classic1k.make(serial: serial) as? VirtualClassicTag)
            var faults = Faults()
            // Authentication, first part and second part of WRITE.
            faults.tear = 3
            faults.back = .zero
            let chip = ChipBench([tag], faults: faults)
            _ = chip.answer("4A 01 00")
            #expect(chip.answer("40 01 60 05" + factoryKey + hex(tag.nfcID1)) == "41 00")
            #expect(chip.answer("40 01 A0 05" + sixteen) == "41 01")
            let block = Array(tag.contents[80..<96])
            #expect(block.allSatisfy { $0 == 0 || $0 == 0xAB })
            seen.insert(block)
        }
        #expect(seen.count > 8)
    }

    @Test(arguments: [("loss", "00", "01"), ("nak", "13", "01"), ("crc", "02", "00")])
    func faultsStrikeCipheredCommandsToo(name: String, first: String, second: String) throws {
        var faults = Faults()
        try faults.apply(name, "2")
        let bench = try ClassicBench(faults: faults)
        #expect(bench.authenticate(4) == "00")
        #expect(bench.send("30 04").hasPrefix(first))
        #expect(bench.send("30 04").hasPrefix(second))
    }
}
