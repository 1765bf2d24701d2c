// ISO 15693 tags alone, frame by frame

import Testing
import VirtualPCSC
import VirtualPN532

/// Sends a request to a tag, and returns the answer as hexadecimal text.
///
/// Empty for silence.
private func ask(_ tag: VirtualISO15693Tag, _ request: String) -> String {
    guard case .bytes(let answer) = tag.receive(bytes(request)).answer else { return "" }
    return hex(answer)
}

private func uid(_ tag: VirtualISO15693Tag) -> String { hex(tag.uid.reversed()) }

@Suite struct ISO15693StateTests {
    private let tag = VirtualISO15693Tag(chip: .icodeSLIX2)

    @Test func inventoryFindsTheTagByMaskAndAFI() {
        #expect(ask(tag, "26 01 00") == "00 00 01 00 57 57 08 01 04 E0")
        #expect(ask(tag, "26 01 08 01") == "00 00 01 00 57 57 08 01 04 E0")
        #expect(ask(tag, "26 01 08 02") == "")
        #expect(ask(tag, "36 01 00 00") == "00 00 01 00 57 57 08 01 04 E0")
        #expect(ask(tag, "36 01 07 00") == "")
        #expect(ask(tag, "22 27 \(uid(tag)) 07") == "00")
        #expect(ask(tag, "36 01 07 00").hasPrefix("00 00"))
    }

    @Test func inAnInventoryOfSixteenSlotsTheUIDChoosesTheSlot() {
        #expect(tag.receive(bytes("06 01 00")).slot == 1)
        #expect(tag.receive(bytes("06 01 04 01")).slot == 0)
    }

    @Test func aQuietTagAnswersToItsAddressOnly() {
        #expect(ask(tag, "22 02 \(uid(tag))") == "")
        #expect(ask(tag, "26 01 00") == "")
        #expect(ask(tag, "02 20 00") == "")
        #expect(ask(tag, "22 20 \(uid(tag)) 00") == "00 00 00 00 00")
        #expect(ask(tag, "22 26 \(uid(tag))") == "00")
        #expect(ask(tag, "26 01 00") != "")
    }

    @Test func theFieldEndsQuietAndSelectedStates() {
        _ = ask(tag, "22 02 \(uid(tag))")
        tag.fieldOff()
        #expect(ask(tag, "02 20 00") == "00 00 00 00 00")
        #expect(ask(tag, "12 20 00") == "")
        #expect(ask(tag, "22 25 \(uid(tag))") == "00")
        #expect(ask(tag, "12 20 00") == "00 00 00 00 00")
        tag.fieldOff()
        #expect(ask(tag, "12 20 00") == "")
    }

    @Test func selectingAnotherTagEndsTheSelection() {
        _ = ask(tag, "22 25 \(uid(tag))")
        #expect(ask(tag, "22 25 02 00 57 57 08 01 04 E0") == "")
        #expect(ask(tag, "12 20 00") == "")
    }

    @Test func errorsAreSilentWithoutAddress() {
        #expect(ask(tag, "02 20 C0") == "")
        #expect(ask(tag, "22 20 \(uid(tag)) C0") == "01 10")
        #expect(ask(tag, "22 2F \(uid(tag))") == "01 01")
        #expect(ask(tag, "22 20 \(uid(tag))") == "01 02")
    }

    @Test(arguments: ["", "22", "22 20", "22 20 01 00 57", "26 01", "26 01 FF", "36 01 00", "22 A2", "FF FF FF"])
    func brokenRequestsAreSurvived(request: String) {
        #expect(ask(tag, request) == "")
    }
}

@Suite struct ISO15693MemoryTests {
    @Test func lockedBlocksStay() {
        let tag = VirtualISO15693Tag(chip: .icodeSLIX)
        #expect(ask(tag, "22 21 \(uid(tag)) 03 01 02 03 04") == "00")
        #expect(ask(tag, "22 22 \(uid(tag)) 03") == "00")
        #expect(ask(tag, "22 22 \(uid(tag)) 03") == "01 11")
        #expect(ask(tag, "22 21 \(uid(tag)) 03 05 06 07 08") == "01 12")
        #expect(ask(tag, "22 2C \(uid(tag)) 02 02") == "00 00 01 00")
        #expect(ask(tag, "62 20 \(uid(tag)) 03") == "00 01 01 02 03 04")
        #expect(ask(tag, "62 23 \(uid(tag)) 02 01") == "00 00 00 00 00 00 01 01 02 03 04")
    }

