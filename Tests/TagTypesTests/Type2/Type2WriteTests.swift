// Type 2 Tag writing: order, figures, and every place where a write can be interrupted
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2WriteTests {
    @Test func theLengthIsZeroFirstAndCommittedLast() throws {
        // In an NTAG213 with its Lock Control TLV, T is byte 1 of block 5, and L byte 2.
        let old = message(140 - 5 - 3)
        let card = Type2Card.ntag213(bytes("0103A00C34") + tlv(old).prefix(139))
        let channel = RecordingChannel(card)
        try Type2Tag(on: channel).writeNDEF(message(9, seed: 50))
        #expect(
            channel.commands == [
                bytes("60"), bytes("3A 00 2C"),
                // Block 5 becomes 34 03 00 FE and is read back. The body from block 6 follows, with the terminator
                // last, and is read back. The length comes last.
                bytes("A2 05 34 03 00 FE"), bytes("30 05"), bytes("A2 06 3A 41 48 4F"), bytes("A2 07 56 5D 64 6B"),
                [0xA2, 0x08, 0xFE] + card.memory[33..<36], bytes("3A 06 08"),
                bytes("A2 05 34 03 09 33"), bytes("30 05"),
            ])
    }

    @Test func theStraddlingLengthIsWrittenFromItsEnd() throws {
        let card = Type2Card.ntag215(Self.lockControlTLV + bytes("0300FE"))
        let channel = RecordingChannel(card)
        try Type2Tag(on: channel).writeNDEF(message(300))
        // T is in block 5 at offset 1. FF and hh follow in the same block, and ll and the first message bytes in block
        // 6.
        #expect(card.writes.suffix(2) == [6, 5])
        #expect(card.writes.first == 7)
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(300))
    }

    @Test func writing800BytesOverAnOldMessageTakes211Exchanges() throws {
        let channel = RecordingChannel(Type2Card.ntag216(tlv(message(800))))
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect().status == .readWrite)
        try tag.writeNDEF(message(800, seed: 9))
        #expect(channel.commands.count == 211)
        #expect(try tag.readNDEF() == message(800, seed: 9))
        #expect(channel.commands.count == 211)
    }

    @Test func blocksThatHoldTheRightBytesAreNotWritten() throws {
        let card = Type2Card.ntag216(tlv(message(800)))
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        var changed = try tag.readNDEF()
        changed[400] ^= 0xFF
        try tag.writeNDEF(changed)
        #expect(card.writes == [4, 105, 4])
        #expect(channel.commands.count == 11)
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == changed)
    }

    @Test(arguments: [0, 1, 136, 137])
    func everyLengthFitsUpToTheCapacity(length: Int) throws {
        let card = Type2Card.ntag213()
        try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(length))
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(length))
        #expect(Array(card.memory[16..<22]) == bytes("0103A00C3403"))
    }

    @Test func aMessageThatDoesNotFitChangesNothing() throws {
        let card = Type2Card.ntag213()
        #expect(
            error { () throws(TagError) in try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(138)) }
                == .tooLong(length: 138, capacity: 137))
        #expect(card.writes.isEmpty)
    }

    @Test func reservedBytesInsideTheMessageAreKept() throws {
        let card = Type2Card.ultralight(bytes("02 03 21 02 04 03 00 FE"))
        card.memory.replaceSubrange(32..<36, with: bytes("A1A2A3A4"))
        try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(30))
        #expect(Array(card.memory[33..<35]) == bytes("A2A3"))
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(30))
    }

    /// A Lock Control TLV for the NTAG215's own lock bits: byte 8 × 64 + 8, 8 bits, 64 bytes each.
    static let lockControlTLV = bytes("0103880866")

    /// Both sides of the boundary between the length forms, with and without NXP's Lock Control TLV before the message.
    static let cuts: [(old: Int, new: Int, lockControl: Bool)] = [0, 5, 254, 255, 300].flatMap { old in
        [0, 3, 254, 255, 256].flatMap { new in [(old, new, false), (old, new, true)] }
    }

    @Test(arguments: cuts)
    func anyCutLeavesTheOldAnEmptyOrTheNewMessage(old: Int, new: Int, lockControl: Bool) throws {
        let area = (lockControl ? Self.lockControlTLV : []) + tlv(message(old))
        let whole = RecordingChannel(Type2Card.ntag215(area))
        try Type2Tag(on: whole).writeNDEF(message(new, seed: 99))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type2Card.ntag215(area)
                let channel = RecordingChannel(card, fault: .lost(at: number, after: after))
                let failure = error { () throws(TagError) in
                    try Type2Tag(on: channel).writeNDEF(message(new, seed: 99))
                }
                let held = try Type2Tag(on: RecordingChannel(card)).readNDEF()
                #expect([message(old), [], message(new, seed: 99)].contains(held), "cut at \(number)")
                switch failure {
                case .reader(.tagLost)?: #expect(held == message(old))
                case .writeInterrupted(.empty, let written, new, .reader(.tagLost))?:
                    #expect(held == [])
                    #expect(written <= new)
                case .writeInterrupted(.unchangedOrEmpty, 0, new, .reader(.tagLost))?:
                    #expect([message(old), []].contains(held))
                case .writeInterrupted(.emptyOrNew, _, new, .reader(.tagLost))?:
                    #expect([[], message(new, seed: 99)].contains(held))
                default: Issue.record("\(String(describing: failure)) at \(number)")
                }
            }
        }
    }

    @Test func oneLostAnswerAnywhereIsRepaired() throws {
        let area = tlv(message(100))
        let whole = RecordingChannel(Type2Card.ntag215(area))
        try Type2Tag(on: whole).writeNDEF(message(70, seed: 9))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type2Card.ntag215(area)
                let channel = RecordingChannel(card, fault: .silence(at: number, after: after))
                try Type2Tag(on: channel).writeNDEF(message(70, seed: 9))
                #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(70, seed: 9))
            }
        }
    }

    @Test func aBlockThatRefusesIsTriedThreeTimesAndTheTagIsReportedEmpty() throws {
        let card = Type2Card.ntag213(tlv(message(20)))
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        _ = try tag.detect()
        card.auth0 = 8
        #expect(
            error { () throws(TagError) in try tag.writeNDEF(message(40, seed: 3)) }
                == .writeInterrupted(
                    contents: .empty, written: 12, of: 40, cause: .commandFailed(command: "WRITE", offset: 32, sw: nil))
        )
        #expect(channel.commands.filter { $0.starts(with: [0xA2, 0x08]) }.count == 3)
    }

    @Test func aRefusedFirstBlockLeavesTheTagUnchanged() throws {
        let card = Type2Card.ntag213(tlv(message(20)))
        let tag = Type2Tag(on: RecordingChannel(card))
        _ = try tag.detect()
        card.auth0 = 4
        #expect(
            error { () throws(TagError) in try tag.writeNDEF(message(40)) }
                == .commandFailed(command: "WRITE", offset: 16, sw: nil))
    }

    /// An NTAG213 that acknowledges the WRITE to one block and does not store it.
    private final class Forgetful: Card {
        let card: Type2Card
        let block: UInt8

        init(_ card: Type2Card, block: UInt8) {
            self.card = card
            self.block = block
        }

        func reset() {}
        func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
            command.starts(with: [0xA2, block]) ? [] : card.answer(command, framing: framing)
        }
    }

    @Test func aTagThatAcknowledgesWithoutStoringIsFoundOut() throws {
        let card = Forgetful(Type2Card.ntag213(), block: 8)
        let failure = error { () throws(TagError) in
            try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(40))
        }
        guard case .writeInterrupted(.empty, _, 40, .verificationFailed(offset: 9))? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == [])
    }

    @Test func theBodyIsNotTouchedBeforeTheOldLengthIsGoneForSure() throws {
        let card = Forgetful(Type2Card.ntag213(tlv(message(30))), block: 4)
        let failure = error { () throws(TagError) in
            try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(40, seed: 9))
        }
        guard case .writeInterrupted(.unchanged, 0, 40, .verificationFailed)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(30))
    }
}
