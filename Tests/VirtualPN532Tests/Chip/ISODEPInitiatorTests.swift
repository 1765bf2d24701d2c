// Tests of the block protocol, initiator's side — ISO/IEC 14443-4

import Synchronization
import Testing

@testable import VirtualPN532

/// A type 4A tag that answers from a script.
final class ScriptedTag: TypeATag {
    let sensRes: [UInt8] = [0x44, 0x03]
    let nfcID1 = octets("04 11 22 33 44 55 66")
    let selRes: UInt8 = 0x20
    let generation = 0
    private let ats: [UInt8]
    private let state: Mutex<(script: [(String, String)], isSelected: Bool, unexpected: [String])>

    /// Creates a tag with a script of expected frames and their answers.
    ///
    /// `-` stands for silence, and all frames are without CRC.
    init(ats: String, _ script: [(String, String)]) {
        self.ats = octets(ats)
        state = Mutex((script, false, []))
    }

    /// The frames that arrived out of order, and the frames that never arrived.
    var complaints: [String] { state.withLock { $0.unexpected + $0.script.map { "missing \($0.0)" } } }

    func fieldOff() { deselect() }
    func poll(wakeUp: Bool) -> Bool { !state.withLock(\.isSelected) }
    func deselect() { state.withLock { $0.isSelected = false } }
    func select() { state.withLock { $0.isSelected = true } }
    func halt() {}
    func receiveTorn(_ frame: [UInt8]) {}

    func receive(_ frame: [UInt8]) -> TagReply {
        if frame == ISODEPInitiator.rats { return TagReply(.bytes(ats)) }
        return state.withLock { state in
            guard let (expected, answer) = state.script.first, expected == hex(frame) else {
                state.unexpected.append(hex(frame))
                return TagReply(.silence)
            }
            state.script.removeFirst()
            return TagReply(answer == "-" ? .silence : .bytes(octets(answer)))
        }
    }
}

/// ISO/IEC 14443-4: chaining, recovery, waiting time extension, presence.
struct ISODEPInitiatorTests {
    /// FSCI 0 means frames of 16 bytes, with 13 bytes of data in a block.
    static let smallFrames = "02 00"

    private func answers(_ script: [(String, String)], _ commands: [String], ats: String = smallFrames) -> [String] {
        let tag = ScriptedTag(ats: ats, script)
        let bench = ChipBench([tag])
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01 01 03 44 20 07 04 11 22 33 44 55 66"))
        let answers = commands.map { bench.answer($0) }
        #expect(tag.complaints == [])
        return answers
    }

    @Test func blockNumbersAlternate() {
        #expect(
            answers(
                [("02 AA", "02 90 00"), ("03 BB", "03 6A 82"), ("02 CC", "02")], ["40 01 AA", "40 01 BB", "40 01 CC"])
                == ["41 00 90 00", "41 00 6A 82", "41 00"])
    }

    @Test func longCommandsAreChainedByFSC() {
        let answers = answers(
            [
                ("12 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D", "A2"),
                ("13 0E 0F 10 11 12 13 14 15 16 17 18 19 1A", "A3"),
                ("02 1B", "02 90 00"),
            ], ["40 01 " + hex((1...27).map { UInt8($0) })])
        #expect(answers == ["41 00 90 00"])
    }

    @Test func moreInformationFromTheHostKeepsTheChainOpen() {
        #expect(
            answers([("12 01 02", "A2"), ("03 03", "03 90 00")], ["40 41 01 02", "40 01 03"])
                == ["41 00", "41 00 90 00"])
    }

    @Test func chainedAnswersAreCollected() {
        #expect(
            answers([("02 AA", "12 01"), ("A3", "13 02"), ("A2", "02 03")], ["40 01 AA"]) == ["41 00 01 02 03"])
    }

    @Test func moreThan262BytesComeInTwoAnswers() {
        let piece = String(repeating: " 55", count: 200)
        let answers = answers(
            [("02 AA", "12" + piece), ("A3", "13" + piece), ("A2", "02 90 00")], ["40 01 AA", "40 01"])
        #expect(answers[0] == "41 40" + String(repeating: " 55", count: 262))
        #expect(answers[1] == "41 00" + String(repeating: " 55", count: 138) + " 90 00")
    }

    @Test func silenceIsAnsweredWithRNAK() {
        #expect(answers([("02 AA", "-"), ("B2", "02 90 00")], ["40 01 AA"]) == ["41 00 90 00"])
    }

    @Test func aMissedBlockIsRepeated() {
        #expect(
            answers([("02 AA", "-"), ("B2", "A3"), ("02 AA", "02 90 00")], ["40 01 AA"]) == ["41 00 90 00"])
    }

    @Test func aLostPieceOfAChainedAnswerIsAskedForAgain() {
        #expect(
            answers([("02 AA", "12 01"), ("A3", "-"), ("A3", "03 90 00")], ["40 01 AA"]) == ["41 00 01 90 00"])
    }

    @Test func threeFailuresAreATimeout() {
        #expect(answers([("02 AA", "-"), ("B2", "-"), ("B2", "-")], ["40 01 AA"]) == ["41 01"])
    }

    @Test func waitingTimeIsGranted() {
        #expect(
            answers([("02 AA", "F2 01"), ("F2 01", "F2 3B"), ("F2 3B", "02 90 00")], ["40 01 AA"]) == ["41 00 90 00"])
    }

    @Test func anEndlessWaitIsAProtocolError() {
        let script = [("02 AA", "F2 01")] + [(String, String)](repeating: ("F2 01", "F2 01"), count: 100)
        #expect(answers(script, ["40 01 AA"]) == ["41 0B"])
    }

    @Test(arguments: ["F2 00", "F2 3C", "03 90 00", "12", "C2", "A2", "FF"])
    func brokenAnswersAreProtocolErrors(answer: String) {
        #expect(answers([("02 AA", answer)], ["40 01 AA"]) == ["41 0B"])
    }

    @Test func presenceIsAskedForWithRNAK() {
        #expect(
            answers(
                [("B2", "A3"), ("02 AA", "02 90 00"), ("B3", "A2"), ("B3", "-")],
                ["00 06", "40 01 AA", "00 06", "00 06"])
                == ["01 00", "41 00 90 00", "01 00", "01 01"])
    }

    @Test func deselectSendsTheBlock() {
        #expect(answers([("C2", "C2")], ["44 01"]) == ["45 00"])
    }

    @Test(arguments: [
        ("01", 32, 4), ("02 00", 16, 4), ("02 08", 256, 4), ("02 0F", 256, 4), ("05 78 80 70 02", 256, 7),
        ("03 28 E0", 256, 14), ("03 28 F0", 256, 14), ("04 38 00 50", 256, 5), ("02 20", 16, 4),
    ])
    func theAnswerToSelectTellsSizeAndTime(ats: String, frameSize: Int, waitingIndex: Int) {
        let link = ISODEPInitiator(ats: octets(ats))
        #expect(link.frameSize == frameSize)
        #expect(link.frameWaitingTime == Duration.nanoseconds(302_065) * (1 << waitingIndex))
    }
}
