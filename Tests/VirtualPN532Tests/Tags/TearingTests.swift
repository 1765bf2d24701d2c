// Power failures while a command executes — NXP data sheets, tearing protection of WRITE

import Testing
@testable import VirtualPN532

@Suite struct TearingTests {
    @Test func tornUserBlockMixesOldAndNewBytesAndAnswersNothing() throws {
        var seen: Set<[UInt8]> = []
        for serial in 0..<64 {
            let tag = try VirtualTagKind.ntag213.type2(serial: serial)
            tag.send("A2 10 11 11 11 11")
            tag.receiveTorn(bytes("A2 10 22 22 22 22"))
            let block = Array(tag.contents[64..<68])
            #expect(block.allSatisfy { $0 == 0x11 || $0 == 0x22 })
            seen.insert(block)
            #expect(tag.send("30 00") == "-")
        }
        #expect(seen.count > 4)
    }

    @Test func theSameTagTearsInTheSameWay() throws {
        func torn() throws -> [UInt8] {
            let tag = try VirtualTagKind.ntag216.type2(serial: 77)
            for block in ["10", "11", "12", "13"] { tag.activate().receiveTorn(bytes("A2 \(block) 01 02 03 04")) }
            return tag.contents
        }
        #expect(try torn() == torn())
    }

    @Test(arguments: [
        ("A2 02 00 00 F8 FF", 8, "48 F8 FF"), ("A2 03 00 00 00 0F", 12, "10 12 0F"),
        ("A2 28 FF 0F 3F 00", 160, "0F 3F BD"),
    ])
    func lockBitsAndCapabilityContainerAreOldOrNew(command: String, offset: Int, new: String) throws {
        var seen: Set<[UInt8]> = []
        for serial in 0..<32 {
            let tag = try VirtualTagKind.ntag213.type2(serial: serial)
            let old = Array(tag.contents[offset + 1..<offset + 4])
            tag.receiveTorn(bytes(command))
            let block = Array(tag.contents[offset + 1..<offset + 4])
            #expect(block == old || block == bytes(new))
            seen.insert(block)
        }
        #expect(seen.count == 2)
    }

    @Test(arguments: [VirtualTagKind.ntag203, .ultralightC])
    func oneWayCounterIsOldOrNew(kind: VirtualTagKind) throws {
        var seen: Set<[UInt8]> = []
        for serial in 0..<32 {
            let tag = try kind.type2(serial: serial)
            tag.send("A2 29 FF 01 00 00")
            tag.receiveTorn(bytes("A2 29 02 00 00 00"))
            seen.insert(Array(tag.contents[164..<168]))
        }
        #expect(seen == [[0xFF, 0x01, 0x00, 0x00], [0x01, 0x02, 0x00, 0x00]])
    }

    @Test func tornWriteToALockedBlockChangesNothing() throws {
        let tag = try VirtualTagKind.ntag215ReadOnly.type2()
        let before = tag.contents
        tag.receiveTorn(bytes("A2 04 FF FF FF FF"))
        #expect(tag.contents == before && tag.generation == 0)
    }

    @Test func tornCompatibilityWriteTearsItsSecondPart() throws {
        let tag = try VirtualTagKind.ultralight.type2()
        tag.receiveTorn(bytes("A0 07"))
        #expect(tag.generation == 0)
        tag.activate().send("A0 07")
        tag.receiveTorn([UInt8](repeating: 0xFF, count: 16))
        #expect(tag.contents[28..<32].allSatisfy { $0 == 0x00 || $0 == 0xFF })
        #expect(tag.contents[..<28].filter { $0 == 0xFF }.isEmpty)
    }

    @Test func tornCounterIsOldOrNewAndFlagsTheTear() throws {
        for serial in 0..<8 {
            let tag = try VirtualTagKind.ultralightEV1.type2(serial: serial)
            tag.receiveTorn(bytes("A5 00 05 00 00 00"))
            #expect([0, 5].contains(tag.counters[0]))
            #expect(tag.activate().send("3E 00") == "00")
            tag.send("A5 00 01 00 00 00")
            #expect(tag.send("3E 00") == "BD")
        }
    }

    @Test func tornUpdateBinaryStoresAPrefix() throws {
        var lengths: Set<Int> = []
        for serial in 0..<64 {
            let tag = try VirtualTagKind.type4.type4(serial: serial)
            tag.send("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00")
            tag.send("03 00 A4 00 0C 02 E1 04")
            tag.receiveTorn(bytes("02 00 D6 00 02 08 01 01 01 01 01 01 01 01"))
            let body = tag.ndefFile[2..<10]
            let stored = body.prefix { $0 == 0x01 }.count
            #expect(body.dropFirst(stored).allSatisfy { $0 == 0 })
            lengths.insert(stored)
            #expect(tag.send("B2") == "-")
        }
        #expect(lengths.isSubset(of: Set(0...8)) && lengths.count > 5)
    }
}
