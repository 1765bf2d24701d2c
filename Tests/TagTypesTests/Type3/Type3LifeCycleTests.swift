// Type 3 Tag: initialise, make read-only, reasons against writing, memory map
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type3LifeCycleTests {
    private func lite(_ card: Type3Card, fault: RecordingChannel.Fault? = nil) -> RecordingChannel {
        RecordingChannel(card, target: .liteS, fault: fault)
    }
    private func generic(
        _ card: Type3Card, fault: RecordingChannel.Fault? = nil, maxCommandLength: Int = 262,
        maxResponseLength: Int = 262
    ) -> RecordingChannel {
        RecordingChannel(
            card, target: .type3, fault: fault, maxCommandLength: maxCommandLength, maxResponseLength: maxResponseLength
        )
    }

    @Test func initialiseMakesADeliveredLiteSAnNDEFTag() throws {
        let card = Type3Card.liteS(nil)
        let tag = Type3Tag(on: lite(card))
        let state = try tag.detect()
        #expect(state.isBlank)
        #expect(state.capacity == 208)
        try tag.initialise()
        #expect(card.block(0) == bytes("100401000D0000000000010000000023"))
        #expect(card.configuration?[3] == 0x01)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 208, messageLength: 0))
        #expect(error { () throws(TagError) in try tag.initialise() } == .notBlank)
    }

    @Test func theConfigurationOfADeliveredLiteSExplainsItsSilence() throws {
        let channel = lite(.liteS(nil))
        #expect(try Type3Tag(on: channel).detect().isBlank)
        #expect(channel.commands.count { $0 == bytes("06 00 12FC 00 00") } == 1)
        #expect(channel.commands.count == 2)
    }

    @Test func aCutWhileInitialisingIsMadeGoodByInitialisingAgain() throws {
        let whole = lite(.liteS(nil))
        try Type3Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = Type3Card.liteS(nil)
                _ = error { () throws(TagError) in
                    try Type3Tag(on: lite(card, fault: .lost(at: number, after: after))).initialise()
                }
                if try Type3Tag(on: lite(card)).detect().isBlank { try Type3Tag(on: lite(card)).initialise() }
                #expect(try Type3Tag(on: lite(card)).detect().messageLength == 0)
            }
        }
    }

    /// A torn write leaves each byte either blank or new.
    ///
    /// The card may already answer to the NDEF system code.
    @Test(arguments: [false, true]) func aTornAttributeBlockIsFinished(isNDEF: Bool) throws {
        let attributes = bytes("100401000D0000000000010000000023")
        let places = attributes.indices.filter { attributes[$0] != 0 }
        for chosen in 0..<(1 << places.count) - 1 {
            let card = Type3Card.liteS(nil)
            if isNDEF { card.configuration?[3] = 0x01 }
            for (index, place) in places.enumerated() where chosen >> index & 1 == 1 {
                card.memory[place] = attributes[place]
            }
            #expect(try Type3Tag(on: lite(card)).detect().isBlank, "\(chosen)")
            try Type3Tag(on: lite(card)).initialise()
            #expect(card.block(0) == attributes && card.configuration?[3] == 0x01, "\(chosen)")
        }
    }

    @Test(arguments: [(4, 0x0C), (200, 0x01)] as [(Int, UInt8)])
    func aPartOfAnAttributeBlockWithOtherDataIsNotOverwritten(address: Int, byte: UInt8) {
        let card = Type3Card.liteS(nil)
        card.memory[0] = 0x10
        card.memory[address] = byte
        #expect(error { () throws(TagError) in try Type3Tag(on: lite(card)).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    @Test func initialiseFindsOutWhatAGenericCardHolds() throws {
        let card = Type3Card(blocks: 300, nbr: 12, nbw: 8, message: nil)
        let channel = generic(card)
        let tag = Type3Tag(on: channel)
        #expect(try tag.detect().isBlank)
        try tag.initialise()
        #expect(card.block(0) == Type3Card.attributes(nbr: 12, nbw: 8, nmaxb: 299, length: 0))
        #expect(channel.commands.count < 40)
    }

    @Test func initialiseRefusesData() {
        let card = Type3Card.liteS(nil)
        card.memory[100] = 1
        #expect(error { () throws(TagError) in try Type3Tag(on: lite(card)).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    @Test func makeReadOnlyClearsRWFlagAndClosesALiteS() throws {
        let card = Type3Card.liteS(message(20))
        let tag = Type3Tag(on: lite(card))
        try tag.makeReadOnly()
        #expect(card.writes == [[0], [0x88]])
        #expect(card.block(0)[10] == 0)
        // S_PAD0…13 and the configuration itself are locked, but REG is not. The system blocks are locked, and SYS_OP
        // is unchanged.
        #expect(card.configuration?.prefix(4) == [0x00, 0x40, 0x00, 0x01])
        #expect(
            try tag.detect()
                == NDEFState(
                    status: .readOnly, capacity: 208, messageLength: 20,
                    reason: "its attribute information block does not allow writing (RWFlag 00)"))
        #expect(try tag.memoryMap().blocks.prefix(14).allSatisfy(\.isLocked))
        try tag.makeReadOnly()
        #expect(card.writes.count == 2)
    }

    @Test func makeReadOnlyOfAGenericCardClearsRWFlag() throws {
        let card = Type3Card.generic(message(20))
        try Type3Tag(on: generic(card)).makeReadOnly()
        #expect(card.writes == [[0]])
        #expect(try Type3Tag(on: generic(card)).detect().status == .readOnly)
    }

    @Test func aGenericCardHasNoLockThatItEnforcesAlsoOnceItIsMarked() throws {
        let none = TagError.cannotMakeReadOnly(
            reason: "it has no lock, only a mark that other tools can ignore and remove")
        let card = Type3Card.generic(message(20))
        for isMarked in [false, true] {
            if isMarked { try Type3Tag(on: generic(card)).makeReadOnly() }
            let tag = Type3Tag(on: generic(card))
            #expect(error { () throws(TagError) in _ = try tag.planEnforcedLock() } == none)
            #expect(error { () throws(TagError) in try tag.requireEnforcedLock() } == none)
        }
        let blank = Type3Tag(on: generic(.generic(nil)))
        #expect(try blank.detect().isBlank)
        #expect(error { () throws(TagError) in try blank.requireEnforcedLock() } == none)
        for message in [nil, message(20)] { try Type3Tag(on: lite(.liteS(message))).requireEnforcedLock() }
    }

    @Test func aCutWhileLockingSaysWhatIsLockedAlready() throws {
        let whole = lite(.liteS())
        try Type3Tag(on: whole).makeReadOnly()
        for number in 0..<whole.commands.count {
            let card = Type3Card.liteS()
            let failure = error { () throws(TagError) in
                try Type3Tag(on: lite(card, fault: .lost(at: number, after: false))).makeReadOnly()
            }
            switch failure {
            case .lockInterrupted(let done, let missing, .reader(.tagLost))?:
                #expect(done + missing == ["write access", "memory configuration"])
                #expect(card.writes.count >= done.count)
            case .reader(.tagLost)?: #expect(card.writes.isEmpty)
            default: Issue.record("\(String(describing: failure))")
            }
        }
    }

    @Test func aClosedConfigurationThatLeavesBlocksWritableCannotBeMadeReadOnly() {
        let card = Type3Card.liteS(message(20))
        card.configuration?[1] = 0x7F
        #expect(
            error { () throws(TagError) in try Type3Tag(on: lite(card)).makeReadOnly() }
                == .cannotMakeReadOnly(reason: "its memory configuration is closed and leaves block 0 writable"))
        #expect(card.writes.isEmpty)
    }

    @Test func theConfigurationOfALiteSIsHeeded() throws {
        let locked = Type3Card.liteS(message(20))
        locked.configuration?[0] = 0xFB
        #expect(
            try Type3Tag(on: lite(locked)).detect().reason
                == "its memory configuration locks block 2, though its attribute information block allows writing")
        let guarded = Type3Card.liteS(message(20))
        guarded.configuration?[8] = 0x02
        #expect(
            try Type3Tag(on: lite(guarded)).detect().reason
                == "its memory configuration requires authentication before block 1 is written")
        let unreadable = Type3Card.liteS(message(20))
        unreadable.configuration?[6] = 0x02
        #expect(try Type3Tag(on: lite(unreadable)).detect().messageLength == 20)
        guard
            case .refused(_, _, let status)? = error({ () throws(TagError) in
                try Type3Tag(on: lite(unreadable)).readNDEF()
            })
        else {
            Issue.record("no refusal")
            return
        }
        #expect(status.wantsAuthentication)
    }

    @Test func theMapNamesEachBlock() throws {
        let map = try Type3Tag(on: lite(.liteS(message(20)))).memoryMap()
        let roles: [MemoryMap.Role] = [.capabilityContainer, .ndef, .ndef, .free]
        #expect(map.blocks.prefix(4).map(\.role) == roles)
        #expect(map.blocks.map(\.number) == Array(0...14) + Array(0x80...0x88) + [0x90, 0x91, 0x92, 0xA0])
        #expect(map.fields.map(\.name) == ["version", "Nbr", "Nbw", "Nmaxb", "WriteFlag", "RWFlag", "Ln"])
        #expect(try Type3Tag(on: generic(.generic())).memoryMap().blocks.count == 101)
    }

    @Test func aCardWithoutTheNDEFSystemIsNoTag() throws {
        let target = Target.nfcF(
            NFCFTarget(nfcID2: Type3Card.idm, pad: bytes("0120220427674EFF"), systemCode: [0x00, 0x03]))
        let card = Type3Card.liteS(nil)
        let channel = RecordingChannel(card, target: target)
        #expect(
            try Type3Tag(on: channel).detect()
                == NDEFState(
                    status: .notSupported, capacity: 0, messageLength: nil,
                    reason: "it does not answer to the NDEF system code 12FC"))
        // A card refuses a system by silence, which could also be noise.
        #expect(channel.commands.count == 4)
    }
}
