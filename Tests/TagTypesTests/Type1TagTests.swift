// Type 1 Tag: sequences, figures, cuts, hostile numbers
import NFCReader
import Testing

@testable import TagTypes

@Suite struct Type1TagTests {
    private func channel(
        _ card: Type1Card, fault: RecordingChannel.Fault? = nil, maxResponseLength: Int = 262
    ) -> RecordingChannel {
        RecordingChannel(card, target: .type1, fault: fault, maxResponseLength: maxResponseLength)
    }

    // MARK: Sequences

    /// The bytes a Topaz 96 is sold with (ACS ACR122U API 2.04 §7.4 begins its RALL the same way), and a message.
    private static let topaz96 =
        "1148 8A4A4CD29C398025 E1100E00 0303D000 00FE000000000000"
        + String(repeating: "0000000000000000", count: 11) + "0160000000000000"

    @Test func aTopaz96IsReadWithRALLAlone() throws {
        let channel = ScriptedChannel(.type1, [.exchange(.handled, command: "00", answer: Self.topaz96)])
        let tag = Type1Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 90, messageLength: 3))
        #expect(try tag.readNDEF() == bytes("D00000"))
        #expect(tag.chip == Chip(name: "Topaz 96 (BCM20203T96)", evidence: [0x11, 0x48]))
        #expect(channel.isFinished)
    }

    @Test func aTopaz96IsWrittenByteByByteTheLengthFirstAndLast() throws {
        let closed = "1148 8A4A4CD29C398025 E1100E00 030041FE 00FE000000000000" + Self.topaz96.suffix(11 * 16 + 16)
        let open = closed.replacing("030041FE", with: "030141FE")
        let channel = ScriptedChannel(
            .type1,
            [
                .exchange(.handled, command: "00", answer: Self.topaz96),
                .exchange(.handled, command: "53 0D 00", answer: "00"),
                .exchange(.handled, command: "53 0E 41", answer: "41"),
                .exchange(.handled, command: "53 0F FE", answer: "FE"),
                .exchange(.handled, command: "00", answer: closed),
                .exchange(.handled, command: "53 0D 01", answer: "01"),
                .exchange(.handled, command: "00", answer: open),
            ])
        try Type1Tag(on: channel).writeNDEF([0x41])
        #expect(channel.isFinished)
    }

    @Test func aTopaz512IsReadBySegmentsWithTheAddressCheckedWhereItIsLeftOn() throws {
        let card = Type1Card.topaz512(message(100))
        let all = hex([0x12, 0x4C] + card.memory.prefix(120))
        let channel = ScriptedChannel(
            .type1,
            [
                .exchange(.handled, command: "00", answer: all),
                .exchange(.handled, command: "10 00", answer: hex([0x00] + card.memory.prefix(128))),
                .exchange(.handled, command: "10 10", answer: hex(card.memory[128..<256])),
            ])
        let tag = Type1Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 462, messageLength: 100))
        #expect(try tag.readNDEF() == message(100))
        #expect(channel.isFinished)
    }

    @Test func anAnswerForAnotherAddressIsRefused() throws {
        let card = Type1Card.topaz512(message(100))
        let channel = ScriptedChannel(
            .type1,
            [
                .exchange(.handled, command: "00", answer: hex([0x12, 0x4C] + card.memory.prefix(120))),
                .exchange(.handled, command: "10 00", answer: hex([0x10] + card.memory.prefix(128))),
            ])
        #expect(
            error { () throws(TagError) in try Type1Tag(on: channel).detect() }
                == .protocolViolation(
                    field: "the address in the answer to command 10", found: "10", expected: "00", offset: 0))
    }

    @Test func anotherTagInTheFieldIsNotTakenForThisOne() {
        let other = Target.jewel(JewelTarget(sensRes: [0x0C, 0x00], uid: [1, 2, 3, 4]))
        let channel = ScriptedChannel(other, [.exchange(.handled, command: "00", answer: Self.topaz96)])
        #expect(error { () throws(TagError) in try Type1Tag(on: channel).detect() } == .reader(.tagLost))
    }

    // MARK: Figures

    @Test func readingTakesOneExchangeForTopaz96AndFiveForTopaz512() throws {
        let small = channel(Type1Card.topaz96(message(90)))
        #expect(try Type1Tag(on: small).readNDEF() == message(90))
        #expect(small.commands.count == 1)
        let large = channel(Type1Card.topaz512(message(460)))
        #expect(try Type1Tag(on: large).readNDEF() == message(460))
        #expect(large.commands.count == 5)
    }

    @Test func writing460BytesTakes67ExchangesAndProvesThem() throws {
        let card = Type1Card.topaz512()
        let channel = channel(card)
        try Type1Tag(on: channel).writeNDEF(message(460))
        #expect(channel.commands.count == 67)
        #expect(try Type1Tag(on: self.channel(card)).readNDEF() == message(460))
    }

    @Test func writing90BytesToATopaz96Takes93Exchanges() throws {
        let card = Type1Card.topaz96()
        let channel = channel(card)
        try Type1Tag(on: channel).writeNDEF(message(90))
        #expect(channel.commands.count == 93)
        #expect(try Type1Tag(on: self.channel(card)).readNDEF() == message(90))
    }

    @Test(arguments: [0, 1, 80, 81, 254, 255, 300, 462])
    func everyLengthIsWrittenAndReadBack(length: Int) throws {
        let card = Type1Card.topaz512(message(33, seed: 5))
        let before = Array(card.memory[104..<128])
        try Type1Tag(on: channel(card)).writeNDEF(message(length))
        #expect(try Type1Tag(on: channel(card)).readNDEF() == message(length))
        #expect(Array(card.memory[104..<128]) == before)
        #expect(Array(card.memory[8..<22]) == bytes("E1103F00 0103F23033 0203F00203"))
    }

    // MARK: Readers that carry less

    @Test func aReaderThatCarriesOnlyWholeFramesForDynamicMemoryStillWritesIt() throws {
        let card = Type1Card.topaz512(reader: .pn532AndFrames)
        try Type1Tag(on: channel(card)).writeNDEF(message(300))
        #expect(try Type1Tag(on: channel(card)).readNDEF() == message(300))
    }

    @Test func aReaderThatDoesNotCarryDynamicMemoryIsNamedAndNothingIsWritten() throws {
        let card = Type1Card.topaz512(message(50), reader: .pn532)
        let tag = Type1Tag(on: channel(card))
        #expect(try tag.readNDEF() == message(50))
        let failure = error { () throws(TagError) in try tag.writeNDEF(message(300)) }
        #expect(
            failure
                == .unsupported(
                    reason: "neither RSEG nor READ8 had an answer for segment 2, and not every reader carries them"))
        #expect(try tag.memoryMap().blocks.count { $0.bytes == nil } == 48)
        #expect(card.writes.isEmpty)
    }

    // MARK: Faults

    @Test(arguments: [0, 60])
    func everyAnswerOfATopaz512CutShortIsAnError(length: Int) throws {
        let card = Type1Card.topaz512(message(200))
        for (command, full) in [("00", [0x12, 0x4C] + card.memory.prefix(120)), ("10 00", Array(card.memory[..<128]))] {
            for count in 0..<full.count {
                var script: [ScriptedChannel.Step] = []
                if command != "00" {
                    script.append(
                        .exchange(.handled, command: "00", answer: hex([0x12, 0x4C] + card.memory.prefix(120))))
                }
                script.append(.exchange(.handled, command: command, answer: hex(full.prefix(count))))
                let failure = error { () throws(TagError) in try Type1Tag(on: ScriptedChannel(.type1, script)).detect()
                }
                guard case .protocolViolation = failure else {
                    Issue.record("\(count) bytes of \(command): \(String(describing: failure))")
                    return
                }
            }
        }
    }

    @Test func oneLostAnswerAnywhereIsMadeUpFor() throws {
        let whole = channel(Type1Card.topaz512(message(20)))
        try Type1Tag(on: whole).writeNDEF(message(120, seed: 3))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type1Card.topaz512(message(20))
                try Type1Tag(on: channel(card, fault: .silence(at: number, after: after))).writeNDEF(
                    message(120, seed: 3))
                #expect(try Type1Tag(on: channel(card)).readNDEF() == message(120, seed: 3))
            }
        }
    }

    @Test func aCutAnywhereLeavesTheOldAnEmptyOrTheNewMessageAndTheErrorIsTrue() throws {
        for make in [{ Type1Card.topaz512(message(60)) }, { Type1Card.topaz96(message(60)) }] {
            let whole = channel(make())
            try Type1Tag(on: whole).writeNDEF(message(70, seed: 3))
            for number in 0..<whole.commands.count {
                for after in [false, true] {
                    let card = make()
                    let failure = error { () throws(TagError) in
                        try Type1Tag(on: channel(card, fault: .lost(at: number, after: after))).writeNDEF(
                            message(70, seed: 3))
                    }
                    let held = try Type1Tag(on: channel(card)).readNDEF()
                    switch failure {
                    case .reader(.tagLost)?: #expect(held == message(60))
                    case .writeInterrupted(.unchangedOrEmpty, _, _, _)?: #expect(held.isEmpty || held == message(60))
                    case .writeInterrupted(.empty, _, _, _)?: #expect(held.isEmpty)
                    case .writeInterrupted(.emptyOrNew, _, _, _)?: #expect(held.isEmpty || held == message(70, seed: 3))
                    default: Issue.record("cut at \(number): \(String(describing: failure))")
                    }
                }
            }
        }
    }

    /// Random memories behind both headers: whatever they say, there is an end, and it is near.
    @Test func tenThousandRandomMemoriesEndInAnAnswerOrAnError() {
        var generator = SeededGenerator(state: 11)
        for round in 0..<10_000 {
            let card = round % 2 == 0 ? Type1Card.topaz512() : Type1Card.topaz96()
            for index in card.memory.indices.dropFirst(8) where !(112..<128 ~= index) {
                card.memory[index] = .random(in: 0...255, using: &generator)
            }
            // Most random memories have no capability container: give them one, and a TLV that is known.
            if round % 4 < 3 {
                card.memory.replaceSubrange(8..<10, with: [0xE1, 0x10])
                card.memory[11] = 0
                card.memory[12] = UInt8.random(in: 0...3, using: &generator)
            }
            let channel = channel(card)
            let tag = Type1Tag(on: channel)
            _ = error { () throws(TagError) in try tag.detect() }
            _ = error { () throws(TagError) in try tag.readNDEF() }
            _ = error { () throws(TagError) in try tag.memoryMap() }
            #expect(channel.commands.count < 40)
            _ = error { () throws(TagError) in try tag.writeNDEF(message(10)) }
            #expect(channel.commands.count < 120)
        }
    }

    // MARK: Life cycle

    @Test(arguments: [
        (false, "E1100E00 0300FE00", 90), (true, "E1103F00 0103F230 330203F0 02030300 FE000000", 462),
    ])
    func initialiseWritesWhatTopazTagsAreDeliveredWith(isLarge: Bool, head: String, capacity: Int) throws {
        let card = isLarge ? Type1Card.topaz512(nil) : Type1Card.topaz96(nil)
        let tag = Type1Tag(on: channel(card))
        let state = try tag.detect()
        #expect(state.isBlank)
        #expect(state.capacity == capacity)
        try tag.initialise()
        #expect(card.memory[8...].starts(with: bytes(head)))
        #expect(card.writes.last == 8)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: capacity, messageLength: 0))
        #expect(error { () throws(TagError) in try tag.initialise() } == .notBlank)
    }

    @Test func initialiseGivesAContainerWithoutMessageItsNDEFTLVAndRefusesData() throws {
        let card = Type1Card(header: "1148", blocks: 15, head: "E1100E00 FD01AA", message: nil)
        let tag = Type1Tag(on: channel(card))
        try tag.initialise()
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 87, messageLength: 0))
        let used = Type1Card(header: "124C", blocks: 64, head: "", message: nil)
        used.memory[500] = 1
        #expect(error { () throws(TagError) in try Type1Tag(on: channel(used)).initialise() } == .notBlank)
        #expect(used.writes.isEmpty)
    }

    @Test func aCutWhileInitialisingLeavesTheTagBlankOrInitialised() throws {
        let whole = channel(Type1Card.topaz512(nil))
        try Type1Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type1Card.topaz512(nil)
                _ = error { () throws(TagError) in
                    try Type1Tag(on: channel(card, fault: .lost(at: number, after: after))).initialise()
                }
                let state = try Type1Tag(on: channel(card)).detect()
                #expect(state.isBlank || state.messageLength == 0)
                if state.isBlank { try Type1Tag(on: channel(card)).initialise() }
                #expect(try Type1Tag(on: channel(card)).detect().messageLength == 0)
            }
        }
    }

    @Test func makeReadOnlySetsAccessStaticAndDynamicBitsInThisOrder() throws {
        let card = Type1Card.topaz512(message(20))
        let tag = Type1Tag(on: channel(card))
        try tag.makeReadOnly()
        #expect(card.writes == [11, 112, 113, 122, 123, 124, 125, 126, 127])
        #expect(Array(card.memory[112..<114]) == [0xFF, 0x7F])
        #expect(card.memory[122..<128].allSatisfy { $0 == 0xFF })
        #expect(try tag.detect().status == .readOnly)
        #expect(try tag.memoryMap().blocks.enumerated().allSatisfy { $1.isLocked || 15...15 ~= $0 })
        let again = channel(card)
        try Type1Tag(on: again).makeReadOnly()
        #expect(card.writes.count == 9)
    }

    @Test func lockBitsThatDoNotTakeAreNamedAndTheAccessStays() throws {
        let card = Type1Card.topaz96(message(20))
        card.isLockWritable = false
        let failure = error { () throws(TagError) in try Type1Tag(on: channel(card)).makeReadOnly() }
        #expect(
            failure
                == .lockInterrupted(
                    done: ["write access"], missing: ["static lock bits"],
                    cause: .commandFailed(command: "WRITE-NE of lock bits", offset: 112, sw: nil)))
        #expect(try Type1Tag(on: channel(card)).detect().status == .readOnly)
    }

    @Test func aCutWhileLockingSaysWhatIsLockedAlready() throws {
        let whole = channel(Type1Card.topaz512())
        try Type1Tag(on: whole).makeReadOnly()
        let names = ["write access", "static lock bits", "dynamic lock bits"]
        for number in 0..<whole.commands.count {
            let card = Type1Card.topaz512()
            let failure = error { () throws(TagError) in
                try Type1Tag(on: channel(card, fault: .lost(at: number, after: false))).makeReadOnly()
            }
            switch failure {
            case .lockInterrupted(let done, let missing, .reader(.tagLost))?:
                #expect(done + missing == names)
                #expect(card.writes.count >= done.count)
            case .reader(.tagLost)?: #expect(card.writes.isEmpty)
            default: Issue.record("\(String(describing: failure))")
            }
        }
    }

    @Test func aLockedBlockUnderTheMessageMakesTheTagReadOnly() throws {
        let card = Type1Card.topaz512(message(300))
        card.memory[123] = 0x01
        let tag = Type1Tag(on: channel(card))
        #expect(
            try tag.detect().reason == "its lock bits lock block 18, though its capability container allows writing")
        #expect(throws: TagError.self) { try tag.writeNDEF([1]) }
        #expect(card.writes.isEmpty)
    }

    @Test func theMapNamesEachBlock() throws {
        let map = try Type1Tag(on: channel(Type1Card.topaz512(message(20)))).memoryMap()
        #expect(map.blocks.count == 64)
        let roles: [MemoryMap.Role] = [.uid, .capabilityContainer, .tlv, .ndef, .ndef, .ndef, .free]
        #expect(map.blocks.prefix(7).map(\.role) == roles)
        #expect(map.blocks[13...16].map(\.role) == [.reserved, .lock, .lock, .free])
        #expect(
            map.dynamicLock
                == MemoryMap.DynamicLock(address: 122, bitCount: 48, blocksPerBit: 1, bytes: bytes("000000000000")))
        #expect(map.fields.first == MemoryMap.Field(name: "header ROM", value: "12 4C"))
        #expect(try Type1Tag(on: channel(Type1Card.topaz96())).memoryMap().blocks.count == 15)
    }

    @Test(arguments: [
        ("214C", "E1103F00", "its header ROM is 21 4C, of which only 1x is NDEF memory"),
        ("124C", "E1203F00", "its mapping version is 20, of which only 1x is known"),
        ("124C", "E1103F80", "its capability container grants no free reading (access 80)"),
        ("124C", "F1103F00", "block 1 begins with F1 10 3F 00, no capability container"),
    ])
    func withoutReadableContainerThereIsNoNDEF(header: String, head: String, reason: String) throws {
        let card = Type1Card(header: header, blocks: 64, head: head, message: [])
        let tag = Type1Tag(on: channel(card))
        #expect(
            try tag.detect() == NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: reason))
        #expect(error { () throws(TagError) in try tag.readNDEF() } == .notNDEF(reason: reason))
    }

    @Test func aMessageThatIsTooLongIsRefusedBeforeAnyWrite() {
        let card = Type1Card.topaz96()
        #expect(
            error { () throws(TagError) in try Type1Tag(on: channel(card)).writeNDEF(message(91)) }
                == .tooLong(length: 91, capacity: 90))
        #expect(card.writes.isEmpty)
    }
}
