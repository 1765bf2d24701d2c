// Type 4 Tag: detection, reading, writing, interruptions, hostile numbers
import Chance
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type4TagTests {
    private func tag(_ card: Type4Card, fault: RecordingChannel.Fault? = nil) -> Type4Tag {
        Type4Tag(on: RecordingChannel(card, target: .type4, fault: fault))
    }

    /// T4TOP 2.0, appendix C.1 and C.2: the command flow of detection and reading.
    @Test func detectionAndReadingFollowTheSpecificationsExample() throws {
        let channel = ScriptedChannel(
            .type4,
            [
                .exchange(.handled, command: "00 A4 04 00 07 D2760000850101 00", answer: "9000"),
                .exchange(.handled, command: "00 A4 00 0C 02 E103", answer: "9000"),
                .exchange(.handled, command: "00 B0 0000 0F", answer: "000F20003B0034 0406E10400320000 9000"),
                .exchange(.handled, command: "00 A4 00 0C 02 E104", answer: "9000"),
                .exchange(.handled, command: "00 B0 0000 32", answer: "0003 D00000 0000 9000"),
            ])
        let tag = Type4Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 48, messageLength: 3))
        #expect(try tag.readNDEF() == bytes("D00000"))
        #expect(channel.isFinished)
    }

    @Test(arguments: [false, true])
    func reading800BytesTakesAtMostNineExchanges(isExtended: Bool) throws {
        let channel = RecordingChannel(Type4Card(message: message(800), isExtended: isExtended), target: .type4)
        #expect(try Type4Tag(on: channel).readNDEF() == message(800))
        #expect(channel.commands.count <= (isExtended ? 9 : 8))
    }

    @Test func aLongMessageIsReadAndWrittenWithOffsetDataObjects() throws {
        let card = Type4Card(size: 34_000, message: message(33_500), isExtended: true)
        let channel = RecordingChannel(card, target: .type4)
        let tag = Type4Tag(on: channel)
        #expect(try tag.detect().capacity == 33_996)
        #expect(try tag.readNDEF() == message(33_500))
        #expect(channel.commands.contains { $0.starts(with: bytes("00 B1 0000 05 5403")) })
        try tag.writeNDEF(message(33_996, seed: 5))
        #expect(channel.commands.contains { $0.starts(with: bytes("00 D7 0000")) })
        #expect(try self.tag(card).readNDEF() == message(33_996, seed: 5))
    }

    @Test func lengthsAreKeptToWhatTheReaderCarries() throws {
        let card = Type4Card(mle: 0xFFFF, mlc: 0xFFFF, message: message(300))
        let channel = RecordingChannel(card, target: .type4, maxCommandLength: 60, maxResponseLength: 50)
        let tag = Type4Tag(on: channel)
        #expect(try tag.readNDEF() == message(300))
        try tag.writeNDEF(message(200, seed: 1))
        #expect(channel.commands.allSatisfy { $0.count <= 60 && ($0[1] != 0xB0 || $0[4] <= 48) })
        #expect(try self.tag(card).readNDEF() == message(200, seed: 1))
    }

    @Test func theLengthIsZeroWhileTheBodyChanges() throws {
        let channel = RecordingChannel(Type4Card(message: message(5)), target: .type4)
        let tag = Type4Tag(on: channel)
        _ = try tag.detect()
        try tag.writeNDEF(bytes("D00000"))
        // 5 for detection, 1 for the rights of the file, and 1 to select the file again.
        #expect(
            channel.commands.dropFirst(7) == [
                bytes("00 D6 0000 02 0000"), bytes("00 D6 0002 03 D00000"), bytes("00 B0 0002 03"),
                bytes("00 D6 0000 02 0003"), bytes("00 B0 0000 02"),
            ])
    }

    @Test(arguments: [(0, 0), (0, 3), (600, 0), (600, 3), (3, 600), (600, 601)], [false, true])
    func anyCutLeavesTheOldAnEmptyOrTheNewMessage(lengths: (old: Int, new: Int), isExtended: Bool) throws {
        let (old, new) = (message(lengths.old), message(lengths.new, seed: 99))
        let whole = RecordingChannel(Type4Card(message: old, isExtended: isExtended), target: .type4)
        try Type4Tag(on: whole).writeNDEF(new)
        for number in 0..<whole.commands.count {
            for fault in [false, true].flatMap({
                [
                    RecordingChannel.Fault.lost(at: number, after: $0), .silence(at: number, after: $0),
                ]
            }) {
                let card = Type4Card(message: old, isExtended: isExtended)
                let failure = error { () throws(TagError) in try tag(card, fault: fault).writeNDEF(new) }
                let held = try tag(card).readNDEF()
                switch failure {
                case nil: #expect(held == new)
                case .reader(.tagLost)?, .writeInterrupted(.unchanged, _, _, _)?: #expect(held == old)
                case .writeInterrupted(.empty, _, new.count, .reader)?: #expect(held == [])
                case .writeInterrupted(.new, new.count, new.count, .reader(.noAnswer))?: #expect(held == new)
                case .writeInterrupted(.unchangedOrEmpty, _, _, .reader(.tagLost))?:
                    #expect([old, []].contains(held))
                case .writeInterrupted(.emptyOrNew, _, _, .reader(.tagLost))?:
                    #expect([[], new].contains(held))
                default: Issue.record("\(String(describing: failure)) at \(fault)")
                }
            }
        }
    }

    @Test func aCutInTheBodySaysHowFarItCame() throws {
        let tag = tag(Type4Card(message: message(600)), fault: .lost(at: 10, after: true))
        let failure = error { () throws(TagError) in try tag.writeNDEF(message(700, seed: 9)) }
        #expect(failure == .writeInterrupted(contents: .empty, written: 510, of: 700, cause: .reader(.tagLost)))
    }

    @Test func aRefusedFirstUpdateIsItsOwnError() throws {
        final class Guarded: Card {
            let card = Type4Card(message: message(9))
            func reset() { card.reset() }
            func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
                command[1] == 0xD6 ? bytes("6982") : card.answer(command, framing: framing)
            }
        }
        let tag = Type4Tag(on: RecordingChannel(Guarded(), target: .type4))
        #expect(
            error { () throws(TagError) in try tag.writeNDEF([1]) }
                == .commandFailed(command: "UPDATE BINARY", offset: 0, sw: 0x6982))
    }

    @Test func randomContainersAndFilesEndInAnAnswerOrATypedError() {
        var generator = SplitMix(state: 4)
        var readable = 0
        for round in 0..<Campaign.count(2_000, long: 10_000) {
            let card = Type4Card(mle: 64, mlc: 64, size: 128)
            // Sometimes only one field is random, so that the garbage passes the first checks.
            for index in card.cc.indices where round % 3 == 0 || Int.random(in: 0..<8, using: &generator) == 0 {
                card.cc[index] = .random(in: 0...255, using: &generator)
            }
            for index in card.ndef.indices.prefix(4) { card.ndef[index] = .random(in: 0...3, using: &generator) }
            let channel = RecordingChannel(card, target: .type4)
            let tag = Type4Tag(on: channel)
            if error({ () throws(TagError) in _ = try tag.readNDEF() }) == nil { readable += 1 }
            _ = error { () throws(TagError) in _ = try tag.memoryMap() }
            _ = error { () throws(TagError) in _ = try tag.planWrite([1, 2, 3], .throughEmpty) }
            #expect(channel.commands.count < 400)
        }
        #expect(readable > 100)
    }

    @Test func aSilentMomentWhileReadingIsRepairedFromActivationOn() throws {
        for number in 0..<8 {
            let tag = tag(Type4Card(message: message(800)), fault: .silence(at: number, after: false))
            #expect(try tag.readNDEF() == message(800))
        }
    }

    @Test func withoutNDEFApplicationThereIsNoNDEF() throws {
        let channel = ScriptedChannel(
            .type4,
            [
                .exchange(.handled, command: "00 A4 04 00 07 D2760000850101 00", answer: "6A82"),
                // An NXP chip, which could be initialised if it were a DESFire.
                .exchange(.handled, command: "90 60 0000 00", answer: "6D00"),
                // The card is not a DESFire, but may be a passport.
                .exchange(.handled, command: "00 A4 04 0C 07 A0000002471001", answer: "6A82"),
            ])
        let reason = "SELECT of the NDEF application returned SW 6A82 (file or application not found)"
        let tag = Type4Tag(on: channel)
        #expect(
            try tag.detect() == NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: reason))
        #expect(channel.isFinished)
        #expect(error(tag.readNDEF) == .notNDEF(reason: reason))
    }

    @Test func aCardWithThePassportApplicationIsNamedAndAskedOnce() throws {
        let channel = ScriptedChannel(
            .nfcB(
                NFCBTarget(nfcID0: bytes("01020304"), applicationData: bytes("00000000"), protocolInfo: [0, 0x81, 0])),
            [
                .exchange(.handled, command: "00 A4 04 00 07 D2760000850101 00", answer: "6A82"),
                .exchange(.handled, command: "00 A4 04 0C 07 A0000002471001", answer: "9000"),
            ])
        let tag = Type4Tag(on: channel)
        _ = try tag.detect()
        #expect(tag.chip?.name == "Electronic passport")
        _ = try tag.detect()
        #expect(try tag.memoryMap().files.isEmpty)
        #expect(channel.isFinished)
    }

    /// Hostile capability containers, the field that is named, and the value found there.
    @Test(arguments: [
        ("000E20003B0034 0406E10400320000", "CCLEN", "000E"), ("FFFF20003B0034 0406E10400320000", "CCLEN", "FFFF"),
        ("000F2000000034 0406E10400320000", "MLe", "0000"), ("000F20000E0034 0406E10400320000", "MLe", "000E"),
        ("000F20003B0000 0406E10400320000", "MLc", "0000"),
        ("000F20003B0034 0506E10400320000", "the first TLV's tag", "05"),
        ("000F20003B0034 0408E10400320000", "NDEF File Control TLV length", "08"),
        ("000F20003B0034 0406E10300320000", "NDEF file identifier", "E103"),
        ("000F20003B0034 0406E10400040000", "NDEF file size", "0004"),
        ("000F20003B0034 0406E104FFFF0000", "NDEF file size", "FFFF"),
        ("001130003B0034 0608E10400000006 0000", "NDEF file size", "00000006"),
        ("000F30003B0034 0608E10400000032 0000", "CCLEN", "000F"),
    ])
    func aBrokenFieldIsNamedWithItsValue(cc: String, field: String, found: String) {
        let failure = error { () throws(TagError) in try Type4CapabilityContainer(bytes(cc)) }
        guard case .protocolViolation(field, found, _, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func theContainerIsTooShortAtEachByte() {
        let whole = bytes("001130003B0034 0608E10400000032 0000")
        for count in 0..<whole.count {
            let failure = error { () throws(TagError) in try Type4CapabilityContainer(Array(whole.prefix(count))) }
            guard case .protocolViolation("the capability container", _, _, _)? = failure else {
                Issue.record("\(count)")
                continue
            }
        }
    }

    @Test func aLengthBeyondTheFileIsNamed() {
        let card = Type4Card(size: 50)
        card.ndef[1] = 49
        #expect(
            error(tag(card).detect)
                == .protocolViolation(field: "NLEN", found: "49", expected: "at most 48", offset: 0))
    }

    @Test func aCardThatAnswersNoBytesDoesNotKeepUs() {
        final class Empty: Card {
            let card = Type4Card(message: message(15))
            func reset() { card.reset() }
            func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
                command[1] == 0xB0 ? [0x90, 0x00] : card.answer(command, framing: framing)
            }
        }
        let channel = RecordingChannel(Empty(), target: .type4)
        #expect(
            error(Type4Tag(on: channel).detect)
                == .protocolViolation(
                    field: "the answer to READ BINARY", found: "0 bytes", expected: "1 to 15 bytes", offset: 0))
    }

    @Test func aCardThatTricklesSingleBytesDoesNotKeepUs() {
        final class Trickler: Card {
            let card = Type4Card(message: message(1500))
            var count = 0
            func reset() { card.reset() }
            func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
                count += 1
                guard let answer = card.answer(command, framing: framing) else { return nil }
                return command[1] == 0xB0 && count > 5 ? answer.prefix(1) + answer.suffix(2) : answer
            }
        }
        let channel = RecordingChannel(Trickler(), target: .type4)
        guard case .protocolViolation("the answers to READ BINARY", _, _, _)? = error(Type4Tag(on: channel).readNDEF)
        else {
            Issue.record("no protocol violation")
            return
        }
        #expect(channel.commands.count < 40)
    }

    @Test(arguments: [(UInt8(0xFF), "FF"), (0x80, "80")])
    func withoutFreeWriteAccessItIsReadOnly(access: UInt8, text: String) throws {
        let tag = tag(Type4Card(write: access))
        let reason = "its capability container does not allow unrestricted writing (access \(text))"
        #expect(try tag.detect().status == .readOnly)
        #expect(error { () throws(TagError) in try tag.writeNDEF([]) } == .readOnly(reason: reason))
    }

    @Test func aMessageThatDoesNotFitChangesNothing() throws {
        let card = Type4Card(size: 50, message: message(7))
        #expect(
            error { () throws(TagError) in try tag(card).writeNDEF(message(49)) } == .tooLong(length: 49, capacity: 48))
        #expect(try tag(card).readNDEF() == message(7))
    }

    @Test func makeReadOnlySetsTheWriteAccessByte() throws {
        let card = Type4Card(message: message(7))
        card.isCCWritable = true
        try tag(card).makeReadOnly()
        #expect(card.cc.suffix(2) == [0x00, 0xFF])
        #expect(try tag(card).detect().status == .readOnly)
    }

    @Test func makeReadOnlySaysSoWhenTheContainerIsFixed() {
        #expect(
            error { () throws(TagError) in try tag(Type4Card()).makeReadOnly() }
                == .cannotMakeReadOnly(
                    reason: "its capability container cannot be written, SW 6982 (security status not satisfied)"))
    }

    @Test func theMapNamesFieldsAndFiles() throws {
        let card = Type4Card(size: 100)
        card.cc[1] = 23
        card.cc += bytes("0506 E105 0080 82 83")
        let map = try tag(card).memoryMap()
        #expect(map.fields.map(\.name) == ["CCLEN", "mapping version", "MLe", "MLc"])
        #expect(map.fields.map(\.value) == ["23", "2.0", "255", "255"])
        #expect(map.files.map(\.identifier) == [0xE103, 0xE104, 0xE105])
        #expect(map.files.map(\.size) == [23, 100, 128])
    }

    @Test func randomContainersAndLengthsGiveAnAnswerOrATypedError() {
        var random = SplitMix(state: 4)
        for round in 0..<1000 {
            let card = Type4Card(message: message(20), isExtended: round % 2 == 0)
            for _ in 0..<3 {
                card.cc[.random(in: 0..<card.cc.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            card.ndef[.random(in: 0..<4, using: &random)] = .random(in: 0...255, using: &random)
            let channel = RecordingChannel(card, target: .type4)
            let tag = Type4Tag(on: channel)
            if let state = try? tag.detect(), let length = state.messageLength {
                #expect(length <= state.capacity)
                if let found = try? tag.readNDEF() { #expect(found.count == length) }
            }
            #expect(channel.commands.count < 600)
        }
    }

    @Test func aMessageThatUpdateBinaryWouldNotReachIsRefusedBeforeTheFirstWrite() throws {
        let card = Type4Card(mlc: 7, size: 0x9000, message: message(40))
        let before = card.ndef
        let tag = Type4Tag(on: RecordingChannel(card, target: .type4))
        #expect(
            error { () throws(TagError) in try tag.writeNDEF(message(0x8010)) }
                == .protocolViolation(
                    field: "MLc", found: "7", expected: "8 or more with offsets beyond 7FFF", offset: 5))
        #expect(card.ndef == before)
    }

    @Test func theMapOfAnExtendedFileNeedsNoLongAnswers() throws {
        let card = Type4Card(mle: 15, mlc: 13, message: message(40), isExtended: true)
        let map = try Type4Tag(on: RecordingChannel(card, target: .type4)).memoryMap()
        #expect(map.capabilityContainer == card.cc)
    }
}
