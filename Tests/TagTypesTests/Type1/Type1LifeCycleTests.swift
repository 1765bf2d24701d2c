// Type 1 Tag: initialise, make read-only, reasons against writing, memory map
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type1LifeCycleTests {
    private func channel(
        _ card: Type1Card, fault: RecordingChannel.Fault? = nil, maxResponseLength: Int = 262
    ) -> RecordingChannel {
        RecordingChannel(card, target: .type1, fault: fault, maxResponseLength: maxResponseLength)
    }

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

    @Test(arguments: [("FE00000041", false), ("FE", true), ("", true), ("FD01AA FE00000041", false)])
    func dataWhereTheMessageWouldGoIsNotOverwritten(data: String, isBlank: Bool) throws {
        let card = Type1Card(header: "1148", blocks: 15, head: "E1100E00" + data, message: nil)
        #expect(try Type1Tag(on: channel(card)).detect().isBlank == isBlank)
        let failure = error { () throws(TagError) in try Type1Tag(on: channel(card)).initialise() }
        #expect(failure == (isBlank ? nil : .notBlank))
        #expect(card.writes.isEmpty == !isBlank)
    }

    @Test(arguments: [false, true])
    func aCutWhileInitialisingLeavesTheTagBlankOrInitialised(isLarge: Bool) throws {
        func blank() -> Type1Card { isLarge ? .topaz512(nil) : .topaz96(nil) }
        let whole = channel(blank())
        try Type1Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = blank()
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

    @Test(arguments: ["00100E00 0300FE00", "00100200 0300FE00"])
    func anUnfinishedContainerAfterCompleteTLVsIsFinished(_ head: String) throws {
        let card = Type1Card.topaz96(nil)
        card.memory.replaceSubrange(8..<16, with: bytes(head))
        let tag = Type1Tag(on: channel(card))
        #expect(try tag.detect().reason == "its capability container is unfinished")
        try tag.initialise()
        #expect(card.memory[8...].starts(with: bytes("E1100E00 0300FE00")))
    }

    @Test(arguments: ["00100E00 0300FE01", "00100E00 00000000", "00100E00 04000000", "00200E00 0300FE00"])
    func otherDataInPlaceOfTheContainerIsKept(_ head: String) throws {
        let card = Type1Card.topaz96(nil)
        card.memory.replaceSubrange(8..<16, with: bytes(head))
        #expect(error { () throws(TagError) in try Type1Tag(on: channel(card)).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
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

    /// The static lock bits lock blocks 0 to 12 only.
    @Test(arguments: ["", "0103F21033 "])
    func aTagWithoutLockBitsForAllOfItsDataIsNotLocked(control: String) throws {
        let card = Type1Card(
            header: "124C", blocks: 64, head: "E1103F00 \(control)0203F00203", message: message(20))
        let failure = error { () throws(TagError) in try Type1Tag(on: channel(card)).makeReadOnly() }
        #expect(
            failure
                == .cannotMakeReadOnly(
                    reason: "no Lock Control TLV describes lock bits for all of blocks 16 to 63"))
        #expect(card.writes.isEmpty)
    }

    @Test func lockBitsThatDoNotTakeAreNamedAndTheAccessStays() throws {
        let card = Type1Card.topaz96(message(20))
        card.isLockWritable = false
        let failure = error { () throws(TagError) in try Type1Tag(on: channel(card)).makeReadOnly() }
        #expect(
            failure
                == .lockInterrupted(
                    done: ["write access"], missing: ["static lock bits"],
                    cause: .commandFailed(command: "the change to lock bits", offset: 112, sw: nil)))
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
        ("214C", "E1103F00", "its header ROM is 21 4C; only 1x means NDEF memory"),
        ("124C", "E1203F00", "its mapping version is 20; only 1x is supported"),
        ("124C", "E1103F80", "its capability container does not allow unrestricted reading (access 80)"),
        ("124C", "F1103F00", "block 1 begins with F1 10 3F 00, which is not a capability container"),
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
