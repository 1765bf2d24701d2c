// Block exchanges of ISO-DEP — ISO/IEC 14443-4, block handling rules and the scenarios of annex B

import Testing
@testable import VirtualPN532

@Suite struct ISODEPLinkTests {
    /// Sends the reader's frames, and compares the tag's answers.
    private func exchange(_ lines: [(String, String)], _ tag: VirtualType4Tag) {
        for (index, (command, answer)) in lines.enumerated() {
            #expect(tag.send(command) == answer, "exchange \(index): \(command)")
        }
    }

    private func selected() throws -> VirtualType4Tag {
        let tag = try #require(VirtualTagKind.type4.make() as? VirtualType4Tag)
        return tag.activate()
    }

    @Test func ratsGivesTheATSAndOpensTheProtocol() throws {
        let tag = try selected()
        exchange(
            [
                ("E0 80", "06 77 77 71 02 80"),
                // The first I-block has number 0 on both sides.
                ("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "02 90 00"),
                ("03 00 A4 00 0C 02 E1 03", "03 90 00"),
                ("02 00 B0 00 00 0F", "02 00 0F 20 00 FF 00 FF 04 06 E1 04 08 00 00 00 90 00"),
            ], tag)
    }

    @Test(arguments: ["E0", "E0 8F", "02 00 A4 04 00", "30 00", "B2", "C2", ""])
    func withoutRATSNothingAnswersAndTheTagGoesIdle(frame: String) throws {
        let tag = try selected()
        #expect(tag.send(frame) == "-")
        #expect(tag.send("E0 80") == "-")
        #expect(tag.poll(wakeUp: false))
    }

    @Test func presenceCheckRNAKGivesRACK() throws {
        let tag = try VirtualTagKind.type4.type4()
        exchange(
            [
                ("B2", "A3"), ("B2", "A3"),
                ("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "02 90 00"),
                // The reader's next number is 1. R(NAK)1 differs from the tag's 0, so the tag acknowledges (rule 12).
                ("B3", "A2"),
                ("03 00 A4 00 0C 02 E1 03", "03 90 00"),
            ], tag)
    }

    @Test func lostAnswerIsSentAgainWithoutExecutingTwice() throws {
        let tag = try VirtualTagKind.type4.type4()
        exchange(
            [
                ("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "02 90 00"),
                ("03 00 A4 00 0C 02 E1 04", "03 90 00"),
                ("02 00 D6 00 00 02 00 05", "02 90 00"),
                ("B2", "02 90 00"), ("B2", "02 90 00"),
                ("03 00 B0 00 00 02", "03 00 05 90 00"),
            ], tag)
        #expect(tag.generation == 1)
    }

    @Test func chainedCommandIsAcknowledgedBlockByBlock() throws {
        let tag = try VirtualTagKind.type4.type4()
        exchange(
            [
                ("12 00 A4 04 00 07", "A2"),
                // After R(NAK) with the number of the acknowledged block, the tag repeats R(ACK).
                ("B2", "A2"),
                ("13 D2 76 00 00", "A3"),
                ("02 85 01 01 00", "02 90 00"),
            ], tag)
    }

    @Test func longAnswerIsChainedToTheReadersFrameSize() throws {
        let tag = try #require(VirtualTagKind.type4.make() as? VirtualType4Tag)
        tag.activate()
        // FSDI 0 means frames of 16 bytes, of which 13 are information.
        exchange(
            [
                ("E0 00", "06 77 77 71 02 80"),
                ("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "02 90 00"),
                ("03 00 A4 00 0C 02 E1 03", "03 90 00"),
                ("02 00 B0 00 00 0F", "12 00 0F 20 00 FF 00 FF 04 06 E1 04 08 00"),
                // The reader did not understand the block. After R(NAK)0, the tag sends the block again.
                ("B2", "12 00 0F 20 00 FF 00 FF 04 06 E1 04 08 00"),
                ("A3", "03 00 00 90 00"),
                ("A2", "-"),
                ("B3", "03 00 00 90 00"),
                ("02 00 B0 00 0D 02", "02 00 00 90 00"),
            ], tag)
    }

    @Test func cidIsKeptToAndEchoed() throws {
        let tag = try selected()
        exchange(
            [
                ("E0 83", "06 77 77 71 02 80"),
                ("0A 03 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "0A 03 90 00"),
                // Another tag's CID, and no CID.
                ("0B 04 00 A4 00 0C 02 E1 03", "-"),
                ("03 00 A4 00 0C 02 E1 03", "-"),
                ("0B 03 00 A4 00 0C 02 E1 03", "0B 03 90 00"),
                ("BA 03", "AB 03"),
                ("CA 03", "CA 03"),
            ], tag)
    }

    @Test func ppsIsAcceptedRightAfterRATSOnly() throws {
        let tag = try VirtualTagKind.type4.type4()
        exchange(
            [("D0 11 00", "D0"), ("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "02 90 00"), ("D0 11 00", "-")], tag)
    }

    @Test func deselectHaltsTheTag() throws {
        let tag = try VirtualTagKind.type4.type4()
        exchange([("C2", "C2"), ("B2", "-")], tag)
        #expect(!tag.poll(wakeUp: false))
        #expect(tag.poll(wakeUp: true))
        tag.select()
        #expect(tag.send("E0 80").hasPrefix("06"))
    }

    @Test func openProtocolIgnoresPollsAndHLTA() throws {
        let tag = try VirtualTagKind.type4.type4()
        #expect(!tag.poll(wakeUp: true))
        tag.halt()
        tag.deselect()
        exchange([("50 00", "-"), ("E0 80", "-"), ("30 00", "-"), ("B2", "A3")], tag)
        tag.fieldOff()
        #expect(tag.poll(wakeUp: false))
    }

    @Test func frameBeyondFSCIsIgnored() throws {
        let tag = try VirtualTagKind.type4.type4()
        // FSCI 7 means 128 bytes with CRC.
        #expect(tag.receive([0x02] + [UInt8](repeating: 0, count: 126)).answer == .silence)
        #expect(tag.receive([0x12] + [UInt8](repeating: 0, count: 125)).answer == .bytes([0xA2]))
    }

    @Test(arguments: ["06 00 00 A4", "E2", "C0", "A2 00", "B2 00", "C2 00", "F2 01", ""])
    func invalidBlocksAreIgnoredAndTheProtocolGoesOn(frame: String) throws {
        let tag = try VirtualTagKind.type4.type4()
        exchange([(frame, "-"), ("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00", "02 90 00")], tag)
    }
}
