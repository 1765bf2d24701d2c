// The chip with tags that are not of type A — NXP UM0701-02; ISO/IEC 14443-3 type B, JIS X 6319-4

import Testing

@testable import VirtualPN532

/// Listing, polling, exchanging and faults with type B and FeliCa tags.
struct TechnologyTests {
    private static let pupi = octets("5E 01 02 03")
    private static let idm = octets("02 FE 01 02 03 04 05 06")
    private static let pmm = "00 FF 00 00 00 01 43 00"
    /// ATQB, and ATTRIB_RES `01`: MBLI 0, CID 1.
    private static let typeBData = "50 5E 01 02 03 00 00 00 00 00 81 71 01 01"
    private static let polled = "12 01 02 FE 01 02 03 04 05 06 " + pmm
    private static let readAttributes = "10 06 02 FE 01 02 03 04 05 06 01 0B 00 01 80 00"
    private static let attributes = "1D 07 02 FE 01 02 03 04 05 06 00 00 01 10 0C 08 00 40"
    private static let selectNDEF = "00 A4 04 00 07 D2 76 00 00 85 01 01"

    private func bench(_ tags: [any VirtualTag]? = nil, fault: (name: String, number: Int)? = nil) throws -> ChipBench {
        var faults = Faults()
        if let fault { try faults.apply(fault.name, String(fault.number)) }
        let bench = ChipBench(
            tags ?? [VirtualType4BTag(pupi: Self.pupi), VirtualType3Tag(idm: Self.idm)], faults: faults)
        _ = bench.answer("32 05 FF 01 02")
        return bench
    }

    // MARK: Checksums

    /// ISO/IEC 14443-3 annex B: CRC_A of `12 34` is `26 CF`.
    ///
    /// CRC_B of `00 00 00` is `CC C6`, and that of `0F AA FF` is `FC D1`.
    @Test func checksumsOfTheStandards() {
        #expect(hex(Checksum.typeA(octets("12 34"))) == "26 CF")
        #expect(hex(Checksum.typeB(octets("00 00 00"))) == "CC C6")
        #expect(hex(Checksum.typeB(octets("0F AA FF"))) == "FC D1")
        let frame = octets("06 00 FF FF 00 00")
        #expect(Checksum.feliCa.stripped(frame + Checksum.feliCa(frame)) == frame)
        for checksum in [Checksum.typeA, .typeB, .feliCa] {
            #expect(checksum.stripped([]) == nil)
            #expect(checksum.stripped([0x00, 0x00]) == nil)
        }
    }

    // MARK: Finding

    @Test(arguments: [
        ("4A 01 03 00", "4B 01 01 " + typeBData), ("4A 02 03 00", "4B 01 01 " + typeBData),
        ("4A 01 03 00 01", "4B 01 01 " + typeBData), ("4A 01 03 20", "4B 00"),
        ("4A 01 01 00 FF FF 00 00", "4B 01 01 " + polled), ("4A 02 02 00 FF FF 00 00", "4B 01 01 " + polled),
        ("4A 01 01 00 12 FC 01 00", "4B 01 01 14" + polled.dropFirst(2) + " 12 FC"),
        ("4A 01 01 00 88 B4 00 00", "4B 00"), ("4A 01 00", "4B 00"), ("4A 01 04", "4B 00"),
    ])
    func eachTechnologyIsListedByItsType(command: String, answer: String) throws {
        #expect(try bench().answer(command) == answer)
    }

    /// InAutoPoll reports the first type, in the order of the command, for which there is a target.
    @Test(arguments: [
        ("60 01 01 23", "61 01 23 0F 01 " + typeBData), ("60 01 01 03", "61 01 23 0F 01 " + typeBData),
        ("60 01 01 11", "61 01 11 13 01 " + polled), ("60 01 01 12", "61 01 12 13 01 " + polled),
        ("60 01 01 01", "61 01 11 13 01 " + polled), ("60 01 01 20 10 23 11 12 04", "61 01 23 0F 01 " + typeBData),
        ("60 01 01 04 12 23", "61 01 12 13 01 " + polled), ("60 01 01 40 41 42 80 81 82", "no answer"),
    ])
    func autoPollNamesTheType(command: String, answer: String) throws {
        #expect(try bench().answer(command) == answer)
    }

    @Test func severalTypeBTagsAreSortedBySlots() throws {
        let tags = [1, 2, 3].map { VirtualTagKind.type4b.make(serial: $0) }
        let bench = try bench(tags)
        var found: Set<[UInt8]> = []
        #expect(bench.answer("4A 02 03 00").hasPrefix("4B 02 01 50"))
        // The two tags are in HALT now, and the field stays on.
        let third = octets(bench.answer("4A 02 03 00"))
        #expect(third.count > 8)
        found.insert(Array(third.dropFirst(4).prefix(4)))
        #expect(found.isSubset(of: Set(tags.map(\.identifier))))
    }

