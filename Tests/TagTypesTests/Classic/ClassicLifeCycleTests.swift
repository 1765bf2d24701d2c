// MIFARE Classic: initialise, make read-only, memory map. No interruption leaves a sector blocked or with an unknown
// key
import Chance
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ClassicLifeCycleTests {
    private func tag(_ card: ClassicCard, fault: RecordingChannel.Fault? = nil) -> ClassicTag {
        let target: Target = card.memory.count > 1024 ? .classic4K : .classic
        return ClassicTag(on: RecordingChannel(card, target: target, fault: fault))
    }

    /// Checks that all access bits are valid, and each key is a public one.
    private func expectNoSectorIsLost(_ card: ClassicCard, _ comment: Comment) {
        let known = [bytes("FFFFFFFFFFFF"), bytes("D3F7D3F7D3F7"), bytes("A0A1A2A3A4A5")]
        for sector in 0...ClassicCard.sector(of: card.memory.count / 16 - 1) {
            let trailer = card.trailer(of: sector)
            #expect(card.condition(sector, 3) != nil, comment)
            #expect(known.contains(Array(trailer[0..<6])) && known[0] == Array(trailer[10...]), comment)
        }
    }

    // MARK: Initialise

    @Test(arguments: [16, 40]) func initialiseMakesWhatTheApplicationNotesShow(sectors: Int) throws {
        let card = ClassicCard(sectors: sectors)
        let tag = tag(card)
        let capacity = sectors == 16 ? 716 : 3356
        let blank = try tag.detect()
        #expect(blank.isBlank)
        #expect(blank.capacity == capacity)
        try tag.initialise()
        #expect(card.memory == ClassicCard.ndef(bytes("0300FE"), sectors: sectors).memory)
        #expect(card.writes.last == 3)
        #expect(try self.tag(card).detect() == NDEFState(status: .readWrite, capacity: capacity, messageLength: 0))
        #expect(error { () throws(TagError) in try tag.initialise() } == .notBlank)
        try self.tag(card).writeNDEF(message(capacity))
        #expect(try self.tag(card).readNDEF() == message(capacity))
    }

    @Test func initialiseRefusesData() {
        for block in [1, 4, 30, 62] {
            let card = ClassicCard()
            card.memory[block * 16 + 5] = 1
            #expect(error { () throws(TagError) in try tag(card).initialise() } == .notBlank)
            #expect(card.writes.isEmpty)
        }
    }

    @Test func initialiseRefusesOtherKeysAndOtherAccessBits() {
        for trailer in ["112233445566 FF078069", "FFFFFFFFFFFF 7F078800", "FFFFFFFFFFFF 00000069"] {
            for sector in [0, 9] {
                let card = ClassicCard()
                card.setTrailer(of: sector, bytes(trailer + "FFFFFFFFFFFF"))
                #expect(error { () throws(TagError) in try tag(card).initialise() } != nil)
                #expect(card.writes.isEmpty)
            }
        }
    }

    @Test func initialiseGoesOnWhereItWasCutOff() throws {
        let done = ClassicCard.ndef(bytes("0300FE")).memory
        let whole = RecordingChannel(ClassicCard(), target: .classic)
        try ClassicTag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = ClassicCard()
                let failure = error { () throws(TagError) in
                    try tag(card, fault: .lost(at: number, after: after)).initialise()
                }
                #expect(failure == .reader(.tagLost), "at \(number)")
                expectNoSectorIsLost(card, "at \(number)")
                let state = try tag(card).detect()
                if state.isBlank {
                    try tag(card).initialise()
                } else {
                    #expect(state.messageLength == 0)
                }
                #expect(card.memory == done, "at \(number)")
            }
        }
    }

    @Test func oneLostAnswerDoesNotStopInitialising() throws {
        let done = ClassicCard.ndef(bytes("0300FE")).memory
        let whole = RecordingChannel(ClassicCard(), target: .classic)
        try ClassicTag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = ClassicCard()
                try tag(card, fault: .silence(at: number, after: after)).initialise()
                #expect(card.memory == done, "at \(number)")
            }
        }
    }

    /// The sector has the access bits of an initialised card, but key A is torn: its first bytes are new, and the
    /// others old.
    @Test("A sector whose key A is torn is finished", arguments: [0, 9])
    func tornKeyA(sector: Int) throws {
        let done = ClassicCard.ndef(bytes("0300FE"))
        let card = sector == 0 ? ClassicCard.ndef(bytes("0300FE")) : ClassicCard()
        let trailer = done.trailer(of: sector)
        card.setTrailer(of: sector, Array(trailer[..<2]) + bytes("FFFFFFFF") + trailer[6...])
        let tag = tag(card)
        tag.keys = ClassicKeyRing()
        #expect(try tag.detect().isBlank)
        try tag.initialise()
        #expect(card.memory == done.memory)
    }

    @Test("A sector with its owner's key A does not count as unfinished", arguments: [0, 9])
    func ownKeyA(sector: Int) throws {
        let card = sector == 0 ? ClassicCard.ndef(bytes("0300FE")) : ClassicCard()
        let access = sector == 0 ? "787788C1" : "7F078840"
        card.setTrailer(of: sector, bytes("112233445566" + access + "FFFFFFFFFFFF"))
        let tag = tag(card)
        tag.keys = ClassicKeyRing()
        #expect(try tag.detect().isBlank == (sector != 0))
        let refusal: TagError = sector == 0 ? .notBlank : .keyNeeded(sector: sector)
        #expect(error { () throws(TagError) in try tag.initialise() } == refusal)
        #expect(card.writes.isEmpty)
    }

    // MARK: Read-only

    @Test(arguments: [16, 40]) func makeReadOnlyFreezesNDEFSectorsAndDirectory(sectors: Int) throws {
        let card = ClassicCard.ndef(tlv(message(100)), sectors: sectors)
        let tag = tag(card)
        let steps = try tag.planLock().steps
        #expect(card.writes.isEmpty)
        #expect(steps.count == sectors)
        #expect(steps[0].name == "access bits of sector 1")
        #expect(steps[0].place == "block 7 offset 6")
        #expect(steps[0].old == bytes("7F078840"))
        #expect(steps[0].new == bytes("078F0F43"))
        #expect(steps[0].effect.description == "blocks 4 to 7 can never be written again")
        #expect(steps.last?.old == bytes(sectors == 16 ? "787788C1" : "78778800"))
        try tag.makeReadOnly()
        expectNoSectorIsLost(card, "all")
        #expect(try self.tag(card).detect().status == .readOnly)
        #expect(try self.tag(card).readNDEF() == message(100))
        #expect(try self.tag(card).planLock().isEmpty)
        #expect(try self.tag(card).memoryMap().blocks.allSatisfy(\.isLocked))
        let before = card.writes
        try self.tag(card).makeReadOnly()
        #expect(card.writes == before)
    }

    /// AN10787: with version 1 of the directory, the sectors from 16 on are not in it.
    @Test func withoutASecondDirectoryPartItsSectorIsNotLocked() throws {
        let card = ClassicCard.ndef(tlv(message(100)), sectors: 40)
        card.setTrailer(of: 0, bytes("A0A1A2A3A4A5 787788 C1 FFFFFFFFFFFF"))
        card.setTrailer(of: 16, bytes("112233445566 FF0780 69 FFFFFFFFFFFF"))
        let steps = try tag(card).planLock().steps
        #expect(steps.map(\.name) == ((1...15) + [0]).map { "access bits of sector \($0)" })
        try tag(card).makeReadOnly()
        #expect(card.trailer(of: 16) == bytes("112233445566 FF0780 69 FFFFFFFFFFFF"))
    }

    @Test func aKeyBOfSomebodyElseIsKnownBeforeTheFirstStep() {
        for sector in [1, 15, 0] {
            let card = ClassicCard.ndef(tlv(message(100)))
            card.memory[ClassicCard.start(of: sector + 1) * 16 - 1] = 0
            guard case .cannotMakeReadOnly? = error({ () throws(TagError) in try tag(card).makeReadOnly() }) else {
                Issue.record("sector \(sector)"); return
            }
            #expect(card.writes.isEmpty)
        }
    }

    @Test func aCutWhileLockingSaysWhatIsLockedAndTheRestFollowsLater() throws {
        let whole = RecordingChannel(ClassicCard.ndef(tlv(message(100))), target: .classic)
        let names = try ClassicTag(on: RecordingChannel(ClassicCard.ndef(tlv(message(100))), target: .classic))
            .planLock().steps.map(\.name)
        try ClassicTag(on: whole).makeReadOnly()
        for number in stride(from: 0, to: whole.commands.count, by: Campaign.isLong ? 1 : 7) {
            for after in [false, true] {
                let card = ClassicCard.ndef(tlv(message(100)))
                let failure = error { () throws(TagError) in
                    try tag(card, fault: .lost(at: number, after: after)).makeReadOnly()
                }
                switch failure {
                case .lockInterrupted(let done, let missing, .reader(.tagLost))?:
                    #expect(done + missing == names)
                    #expect(done.count...done.count + 1 ~= card.writes.count)
                case .reader(.tagLost)?: #expect(card.writes.isEmpty)
                default: Issue.record("at \(number): \(String(describing: failure))")
                }
                expectNoSectorIsLost(card, "at \(number)")
                #expect(try tag(card).readNDEF() == message(100))
                try tag(card).makeReadOnly()
                #expect(try tag(card).planLock().isEmpty)
            }
        }
    }

    @Test func oneLostAnswerDoesNotStopLocking() throws {
        let whole = RecordingChannel(ClassicCard.ndef(tlv(message(100))), target: .classic)
        try ClassicTag(on: whole).makeReadOnly()
        for number in stride(from: 0, to: whole.commands.count, by: Campaign.isLong ? 1 : 7) {
            for after in [false, true] {
                let card = ClassicCard.ndef(tlv(message(100)))
                try tag(card, fault: .silence(at: number, after: after)).makeReadOnly()
                #expect(try tag(card).planLock().isEmpty, "at \(number)")
            }
        }
    }

    // MARK: Memory

    @Test func theMapNamesEachBlock() throws {
        let map = try tag(.ndef(tlv(message(30)))).memoryMap()
        let roles: [MemoryMap.Role] = [.uid, .directory, .directory, .trailer, .tlv, .ndef, .free, .trailer, .free]
        #expect(map.blocks.prefix(9).map(\.role) == roles)
        #expect(map.blocks.count == 64)
        #expect(map.blocks.allSatisfy { $0.bytes?.count == 16 })
        #expect(map.blocks.filter(\.isLocked).map(\.number) == [0])
    }

    @Test func theMapShowsClosedSectorsWithoutBytes() throws {
        let card = ClassicCard()
        card.setTrailer(of: 4, bytes("112233445566 7F078840 112233445566"))
        let map = try tag(card).memoryMap()
        #expect(map.blocks.filter { $0.bytes == nil }.map(\.number) == [16, 17, 18, 19])
    }

    @Test func aTrailerThatWouldLockASectorForEverIsRefused() throws {
        let card = ClassicCard()
        let failure = error { () throws(TagError) in
            try tag(card).writeBlocks([(7, bytes("FFFFFFFFFFFF FF078169 FFFFFFFFFFFF"))])
        }
        guard case .unsupported? = failure else { Issue.record("\(String(describing: failure))"); return }
        #expect(card.writes.isEmpty)
        try tag(card).writeBlocks([(7, bytes("FFFFFFFFFFFF 7F078869 FFFFFFFFFFFF"))])
        try tag(card).writeBlocks([(6, bytes("00112233445566778899AABBCCDDEEFF"))])
        #expect(card.writes == [7, 6])
    }
}
