// NTAG I2C over RF: sectors, registers, lock bytes — NXP data sheet NT3H1101_1201

import Testing
@testable import VirtualPN532

@Suite struct NTAGI2CTests {
    @Test(arguments: [(VirtualTagKind.ntagI2C1K, "13"), (.ntagI2C2K, "15")])
    func versionAndUID(kind: VirtualTagKind, size: String) throws {
        let tag = try kind.type2()
        #expect(tag.send("60") == "00 04 04 05 02 01 \(size) 03")
        // No check bytes: UID, SAK, ATQA, static lock bytes.
        #expect(tag.send("3A 00 02") == String(flipperBytes: tag.nfcID1) + " 00 44 00 00 00")
    }

    @Test func sectorSelectIsAnACKAndThenSilence() throws {
        let tag = try VirtualTagKind.ntagI2C2K.type2()
        #expect(tag.send("C2 FF") == "ACK")
        #expect(tag.send("01 00 00 00") == "-")
        // The tag is still active, and in sector 1.
        #expect(tag.send("A2 00 01 02 03 04") == "ACK")
        #expect(tag.send("3A 00 00") == "01 02 03 04")
        #expect(tag.contents[1024..<1028] == [1, 2, 3, 4])
        #expect(tag.send("C2 FF") == "ACK")
        #expect(tag.send("00 00 00 00") == "-")
        #expect(tag.send("30 03").hasPrefix("E1 10 EA 00"))
    }

    @Test func activationBeginsInSector0() throws {
        let tag = try VirtualTagKind.ntagI2C2K.type2()
        tag.send("C2 FF")
        tag.send("01 00 00 00")
        #expect(tag.activate().send("30 03").hasPrefix("E1"))
    }

    /// The second frames that the tag answers with NAK, because there is no such sector, or the frame does not have
    /// four bytes.
    @Test(arguments: [
        (VirtualTagKind.ntagI2C1K, "01 00 00 00"), (.ntagI2C1K, "02 00 00 00"), (.ntagI2C1K, "04 00 00 00"),
        (.ntagI2C2K, "02 00 00 00"), (.ntagI2C2K, "FF 00 00 00"), (.ntagI2C2K, "01"), (.ntagI2C2K, "01 00 00 00 00"),
        (.ntagI2C2K, ""),
    ])
    func badSectorIsNAKAndEndsTheSelection(kind: VirtualTagKind, second: String) throws {
        let tag = try kind.type2()
        #expect(tag.send("C2 FF") == "ACK")
        #expect(tag.send(second) == "NAK 0")
        #expect(tag.send("30 00") == "-")
    }

    @Test(arguments: ["C2", "C2 00", "C2 FF 00", "A0 04", "A5 00 01 00 00 00", "1A 00"])
    func unknownCommandsAreNAK(command: String) throws {
        #expect(try VirtualTagKind.ntagI2C1K.type2().send(command) == "NAK 0")
        #expect(try VirtualTagKind.ntag216.type2().send("C2 FF") == "NAK 0")
    }

    /// Sectors and addresses that exist.
    ///
    /// READ, FAST_READ and WRITE of all others are answered with NAK.
    static let mapRows: [(VirtualTagKind, Int, [ClosedRange<Int>])] = [
        (.ntagI2C1K, 0, [0x00...0xE2, 0xE8...0xE9]), (.ntagI2C1K, 3, [0xF8...0xF9]),
        (.ntagI2C2K, 0, [0x00...0xFF]), (.ntagI2C2K, 1, [0x00...0xE0, 0xE8...0xE9]), (.ntagI2C2K, 3, [0xF8...0xF9]),
    ]