    @Test func severalFeliCaTagsNeedTimeSlots() throws {
        let tags = (1...2).map { VirtualTagKind.type3.make(serial: $0) }
        let slots = tags.map { $0.receive(octets("06 00 FF FF 00 0F")).slot }
        try #require(slots[0] != slots[1])
        let bench = try bench(tags)
        #expect(bench.answer("4A 02 01 00 FF FF 00 00") == "4B 00")
        #expect(bench.answer("4A 02 01 00 FF FF 00 0F").hasPrefix("4B 02 01 12 01 02 FE"))
        for number in ["01", "02"] {
            let idm = hex(tags[(slots[0] < slots[1]) == (number == "01") ? 0 : 1].identifier)
            #expect(
                bench.answer("40 \(number) 10 06 \(idm) 01 0B 00 01 80 00").hasPrefix("41 00 1D 07 \(idm) 00 00 01"))
        }
    }

    @Test func theRegistersFollowTheTechnology() throws {
        let bench = try bench()
        for (command, mode) in [
            ("4A 01 03 00", "83"), ("4A 01 01 00 FF FF 00 00", "92"), ("4A 01 02 00 FF FF 00 00", "A2"),
            ("4A 01 00", "80"),
        ] {
            _ = bench.answer(command)
            #expect(bench.answer("06 63 02 63 03") == "07 \(mode) \(mode)")
        }
    }

    @Test func theGeneralStatusTellsTheModulation() throws {
        let bench = try bench()
        _ = bench.answer("4A 01 02 00 FF FF 00 00")
        #expect(bench.answer("04") == "05 00 00 01 01 02 02 10 80")
        _ = bench.answer("4A 01 03 00")
        #expect(bench.answer("04") == "05 00 00 01 01 00 00 00 80")
    }

    // MARK: Exchanging

    @Test func feliCaCommandsCarryTheirLengthBothWays() throws {
        let bench = try bench()
        #expect(bench.answer("4A 01 01 00 FF FF 00 00").hasPrefix("4B 01"))
        #expect(bench.answer("40 01 " + Self.readAttributes).hasPrefix("41 00 " + Self.attributes))
        #expect(bench.answer("42 " + Self.readAttributes).hasPrefix("43 00 " + Self.attributes))
        #expect(bench.answer("42 06 00 FF FF 00 00") == "43 00 " + Self.polled)
        #expect(bench.answer("40 01") == "41 10")
        // Another tag's IDm, and 424 kbit/s set in the registers.
        #expect(bench.answer("40 01 10 06 02 FE 01 02 03 04 05 07 01 0B 00 01 80 00") == "41 01")
        _ = bench.answer("08 63 02 A2 63 03 A2")
        #expect(bench.answer("42 " + Self.readAttributes).hasPrefix("43 00 " + Self.attributes))
    }

    @Test func withoutTheCRCOfTheChipTheHostsCounts() throws {
        let bench = try bench()
        _ = bench.answer("4A 01 01 00 FF FF 00 00")
        _ = bench.answer("08 63 02 12 63 03 12")
        let poll = octets("06 00 FF FF 00 00")
        #expect(bench.answer("42 " + hex(poll)) == "43 01")
        let answer = octets(bench.answer("42 " + hex(poll + Checksum.feliCa(poll))))
        #expect(Checksum.feliCa.stripped(Array(answer.dropFirst(2))).map(hex) == Self.polled)
    }

    @Test func typeBSpeaksISODEPWithItsCID() throws {
        let bench = try bench()
        #expect(bench.answer("4A 01 03 00").hasPrefix("4B 01"))
        #expect(bench.answer("40 01 " + Self.selectNDEF) == "41 00 90 00")
        #expect(bench.answer("40 01 00 A4 00 0C 02 E1 03") == "41 00 90 00")
        #expect(bench.answer("40 01 00 B0 00 00 0F") == "41 00 00 0F 20 00 FF 00 FF 04 06 E1 04 08 00 00 00 90 00")
        #expect(bench.answer("00 06") == "01 00")
        // No tag answers a block without CID. R(NAK) with the CID checks for presence.
        #expect(bench.answer("42 B2") == "43 01")
        #expect(bench.answer("42 BB 01").hasPrefix("43 00 "))
    }

    /// nfcpy takes over the tag from the firmware: S(DESELECT) with CID 1, WUPB, and its own ATTRIB without CID.
    @Test func theHostMayActivateTypeBByItself() throws {
        let bench = try bench()
        _ = bench.answer("4A 01 03 00")
        #expect(bench.answer("42 CA 01") == "43 00 CA 01")
        #expect(bench.answer("42 05 00 00") == "43 01")
        #expect(bench.answer("42 05 00 08") == "43 00 50 5E 01 02 03 00 00 00 00 00 81 71")
        #expect(bench.answer("42 1D 5E 01 02 03 00 08 01 00") == "43 00 00")
        #expect(bench.answer("42 02 " + Self.selectNDEF) == "43 00 02 90 00")
        #expect(bench.answer("42 05 00 08") == "43 01")
    }

    @Test func aDeselectedTargetIsWokenByItsNumber() throws {
        let bench = try bench([1, 2].map { VirtualTagKind.type4b.make(serial: $0) })
        #expect(bench.answer("4A 02 03 00").hasPrefix("4B 02"))
        for tg in ["01", "02", "01"] {
            #expect(bench.answer("40 \(tg) " + Self.selectNDEF) == "41 00 90 00")
            #expect(bench.answer("44 \(tg)") == "45 00")
        }
        #expect(bench.answer("54 02") == "55 00")
        #expect(bench.answer("52 00") == "53 00")
        #expect(bench.answer("40 01 " + Self.selectNDEF) == "41 27")
        // WUPB for one tag also wakes the other tag, which REQB finds after that.
        #expect(bench.answer("4A 02 03 00").hasPrefix("4B 01"))
    }

    @Test func theEndOfTheFieldEndsHalt() throws {
        let bench = try bench()
        _ = bench.answer("4A 01 03 00")
        _ = bench.answer("44 00")
        #expect(bench.answer("4A 01 03 00") == "4B 00")
        _ = bench.answer("32 01 00")
        #expect(bench.answer("4A 01 03 00").hasPrefix("4B 01"))
    }

    @Test func hltbIsAnswered() throws {
        let bench = try bench()
        _ = bench.answer("08 63 02 83 63 03 83")
        #expect(bench.answer("42 05 00 00").hasPrefix("43 00 50"))
        #expect(bench.answer("42 50 5E 01 02 04") == "43 01")
        #expect(bench.answer("42 50 5E 01 02 03") == "43 00 00")
        #expect(bench.answer("42 1D 5E 01 02 03 00 08 01 00") == "43 01")
        #expect(bench.answer("42 05 00 00") == "43 01")
        // APGEN, INITIATE and REQT of technologies other than type B.
        for frame in ["01 0B 3F 80", "06 00", "10"] { #expect(bench.answer("42 " + frame) == "43 01") }
    }

    // MARK: Faults, statistics, streams

    @Test(arguments: ["loss", "nak", "crc", "tear"], ["4A 01 03 00", "4A 01 01 00 FF FF 00 00"])
    func faultsStrikeTheCommandTheyName(fault: String, list: String) throws {
        let command = list.hasPrefix("4A 01 03") ? "42 BA 01" : "42 " + Self.readAttributes
        let bench = try bench(fault: (fault, 2))
        _ = bench.answer(list)
        #expect(bench.answer(command).hasPrefix("43 00"))
        let struck = bench.answer(command)
        switch fault {
        case "loss": #expect(struck.hasPrefix("43 00"))
        case "crc": #expect(struck == "43 02")
        default: #expect(struck == "43 01")
        }
        let isGone = fault == "loss" || fault == "tear"
        #expect(bench.answer(command).hasPrefix(isGone ? "43 01" : "43 00"))
        #expect(bench.statistics.value.tagCommands == (isGone ? 2 : 3))
    }

    @Test func aTornUpdateIsInTheFile() throws {
        let tag = VirtualType4BTag(pupi: Self.pupi)
        let bench = try bench([tag], fault: ("tear", 3))
        _ = bench.answer("4A 01 03 00")
        #expect(bench.answer("40 01 " + Self.selectNDEF) == "41 00 90 00")
        #expect(bench.answer("40 01 00 A4 00 0C 02 E1 04") == "41 00 90 00")
        #expect(bench.answer("40 01 00 D6 00 02 08 FF FF FF FF FF FF FF FF") == "41 01")
        let written = tag.ndefFile[2..<10].prefix { $0 == 0xFF }.count
        #expect(tag.ndefFile.dropFirst(2 + written).allSatisfy { $0 == 0x00 })
    }

    @Test func activationAndPollingAreNoCommands() throws {
        let bench = try bench()
        for list in ["4A 01 03 00", "4A 01 01 00 FF FF 00 00", "4A 01 00"] { _ = bench.answer(list) }
        #expect(bench.statistics.value.tagCommands == 0)
        #expect(bench.statistics.value.rfBytesReceived > 0)
    }

    @Test func aStreamGoesOnAfterAUsedTag() throws {
        let tags = [VirtualTagKind.type3.make(serial: 1), VirtualTagKind.type4b.make(serial: 1)]
        let bench = ChipBench(Field(stream: tags, dwell: .milliseconds(10), gap: .milliseconds(10)))
        _ = bench.answer("32 05 FF 01 02")
        #expect(bench.answer("4A 01 03 00") == "4B 00")
        #expect(bench.answer("4A 01 01 00 FF FF 00 00").hasPrefix("4B 01"))
        #expect(bench.answer("42 10 06 " + hex(tags[0].identifier) + " 01 0B 00 01 80 00").hasPrefix("43 00"))
        bench.clock.advance(by: .milliseconds(20))
        for _ in 0..<2 { #expect(bench.answer("4A 01 01 00 FF FF 00 00").hasPrefix("4B 01")) }
        #expect(bench.answer("4A 01 01 00 FF FF 00 00") == "4B 00")
        bench.clock.advance(by: .milliseconds(20))
        #expect(bench.answer("4A 01 03 00").hasPrefix("4B 01"))
    }
}
