// Type 1 Tags on the chip: the firmware's frames, and manual control of the CIU — NXP UM0701-02; NFC Forum Type 1 Tag

import Testing
@testable import VirtualPN532

@Suite struct Type1ExchangeTests {
    private static let uid = octets("31 32 33 34 35 36 25")
    private static let list = "4A 01 04"
    private static let listed = "4B 01 01 0C 00 31 32 33 34"

    private func tag(_ chip: TopazChip) -> VirtualTopazTag {
        VirtualTopazTag(memory: TopazMemory(chip: chip, uid: Self.uid, isFormatted: true))
    }

    /// Returns a chip that has activated a tag.
    private func bench(_ chip: TopazChip, faults: Faults = Faults()) -> ChipBench {
        let bench = ChipBench([tag(chip)], faults: faults)
        #expect(bench.answer(Self.list) == Self.listed)
        return bench
    }

    @Test func type1TagIsListedOnceAndAsNothingElse() {
        let bench = ChipBench([tag(.topaz96)])
        _ = bench.answer("32 05 FF 01 00")
        for technology in ["4A 01 00", "4A 01 01 00 FF FF 00 00", "4A 01 03 00"] {
            #expect(bench.answer(technology) == "4B 00")
        }
        #expect(bench.answer(Self.list) == Self.listed)
    }

    /// nfcpy continues to look for a Type 1 Tag unless REQA (26) is left in CIU_FIFOData.
    @Test func fifoTellsAnUnansweredREQAFromATagWithoutAnticollision() {
        for (tags, isUnanswered) in [([], true), ([tag(.topaz512)], false)] {
            let bench = ChipBench(tags)
            _ = bench.answer("32 05 FF 01 00")
            #expect(bench.answer("4A 01 00") == "4B 00")
            #expect((bench.answer("06 63 39") == "07 26") == isUnanswered)
        }
    }

    // MARK: InDataExchange

    /// ACS's manual for the ACR122U and libnfc give command, address and data without UID, but nfcpy adds the UID.
    @Test(arguments: ["", " 31 32 33 34", " 00 00 00 00", " 31 32 33 34 BE EF"])
    func uidComesFromTheActivation(rest: String) {
        let bench = bench(.topaz96)
        #expect(bench.answer("40 01 78" + rest) == "41 00 11 48 31 32 33 34")
        #expect(bench.answer("40 01 01 08" + rest) == "41 00 E1")
        #expect(bench.answer("40 01 53 10 A5" + rest) == "41 00 A5")
        #expect(bench.answer("40 01 1A 10 0F" + rest) == "41 00 AF")
        #expect(bench.answer("40 01 00" + rest).hasPrefix("41 00 11 48 31 32 33 34 35 36 25 00 E1 10 0E 00 03 00 FE"))
        #expect(octets(bench.answer("40 01 00" + rest)).count == 2 + 122)
    }