    @Test(arguments: mapRows)
    func memoryMap(kind: VirtualTagKind, sector: Int, there: [ClosedRange<Int>]) throws {
        let tag = try kind.type2()
        func selected() -> VirtualType2Tag {
            tag.activate().send("C2 FF")
            tag.send(String(flipperBytes: [UInt8(sector), 0, 0, 0]))
            return tag
        }
        for address in 0...0xFF {
            let hex = String(flipperBytes: [UInt8(address)])
            let isThere = there.contains { $0.contains(address) }
            #expect((selected().send("30 \(hex)") == "NAK 0") == !isThere, "\(hex)")
            #expect((selected().send("3A \(hex) \(hex)") == "NAK 0") == !isThere, "\(hex)")
            if !isThere { #expect(selected().send("A2 \(hex) 00 00 00 00") == "NAK 0", "\(hex)") }
        }
        // FAST_READ stays within the existing blocks.
        let last = there[0].upperBound
        let first = String(flipperBytes: [UInt8(there[0].lowerBound)])
        let count = there[0].count * 4
        #expect(bytes(selected().send("3A \(first) \(String(flipperBytes: [UInt8(last)]))")).count == count)
        if last < 0xFF { #expect(selected().send("3A \(first) \(String(flipperBytes: [UInt8(last + 1)]))") == "NAK 0") }
    }

    @Test func readFillsWithZerosWhereNothingIs() throws {
        let tag = try VirtualTagKind.ntagI2C1K.type2()
        tag.send("A2 E1 01 02 03 04")
        #expect(tag.send("30 E1") == "01 02 03 04 00 00 00 00 00 00 00 00 00 00 00 00")
        #expect(tag.send("30 E8") == "01 00 F8 48 08 01 00 00 00 00 00 00 00 00 00 00")
    }

    @Test func sessionRegistersFollowTheConfigurationAtPowerUpAndAreReadOnly() throws {
        let tag = try VirtualTagKind.ntagI2C1K.type2()
        func session() -> String {
            tag.send("C2 FF")
            tag.send("03 00 00 00")
            return tag.send("3A F8 F9")
        }
        #expect(session() == "01 00 F8 48 08 01 21 00")
        #expect(tag.send("A2 F8 00 00 00 00") == "NAK 0")
        #expect(tag.activate().send("A2 E8 01 05 F8 48") == "ACK")
        #expect(session() == "01 00 F8 48 08 01 21 00")
        tag.activate()
        #expect(session() == "01 05 F8 48 08 01 21 00")
    }

    @Test func regLockMakesTheConfigurationReadOnlyForEver() throws {
        let tag = try VirtualTagKind.ntagI2C1K.type2()
        // The other bit locks for I2C, and byte 3 is reserved.
        #expect(tag.send("A2 E9 08 01 02 FF") == "ACK")
        #expect(tag.send("A2 E9 08 01 01 00") == "ACK")
        #expect(tag.send("3A E9 E9") == "08 01 03 00")
        #expect(tag.send("A2 E9 08 01 00 00") == "NAK 0")
        #expect(tag.activate().send("A2 E8 01 00 F8 48") == "NAK 0")
        #expect(tag.activate().send("A2 E1 00 00 00 01") == "ACK")
    }

    /// Lock bits of sector 1, address E0, for 32 blocks each, counted through both sectors.
    @Test(arguments: [(0, 16...47), (7, 240...271), (14, 464...479)])
    func dynamicLockBitOfThe2KLocks32Blocks(bit: Int, blocks: ClosedRange<Int>) throws {
        let tag = try VirtualTagKind.ntagI2C2K.type2()
        func write(_ block: Int, _ data: String) -> String {
            tag.activate().send("C2 FF")
            tag.send(String(flipperBytes: [UInt8(block / 256), 0, 0, 0]))
            return tag.send("A2 \(String(flipperBytes: [UInt8(block % 256)])) \(data)")
        }
        let lockBits = UInt16(1 << bit)
        #expect(write(480, String(flipperBytes: lockBits.bigEndianBytes.reversed() + [0, 0])) == "ACK")
        for block in 4...479 {
            #expect(write(block, "00 00 00 00") == (blocks.contains(block) ? "NAK 0" : "ACK"), "\(block)")
        }
    }

    /// Pages as Flipper numbers them: 231 and 485, with the registers at the end.
    @Test(arguments: [(VirtualTagKind.ntagI2C1K, "NTAG I2C 1K", 231), (.ntagI2C2K, "NTAG I2C 2K", 485)])
    func fileHasFlippersPages(kind: VirtualTagKind, name: String, pages: Int) throws {
        let text = try kind.file().flipperText
        #expect(text.contains("NTAG/Ultralight type: \(name)\n"))
        #expect(text.contains("Pages total: \(pages)\n"))
        #expect(text.contains("Page \(pages - 4): 01 00 F8 48\nPage \(pages - 3): 08 01 00 00\n"))
        #expect(text.contains("Page \(pages - 2): 01 00 F8 48\nPage \(pages - 1): 08 01 21 00\n"))
    }
}
