// MIFARE Plus EV1 in security level 3 before authentication — NXP MF1P(H)x1, AN10833

import Testing

@testable import VirtualPN532

@Suite struct MIFAREPlusTests {
    private static let uid = "04 31 57 1F 00 01 80"
    private static let hardware = "04 02 01 11 00 18 04"
    private static let software = "04 02 01 01 00 18 04"
    private static let production = uid + " BA 54 90 DB 80 21 14"

    private func send(_ card: inout MIFAREPlusCard, _ command: String) -> String {
        hex(card.execute(bytes(command)) { $0 })
    }

    @Test func versionComesInThreeFramesNativeAndWrapped() {
        var card = MIFAREPlusCard(uid: bytes(Self.uid))
        #expect(send(&card, "60") == "AF " + Self.hardware)
        #expect(send(&card, "AF") == "AF " + Self.software)
        #expect(send(&card, "AF") == "90 " + Self.production)
        #expect(send(&card, "AF") == "0B")
        #expect(send(&card, "90 60 00 00 00") == Self.hardware + " 91 AF")
        #expect(send(&card, "90 AF 00 00 00") == Self.software + " 91 AF")
        #expect(send(&card, "90 AF 00 00 00") == Self.production + " 91 90")
        #expect(send(&card, "90 AF 00 00 00") == "91 0B")
    }

    /// WritePerso and Read are not permitted in this state (0B), and wrong lengths give 0C.
    @Test(arguments: [
        ("A8 00 90 00", "0B"), ("30 00 00 01", "0B"), ("70 00 40 00", "0B"), ("6A", "0B"), ("5A 00 00 00", "0B"),
        ("60 00", "0C"), ("", "0C"), ("90", "91 0C"), ("90 60 00", "91 0C"), ("90 60 01 00 00", "91 0C"),
        ("90 60 00 00 01 00 00", "91 0C"), ("90 6A 00 00 00", "91 0B"), ("00 A4 04 00 00", "0B"),
    ])
    func errorsHaveTheirStatus(command: String, status: String) {
        var card = MIFAREPlusCard(uid: bytes(Self.uid))
        #expect(send(&card, command) == status)
    }

    @Test(arguments: ["6A", "60 00", "AF 00", "90 AF 01 00 00"])
    func anotherCommandEndsTheVersion(command: String) {
        var card = MIFAREPlusCard(uid: bytes(Self.uid))
        #expect(send(&card, "60").hasPrefix("AF"))
        _ = send(&card, command)
        #expect(send(&card, "AF") == "0B")
        #expect(send(&card, "60").hasPrefix("AF"))
        card.powerOff()
        #expect(send(&card, "AF") == "0B")
    }

    @Test func theChipReadsTheVersion() {
        let bench = ChipBench([VirtualTagKind.mifarePlus.make(uid: bytes(Self.uid))])
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01 01 00 42 20 07 " + Self.uid))
        #expect(bench.answer("40 01 60") == "41 00 AF " + Self.hardware)
        #expect(bench.answer("40 01 AF") == "41 00 AF " + Self.software)
        #expect(bench.answer("40 01 AF") == "41 00 90 " + Self.production)
    }

    @Test func aUIDOfFourBytesHasItsOwnATQA() {
        let bench = ChipBench([VirtualMIFAREPlusTag(nfcID1: bytes("1E 7E 0F 03"))])
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01 01 00 02 20 04 1E 7E 0F 03 0C 75 77 80 02 C1 05 21 30"))
    }
}