    @Test func readsBeyondTheEndAreCutByICODEOnly() {
        let icode = VirtualISO15693Tag(chip: .icodeSLIX)
        #expect(ask(icode, "22 23 \(uid(icode)) 1B 01") == "00 00 00 00 00")
        #expect(ask(icode, "22 23 \(uid(icode)) 1C 00") == "01 10")
        let st = VirtualISO15693Tag(chip: .st25TV02K)
        #expect(ask(st, "22 23 \(uid(st)) 3F 01") == "01 10")
    }

    @Test func extendedCommandsReachBlocksBeyond255() {
        let tag = VirtualISO15693Tag(chip: .st25DV64K)
        #expect(ask(tag, "22 31 \(uid(tag)) FF 07 0A 0B 0C 0D") == "00")
        #expect(ask(tag, "22 30 \(uid(tag)) FF 07") == "00 0A 0B 0C 0D")
        #expect(ask(tag, "22 33 \(uid(tag)) FE 07 01 00") == "00 00 00 00 00 0A 0B 0C 0D")
        #expect(ask(tag, "22 30 \(uid(tag)) 00 08") == "01 10")
        #expect(Array(tag.contents.suffix(4)) == [0x0A, 0x0B, 0x0C, 0x0D])
    }

    @Test func informationTellsTheSizeWhereItFits() {
        let small = VirtualISO15693Tag(chip: .st25DV04K)
        #expect(ask(small, "22 2B \(uid(small))") == "00 0F \(uid(small)) 00 00 7F 03 24")
        let large = VirtualISO15693Tag(chip: .st25DV64K)
        #expect(ask(large, "22 2B \(uid(large))") == "00 0B \(uid(large)) 00 00 26")
        #expect(ask(large, "22 3B 0F \(uid(large))") == "00 0F \(uid(large)) 00 00 FF 07 03 26")
        #expect(ask(large, "22 3B 04 \(uid(large))") == "00 04 \(uid(large)) FF 07 03")
        let myD = VirtualISO15693Tag(chip: .myD)
        #expect(ask(myD, "22 2B \(uid(myD))") == "01 01")
    }

    @Test func oldSTChipsWantTheProtocolExtension() {
        let tag = VirtualISO15693Tag(chip: .m24LR64)
        #expect(ask(tag, "2A 21 \(uid(tag)) 00 04 01 02 03 04") == "00")
        #expect(ask(tag, "2A 20 \(uid(tag)) 00 04") == "00 01 02 03 04")
        #expect(ask(tag, "22 20 \(uid(tag)) 00") == "01 0F")
        #expect(ask(tag, "2A 2B \(uid(tag))") == "00 0F \(uid(tag)) 00 00 FF 07 03 2C")
        #expect(ask(tag, "2A 23 \(uid(tag)) 1F 00 01") == "01 0F")
    }

    @Test func tagItAnswersToWritesAfterTheEOF() {
        let tag = VirtualISO15693Tag(chip: .tagItHFI)
        #expect(ask(tag, "22 21 \(uid(tag)) 01 01 02 03 04") == "01 03")
        #expect(ask(tag, "62 21 \(uid(tag)) 01 01 02 03 04") == "")
        #expect(ask(tag, "") == "00")
        #expect(ask(tag, "") == "")
        #expect(ask(tag, "22 20 \(uid(tag)) 01") == "00 01 02 03 04")
    }

    @Test(arguments: ISO15693Chip.all) func everyChipKeepsWhatIsWritten(chip: ISO15693Chip) {
        let tag = VirtualISO15693Tag(chip: chip)
        let flags = chip.id == "m24lr64" ? "2A" : chip.id == "tag-it-hf-i" ? "62" : "22"
        let block = chip.id == "m24lr64" ? "02 00" : "02"
        let data = hex((0..<chip.blockSize).map { UInt8($0 + 1) })
        let answer = ask(tag, "\(flags) 21 \(uid(tag)) \(block) \(data)")
        #expect(answer == "00" || ask(tag, "") == "00")
        let read = chip.id == "m24lr64" ? "2A" : "22"
        #expect(ask(tag, "\(read) 20 \(uid(tag)) \(block)") == "00 \(data)")
        #expect(tag.generation == 1)
    }