    @Test func segment0IsReadAndNoOther() {
        let bench = bench(.topaz512)
        let segment = octets(bench.answer("40 01 10 00"))
        #expect(segment.count == 2 + 128)
        #expect(hex(segment.prefix(14)) == "41 00 31 32 33 34 35 36 25 00 E1 10 3F 00")
        for operand in ["10", "20", "30", "F0"] { #expect(bench.answer("40 01 10 \(operand)") == "41 10") }
    }

    /// nfcpy, and an ACR122U with a real Topaz 512 (Stack Overflow 61275660).
    @Test(arguments: ["02 01", "54 10 A5 A5 A5 A5 A5 A5 A5 A5", "1B 10 A5 A5 A5 A5 A5 A5 A5 A5", "30 00"])
    func firmwareDoesNotKnowEightByteCommands(command: String) {
        let bench = bench(.topaz512)
        #expect(bench.answer("40 01 " + command + " 31 32 33 34") == "41 01")
        #expect(bench.answer("40 01 01 08") == "41 00 E1")
    }

    @Test(arguments: ["01", "53", "53 10", "1A", "1A 10", "10", ""])
    func missingOperandIsRefused(command: String) {
        #expect(bench(.topaz512).answer("40 01 " + command) == "41 10")
    }

    @Test func lockedBlockAndBadAddressRunIntoTheTimeOut() {
        let bench = bench(.topaz96)
        for command in ["53 00 FF", "1A 68 FF", "53 70 FF", "01 80"] {
            #expect(bench.answer("40 01 " + command) == "41 01")
        }
        #expect(bench.answer("40 01 78") == "41 00 11 48 31 32 33 34")
    }

    @Test func wholeFramesAreNoType1Commands() {
        let bench = bench(.topaz512)
        for command in ["78 00 00 00 00 00 00", "00 00 00 31 32 33 34", "01 08 00 31 32 33 34"] {
            let frame = octets(command) + Checksum.typeB(octets(command))
            #expect(bench.answer("42 " + hex(frame)) == "43 01")
            #expect(bench.answer("42 " + command) == "43 01")
        }
    }

    // MARK: Manual control of the CIU

    /// Returns WriteRegister as nfcpy builds it: 7 bits, followed by bytes without parity and by Receive.
    private func writeRegister(_ command: String, parityDisabled: String = "63 0D 30", checksum: [UInt8]? = nil)
        -> String
    {
        let bytes = octets(command) + (checksum ?? Checksum.typeB(octets(command)))
        return "08 63 39 \(hex(bytes.prefix(1))) 63 3D 07 63 31 04 63 3D 00 \(parityDisabled) "
            + bytes.dropFirst().map { "63 39 \(hex([$0])) 63 31 04 63 31 07" }.joined(separator: " ")
            + " 63 31 08"
    }

    /// Returns the bytes in the FIFO without their CRC_B.
    ///
    /// Every ninth bit in the FIFO is a parity bit.
    private func received(_ bench: ChipBench) -> String? {
        let level = octets(bench.answer("06 63 3A"))[1]
        guard level > 0 else { return nil }
        let fifo = octets(bench.answer("06" + String(repeating: " 63 39", count: Int(level)))).dropFirst()
        let bits = fifo.flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
        let bytes = stride(from: 0, through: bits.count - 9, by: 9).map { start -> UInt8 in
            let value = bits[start..<start + 8].reversed().reduce(0) { $0 << 1 | $1 }
            #expect(bits[start..<start + 9].reduce(0, +) % 2 == 1)
            return value
        }
        return Checksum.typeB.stripped(bytes).map(hex)
    }

    @Test(arguments: [
        ("02 01 00 00 00 00 00 00 00 00", "01 E1 10 3F 00 01 03 F2 30"),
        ("54 10 01 02 03 04 05 06 07 FF", "10 01 02 03 04 05 06 07 FF"),
        ("1B 10 10 20 40 80 00 FF 55 AA", "10 10 20 40 80 00 FF 55 AA"),
        ("01 08 00", "08 E1"),
    ])
    func commandIsSentByteByByteThroughTheRegisters(command: String, answer: String) {
        let bench = bench(.topaz512)
        #expect(bench.answer(writeRegister(command + " 31 32 33 34")) == "09")
        #expect(bench.answer("08 63 0D 20") == "09")
        #expect(received(bench) == answer)
        #expect(bench.answer("06 63 3A") == "07 00")
        // The firmware's own commands still work.
        #expect(bench.answer("40 01 01 08") == "41 00 E1")
    }

    @Test func wrongUIDChecksumParityOrCRCSettingLeavesTheFIFOEmpty() {
        let read = "02 01 00 00 00 00 00 00 00 00 31 32 33 34"
        let attempts = [
            (writeRegister("02 01 00 00 00 00 00 00 00 00 31 32 33 35"), "63 02 00"),
            (writeRegister(read, checksum: [0x00, 0x00]), "63 02 00"),
            (writeRegister(read, checksum: Checksum.typeA(octets(read))), "63 02 00"),
            (writeRegister(read, parityDisabled: "63 0D 20"), "63 02 00"),
            (writeRegister(read), "63 02 80"),
        ]
        for (command, setting) in attempts {
            let bench = bench(.topaz512)
            #expect(bench.answer("08 " + setting) == "09")
            #expect(bench.answer(command) == "09")
            #expect(bench.answer("06 63 3A") == "07 00")
        }
    }

    @Test func fifoHoldsSixtyFourBytesAndIsFlushed() {
        let bench = bench(.topaz512)
        #expect(bench.answer("08" + String(repeating: " 63 39 5A", count: 70)) == "09")
        #expect(bench.answer("06 63 3A") == "07 40")
        #expect(bench.answer("06 63 39 63 3A") == "07 5A 3F")
        #expect(bench.answer("08 63 3A 80") == "09")
        #expect(bench.answer("06 63 3A 63 39") == "07 00 00")
        // An answer of 131 bytes does not fit.
        #expect(bench.answer(writeRegister("10 00 00 00 00 00 00 00 00 00 31 32 33 34")) == "09")
        #expect(bench.answer("06 63 3A") == "07 40")
    }

    // MARK: Faults and figures

    @Test func faultsStrikeCommandsAndNotActivation() {
        var faults = Faults()
        faults.crc = 1
        faults.nak = 2
        faults.loss = 3
        let bench = bench(.topaz96, faults: faults)
        #expect(bench.answer("40 01 01 08") == "41 02")
        #expect(bench.answer("40 01 01 08") == "41 01")
        #expect(bench.answer("40 01 01 08") == "41 00 E1")
        #expect(bench.answer("40 01 01 08") == "41 01")
    }

    @Test func tornWriteLeavesTheByteTornAndTheTagGone() {
        var faults = Faults()
        faults.tear = 2
        let tag = tag(.topaz96)
        let bench = ChipBench([tag], faults: faults)
        #expect(bench.answer(Self.list) == Self.listed)
        #expect(bench.answer("40 01 53 10 0F") == "41 00 0F")
        #expect(bench.answer("40 01 53 10 F0") == "41 01")
        #expect(bench.answer("40 01 01 10") == "41 01")
        #expect(tag.contents[0x10] & 0xF0 == 0 || tag.contents[0x10] & 0x0F == 0)
        #expect(tag.contents[0x11] == 0x00)
    }

    @Test func modelledTimeHoldsTheTimeOfErasingAndWriting() {
        let bench = bench(.topaz96)
        let before = bench.statistics.value
        _ = bench.answer("40 01 53 10 A5")
        let after = bench.statistics.value
        #expect(after.tagCommands == before.tagCommands + 1 && after.tagExchanges == before.tagExchanges + 1)
        // 2 ms for the exchange and 5.2 ms for the cells. The rest is bits: 9 bytes out, and 4 back.
        let time = (after.modelledTime - after.lineTime) - (before.modelledTime - before.lineTime)
        let bits = time - .milliseconds(2) - .microseconds(5_236)
        #expect(bits > .milliseconds(1) && bits < .milliseconds(2))
    }
}
