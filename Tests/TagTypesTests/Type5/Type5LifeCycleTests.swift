// Type 5 Tag: initialise, lock, memory map
import Chips
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type5LifeCycleTests {
    private func tag(_ card: Type5Card) -> Type5Tag { Type5Tag(on: VicinityChannel(card)) }

    /// A blank tag, the container that it gets, and its capacity after that.
    struct Blank: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let uid: String
        let blocks: Int
        var blockSize = 4
        var kind = Type5Card.Kind.plain
        let container: String
        let capacity: Int
    }

    static let blanks = [
        Blank(testDescription: "SLIX2", uid: "E004010811223344", blocks: 80, container: "E1402709", capacity: 308),
        Blank(testDescription: "SLIX", uid: "E004011011223344", blocks: 28, container: "E1400D09", capacity: 102),
        Blank(
            testDescription: "my-d", uid: "E005401122334455", blocks: 32, blockSize: 8, container: "E1401F01",
            capacity: 246),
        Blank(
            testDescription: "ST25DV04K", uid: "E002241122334455", blocks: 128, container: "E1403F01", capacity: 500),
        Blank(
            testDescription: "ST25DV16K", uid: "E002261122334455", blocks: 512, kind: .extended,
            container: "E2400001000000FF", capacity: 2036),
        Blank(
            testDescription: "ST25DV64K", uid: "E002261122334455", blocks: 2048, kind: .extended,
            container: "E2400001000003FF", capacity: 8180),
        Blank(
            testDescription: "M24LR64", uid: "E0025E1122334455", blocks: 2048, kind: .protocolExtension,
            container: "E140FF05", capacity: 8184),
        Blank(
            testDescription: "Tag-it HF-I Plus", uid: "E007801122334455", blocks: 64, container: "E1401F19",
            capacity: 246),
        Blank(
            testDescription: "a chip of another maker", uid: "E07F011122334455", blocks: 64, container: "E1401F01",
            capacity: 246),
    ]

    private func card(_ blank: Blank) -> Type5Card {
        let card = Type5Card(blocks: blank.blocks, of: blank.blockSize)
        card.uid = bytes(blank.uid)
        card.kind = blank.kind
        return card
    }

    @Test(arguments: blanks) func aBlankTagIsInitialised(blank: Blank) throws {
        let card = card(blank)
        let state = try tag(card).detect()
        #expect(state.isBlank && !state.needsOnlyTLV && state.status == .notSupported)
        try tag(card).initialise()
        let container = bytes(blank.container)
        #expect(Array(card.memory.prefix(container.count + 3)) == container + bytes("0300FE"))
        #expect(try tag(card).detect() == NDEFState(status: .readWrite, capacity: blank.capacity, messageLength: 0))
        #expect(error { () throws(TagError) in try tag(card).initialise() } == .notBlank)
        try tag(card).writeNDEF(message(min(blank.capacity, 700)))
        #expect(try tag(card).readNDEF() == message(min(blank.capacity, 700)))
    }

    @Test(arguments: blanks) func theTableOfChipsKnowsTheCapacity(blank: Blank) {
        let model = ChipModel(vicinityUID: bytes(blank.uid), blockCount: blank.blocks)
        // On an older ST chip, the overflow feature gives a larger size than MLEN.
        if let capacity = model?.capacity, blank.kind != .protocolExtension { #expect(capacity == blank.capacity) }
    }

    @Test(arguments: blanks) func aCutWhileInitialisingIsMadeGoodByInitialisingAgain(blank: Blank) throws {
        guard blank.blocks <= 128 else { return }
        let whole = RecordingChannel(card(blank), target: card(blank).target)
        try Type5Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = card(blank)
                let channel = RecordingChannel(card, target: card.target, fault: .lost(at: number, after: after))
                _ = error { () throws(TagError) in try Type5Tag(on: channel).initialise() }
                if try tag(card).detect().isBlank { try tag(card).initialise() }
                #expect(try tag(card).detect().messageLength == 0)
            }
        }
    }

    /// A torn write leaves each byte either blank or new.
    @Test(arguments: blanks) func aTornContainerIsFinished(blank: Blank) throws {
        guard blank.blocks <= 512 else { return }
        let container = bytes(blank.container)
        let places = container.indices.filter { container[$0] != 0 }
        for chosen in 0..<1 << places.count {
            let card = card(blank)
            for (index, place) in places.enumerated() where chosen >> index & 1 == 1 {
                card.memory[place] = container[place]
            }
            let torn = Array(card.memory.prefix(container.count))
            #expect(try tag(card).detect().isBlank, "\(torn)")
            try tag(card).initialise()
            #expect(Array(card.memory.prefix(container.count + 3)) == container + bytes("0300FE"), "\(torn)")
        }
    }

    /// A byte that is neither blank nor written by nfctool belongs to another program, and so does other data after the
    /// container.
    @Test func aPartOfAContainerWithOtherDataIsNotOverwritten() throws {
        for (head, address) in [("00412700", 300), ("00402700", 300), ("00402708", 3)] {
            let card = card(Self.blanks[0])
            card.memory.replaceSubrange(0..<4, with: bytes(head))
            if address > 3 { card.memory[address] = 1 }
            #expect(error { () throws(TagError) in try tag(card).initialise() } == .notBlank)
            #expect(card.writes.isEmpty)
        }
    }

    @Test("A locked container without the features of the chip is kept, and the tag gets its message")
    func lockedContainer() throws {
        let card = card(Self.blanks[0])
        card.memory.replaceSubrange(0..<4, with: bytes("E1402700"))
        card.locked = [0]
        let state = try tag(card).detect()
        #expect(state.isBlank && state.needsOnlyTLV)
        try tag(card).initialise()
        #expect(card.memory.starts(with: bytes("E1402700 0300FE")))
        #expect(try tag(card).detect().messageLength == 0)
    }

    @Test func initialisingRefusesData() throws {
        let card = card(Self.blanks[0])
        card.memory[300] = 1
        #expect(error { () throws(TagError) in try tag(card).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    @Test func aChipThatWantsTheOptionFlagIsFoundOut() throws {
        let card = card(Self.blanks[8])
        card.neededOption = true
        try tag(card).initialise()
        #expect(try tag(card).detect().status == .readWrite)
        try tag(card).writeNDEF(message(20))
    }

    @Test func initialisingWithoutAKnownSizeIsRefused() {
        let card = card(Self.blanks[8])
        card.kind = .mute
        #expect(
            error { () throws(TagError) in try tag(card).initialise() }
                == .unsupported(reason: "the size of its memory is not known, or too small for a message"))
        #expect(card.writes.isEmpty)
    }

    // MARK: Locks

    @Test func lockingSetsTheMarkAndLocksEveryBlockOfTheArea() throws {
        let card = Type5Card.slix2(message(20))
        try tag(card).makeReadOnly()
        #expect(card.block(0) == bytes("E1432709"))
        // The counter is not locked.
        #expect(card.locks == Array(0..<79))
        #expect(card.writes == [0])
        #expect(try tag(card).detect().status == .readOnly)
        #expect(try tag(card).readNDEF() == message(20))
        // A plan without steps verifies the effect.
        let plan = try tag(card).planLock()
        #expect(plan.isEmpty && plan.isEnforced)
        try tag(card).makeReadOnly()
        #expect(card.locks.count == 79)
    }

    @Test(arguments: [0x0F, 0x12, 0x11] as [UInt8]) func chipsRefuseWithDifferentErrors(code: UInt8) throws {
        let card = Type5Card.slix2(message(20))
        card.lockedError = code
        try tag(card).makeReadOnly()
    }

    @Test(arguments: [1, 256]) func locksAreToldByTheOptionFlagToo(longestRun: Int) throws {
        let card = Type5Card.slix2(message(20))
        card.tellsStatus = false
        card.longestRun = longestRun
        let channel = VicinityChannel(card)
        #expect(try Type5Tag(on: channel).detect().status == .readWrite)
        // One answer with the option flag, whatever the number of blocks that it reports.
        #expect(channel.commands.count { $0[0] == 0x62 } <= 2)
        try tag(card).makeReadOnly()
        #expect(card.locks.count == 79)
        #expect(try tag(card).memoryMap().blocks.filter(\.isLocked).count == 79)
    }

    @Test func aTagThatTellsNoLocksGetsTheMarkAlone() throws {
        let card = Type5Card.slix2(message(20))
        card.tellsStatus = false
        card.tellsStatusByOption = false
        let plan = try tag(card).planLock()
        #expect(!plan.isEnforced && plan.permanence == .reversible)
        try tag(card).carryOut(plan)
        #expect(card.block(0) == bytes("E1432709") && card.locks.isEmpty)
        #expect(
            error { () throws(TagError) in try tag(card).requireEnforcedLock() }
                == .cannotMakeReadOnly(
                    reason:
                        "nfctool does not use its block locks, only a mark that other tools can ignore and remove"))
    }

    @Test func anST25DVGetsNoPromiseOfALock() throws {
        let card = Type5Card.st25DV16K(message(20))
        #expect(try tag(card).planLock().isEnforced == false)
        try tag(card).makeReadOnly()
        #expect(card.locks.isEmpty && card.block(0) == bytes("E2430001"))
    }

    @Test func aLockThatHasNoEffectIsReported() {
        let card = Type5Card.slix2(message(20))
        card.lockable = { $0 < 2 }
        guard
            case .lockInterrupted(done: ["write access"], missing: ["block locks"], _)? =
                error({ () throws(TagError) in try tag(card).makeReadOnly() })
        else {
            Issue.record("the lock was believed"); return
        }
    }

    @Test func aLockGoesOnAfterACut() throws {
        let whole = Type5Card.myD(message(20))
        whole.memory[3] |= 0x08
        let channel = RecordingChannel(whole, target: whole.target)
        try Type5Tag(on: channel).makeReadOnly()
        for number in stride(from: 0, to: channel.commands.count, by: 5) {
            for after in [false, true] {
                let card = Type5Card.myD(message(20))
                card.memory[3] |= 0x08
                let cut = RecordingChannel(card, target: card.target, fault: .lost(at: number, after: after))
                _ = error { () throws(TagError) in try Type5Tag(on: cut).makeReadOnly() }
                try tag(card).makeReadOnly()
                #expect(card.locked.count == 32 && card.memory[1] == 0x43)
                #expect(try tag(card).readNDEF() == message(20))
            }
        }
    }

    @Test func lostAnswersOfLocksAreDecidedByTheStatus() throws {
        let card = Type5Card.slix2(message(20))
        let channel = VicinityChannel(card)
        let tag = Type5Tag(on: channel)
        let plan = try tag.planLock()
        // The write that verifies the effect requires an answer.
        channel.distort = { command, answer in command[1] == 0x22 ? nil : answer }
        try tag.carryOut(plan)
        #expect(card.locks == Array(0..<79))
    }

    @Test func aReaderThatCannotLockIsRefusedBeforeTheMark() {
        let card = Type5Card.slix2(message(20))
        let channel = VicinityChannel(card)
        channel.unknownCodes = [0x22]
        #expect(
            error { () throws(TagError) in try Type5Tag(on: channel).makeReadOnly() }
                == .reader(.cannotSend(command: 0x22, reader: "test")))
        #expect(card.writes.isEmpty)
    }

    @Test func aBlankTagIsJudgedByItsChip() throws {
        try tag(card(Self.blanks[0])).requireEnforcedLock()
        for blank in [Self.blanks[3], Self.blanks[8]] {
            #expect(throws: TagError.self) { try tag(card(blank)).requireEnforcedLock() }
        }
    }

    // MARK: Memory map

    @Test func theMapShowsRolesLocksAndWhatTheTagSaysOfItself() throws {
        let card = Type5Card.slix2(message(20))
        card.locked = [2, 5]
        let map = try tag(card).memoryMap()
        #expect(map.blocks.count == 80)
        #expect(
            map.blocks.map(\.role).prefix(8) == [.capabilityContainer, .tlv, .ndef, .ndef, .ndef, .ndef, .ndef, .free])
        #expect(map.blocks.filter(\.isLocked).map(\.number) == [2, 5])
        #expect(map.capabilityContainer == bytes("E1402709"))
        #expect(
            map.fields.map { "\($0.name) \($0.value)" } == [
                "version 1.0", "MLEN 39", "read access 00", "write access 00", "features 09",
                "supports READ MULTIPLE BLOCKS and LOCK BLOCK", "block size 4",
                "number of blocks 80", "DSFID D5", "AFI AF", "IC reference 5E",
            ])
    }

    @Test func theMapSaysWhatTheFeaturesMean() throws {
        func words(_ features: UInt8) -> [String] {
            Type5CapabilityContainer.Features(rawValue: features).words.map { "\($0.name) \($0.value)" }
        }
        #expect(words(0x00) == [])
        #expect(words(0x01) == ["supports READ MULTIPLE BLOCKS"])
        #expect(words(0x14) == ["memory size in the system information", "option flag needed for writes and locks"])
    }

    /// The UID of an SLIX with another memory.
    ///
    /// NXP's product code 2F is not in the table, nor is manufacturer 7F.
    @Test(
        arguments: [
            (
                "E004011011223344",
                [
                    "manufacturer NXP",
                    "product code 01 (as ICODE SLI, ICODE SLIX, ICODE SLIX2, ICODE 3, ICODE DNA)",
                ]
            ),
            ("E0042F1011223344", ["manufacturer NXP", "product code 2F"]), ("E07F011122334455", []),
        ] as [(String, [String])])
    func theMapOfAnUnknownChipNamesItsManufacturer(uid: String, fields: [String]) throws {
        let card = Type5Card.formatted(blocks: 64, cc: "E1401F01", message(5))
        card.uid = bytes(uid)
        let tag = tag(card)
        let found = try tag.memoryMap().fields.map { "\($0.name) \($0.value)" }
        #expect(tag.chip == nil)
        #expect(found.filter { $0.hasPrefix("manufacturer") || $0.hasPrefix("product code") } == fields)
    }

    @Test func theMapOfABrokenOrBlankTagShowsItsBytes() throws {
        for contents in [bytes("E1400201 0320"), [], bytes("DEADBEEF")] {
            let card = Type5Card(blocks: 28, contents)
            #expect(try tag(card).memoryMap().blocks.map(\.bytes) == (0..<28).map { card.block($0) })
        }
    }

    @Test func theMapEndsWhereAnUnknownTagEnds() throws {
        let card = card(Self.blanks[8])
        card.kind = .mute
        #expect(try tag(card).memoryMap().blocks.count == 64)
    }
}