    @Test func aTornWriteLeavesOldAndNewBytes() {
        let (old, new): (Set<UInt8>, Set<UInt8>) = ([0], [0xA1, 0xB2, 0xC3, 0xD4])
        var kinds: Set<Bool> = []
        for serial in 1...20 as ClosedRange<UInt16> {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2, serial: serial)
            tag.receiveTorn(bytes("22 21 \(uid(tag)) 05 A1 B2 C3 D4"))
            let left = Array(tag.contents[20..<24])
            #expect(old.union(new).isSuperset(of: left))
            kinds.insert(left == [0xA1, 0xB2, 0xC3, 0xD4] || left == [0, 0, 0, 0])
        }
        #expect(kinds.contains(false))
    }
}

@Suite struct ISO15693CustomTests {
    /// Presents a password of the ICODE family.
    private func give(_ tag: VirtualISO15693Tag, _ id: String, _ password: String) -> String {
        let random = bytes(ask(tag, "22 B2 04 \(uid(tag))")).dropFirst()
        let combined = zip(bytes(password), random + random).map { $0 ^ $1 }
        return ask(tag, "22 B3 04 \(uid(tag)) \(id) \(hex(combined))")
    }

    @Test func aPageOfTheSLIX2IsProtectedByPasswords() {
        let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
        #expect(give(tag, "01", "00 00 00 00") == "00")
        #expect(give(tag, "02", "00 00 00 00") == "00")
        #expect(ask(tag, "22 B4 04 \(uid(tag)) 02 11 22 33 44") == "00")
        #expect(ask(tag, "22 B6 04 \(uid(tag)) 10 20") == "00")
        tag.fieldOff()
        #expect(ask(tag, "22 21 \(uid(tag)) 10 01 02 03 04") == "01 0F")
        #expect(ask(tag, "22 21 \(uid(tag)) 0F 01 02 03 04") == "00")
        #expect(give(tag, "02", "11 22 33 44") == "00")
        #expect(ask(tag, "22 21 \(uid(tag)) 10 01 02 03 04") == "00")
    }

    @Test func aWrongPasswordSilencesTheTagUntilItLosesPower() {
        let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
        #expect(give(tag, "02", "00 00 00 01") == "01 0F")
        #expect(ask(tag, "22 20 \(uid(tag)) 00") == "")
        tag.fieldOff()
        #expect(ask(tag, "22 20 \(uid(tag)) 00") == "00 00 00 00 00")
    }

    @Test func theCounterOfTheSLIX2Counts() {
        let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
        #expect(ask(tag, "22 21 \(uid(tag)) 4F 01 00 00 00") == "00")
        #expect(ask(tag, "22 21 \(uid(tag)) 4F 01 00 00 00") == "00")
        #expect(ask(tag, "22 20 \(uid(tag)) 4F") == "00 02 00 00 00")
        #expect(ask(tag, "22 21 \(uid(tag)) 4F 00 00 00 00") == "01 0F")
    }

    @Test func privacyHidesTheTag() {
        let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
        let random = bytes(ask(tag, "22 B2 04 \(uid(tag))")).dropFirst()
        let password = zip([0x0F, 0x0F, 0x0F, 0x0F], random + random).map { $0 ^ $1 }
        #expect(ask(tag, "22 BA 04 \(uid(tag)) \(hex(password))") == "00")
        #expect(ask(tag, "26 01 00") == "")
        tag.fieldOff()
        #expect(ask(tag, "26 01 00") == "")
        #expect(give(tag, "04", "0F 0F 0F 0F") == "00")
        #expect(ask(tag, "26 01 00") != "")
    }

    @Test func areasOfTheST25DVAreProtectedByPasswords() {
        let tag = VirtualISO15693Tag(chip: .st25DV04K)
        #expect(ask(tag, "22 A1 02 \(uid(tag)) 04 05") == "01 12")
        #expect(ask(tag, "22 B3 02 \(uid(tag)) 00 00 00 00 00 00 00 00 00") == "00")
        // Password 1 for writing to area 1.
        #expect(ask(tag, "22 A1 02 \(uid(tag)) 04 05") == "00")
        #expect(ask(tag, "22 21 \(uid(tag)) 04 01 02 03 04") == "01 12")
        #expect(ask(tag, "22 B3 02 \(uid(tag)) 01 00 00 00 00 00 00 00 01") == "01 0F")
        #expect(ask(tag, "22 B3 02 \(uid(tag)) 01 00 00 00 00 00 00 00 00") == "00")
        #expect(ask(tag, "22 21 \(uid(tag)) 04 01 02 03 04") == "00")
        #expect(ask(tag, "22 C0 02 \(uid(tag)) 04") == "00 01 02 03 04")
    }
}
