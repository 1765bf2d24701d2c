// Type 2 Tag: initialise, make read-only, memory map
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2LifeCycleTests {
    /// Blank chips, and their content if they are delivered initialised, according to their data sheets.
    @Test(arguments: [
        (16, nil, "E1100600", "0300FE00"), (20, "0004030101000B03", "E1100600", "0300FE00"),
        (45, "0004040201000F03", "E1101200", "0103A00C 340300FE"), (135, "0004040201001103", "E1103E00", "0300FE00"),
        (231, "0004040201001303", "E1106D00", "0300FE00"),
    ])
    func initialiseWritesWhatTheChipIsDeliveredWith(blocks: Int, version: String?, cc: String, tlvs: String) throws {
        let card = Type2Card(blocks: blocks, cc: "00000000", version: version, tlvs: [])
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().isBlank)
        try tag.initialise()
        #expect(Array(card.memory[12..<16]) == bytes(cc))
        #expect(card.memory[16...].starts(with: bytes(tlvs)))
        // The size and version of the container are written first, and the whole container after that.
        #expect(card.writes.suffix(2) == [3, 3])
        #expect(try tag.detect().messageLength == 0)
        #expect(error { () throws(TagError) in try tag.initialise() } == .notBlank)
    }

    /// Without the magic number, a size of which only some bits are written is not a smaller data area.
    @Test("The magic number of the container is written after everything else")
    func magicLast() throws {
        let channel = RecordingChannel(Type2Card(blocks: 16, cc: "00000000", version: nil, tlvs: []))
        try Type2Tag(on: channel).initialise()
        let writes = channel.commands.filter { $0.starts(with: [0xA2, 0x03]) }
        #expect(writes == [bytes("A203 00100600"), bytes("A203 E1100600")])
    }

    @Test func initialiseGivesAContainerWithoutMessageItsNDEFTLV() throws {
        let card = Type2Card.ultralight(bytes("FD01AA"))
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().isBlank)
        try tag.initialise()
        #expect(Array(card.memory[16..<22]) == bytes("FD01AA0300FE"))
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 43, messageLength: 0))
    }

    /// Readers stop at a terminator.
    ///
    /// The bytes after it may be data of another program.
    @Test(arguments: ["FE41", "FE000000 41544144", "00000000 FE000000 00000001", "FD01AA FE00000041", "FE000000 FE"])
    func dataWhereTheMessageWouldGoIsNotOverwritten(data: String) throws {
        let card = Type2Card.ntag215(bytes(data))
        let channel = RecordingChannel(card)
        let state = try Type2Tag(on: channel).detect()
        #expect(!state.isBlank)
        #expect(state.reason == "its data area holds no NDEF TLV, but other data in its place")
        #expect(error { () throws(TagError) in try Type2Tag(on: channel).initialise() } == .notBlank)
        #expect(error { () throws(TagError) in try Type2Tag(on: channel).writeNDEF([1]) } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    /// An interrupted `initialise` may leave a second terminator.
    @Test(arguments: ["", "FE", "0000FE", "FE00FE", "FD01AA FE", "0103A00C34 FE"])
    func zerosAndATerminatorAreBlank(data: String) throws {
        let card = Type2Card.ntag213(bytes(data))
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().isBlank)
        try tag.initialise()
        #expect(try tag.detect().messageLength == 0)
    }

    @Test func dataBehindAPasswordForReadingIsNotTakenForBlank() throws {
        let card = Type2Card.ntag215(bytes("FE"))
        card.auth0 = 90
        card.protectsReading = true
        #expect(
            error { () throws(TagError) in _ = try Type2Tag(on: RecordingChannel(card)).detect() }
                == .passwordNeeded(block: 90))
    }

    @Test func initialiseRefusesDataBehindAnEmptyContainer() throws {
        let card = Type2Card(blocks: 16, cc: "00000000", version: nil, tlvs: bytes("DEADBEEF"))
        #expect(
            error { () throws(TagError) in try Type2Tag(on: RecordingChannel(card)).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    @Test(arguments: ["F110FFEE", "E110060F"])
    func initialiseRefusesATagInUse(cc: String) throws {
        let card = Type2Card.ultralight(cc: cc)
        #expect(
            error { () throws(TagError) in try Type2Tag(on: RecordingChannel(card)).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    /// The one-time bits of the capability container are not spent on a tag that accepts no message.
    @Test(
        arguments: [
            (16, nil, "00000000", 11, 0x01, 8), (16, nil, "00000000", 10, 0x08, 3),
            (16, nil, "E1100600", 11, 0x80, 15), (45, "0004040201000F03", "00000000", 160, 0x02, 18),
            (45, "0004040201000F03", "E1101200", 161, 0x08, 38),
        ] as [(Int, String?, String, Int, UInt8, Int)])
    func aBlankTagWithALockedBlockIsNotInitialised(
        blocks: Int, version: String?, cc: String, address: Int, bit: UInt8, locked: Int
    ) throws {
        let card = Type2Card(blocks: blocks, cc: cc, version: version, tlvs: [])
        card.memory[address] |= bit
        #expect(
            error { () throws(TagError) in try Type2Tag(on: RecordingChannel(card)).initialise() }
                == .readOnly(reason: "its lock bits lock block \(locked)"))
        #expect(card.writes.isEmpty)
        let state = try Type2Tag(on: RecordingChannel(card)).detectWhetherBlank()
        #expect(!state.isBlank && state.reason?.hasSuffix("and its lock bits lock block \(locked)") == true)
    }

    @Test func aBlankUltralightCThatCannotTakeAMessageIsNotInitialised() throws {
        for (block, bytes, failure) in [
            (40, [0x02, 0, 0, 0], TagError.readOnly(reason: "its lock bits lock block 16")),
            // AUTH0 is 08, for writing only.
            (42, [0x08, 0, 0, 0], .passwordNeeded(block: 8)),
        ] as [(Int, [UInt8], TagError)] {
            let card = ChipCard.ultralightC(cc: "00000000")
            card.blocks[43] = [0x01, 0, 0, 0]
            card.blocks[block] = bytes
            let memory = card.blocks
            #expect(error { () throws(TagError) in try Type2Tag(on: RecordingChannel(card)).initialise() } == failure)
            #expect(card.blocks == memory)
        }
        // A key that only protects its own blocks is no obstacle.
        let card = ChipCard.ultralightC(cc: "00000000")
        card.blocks[42] = [0x2A, 0, 0, 0]
        try Type2Tag(on: RecordingChannel(card)).initialise()
        #expect(card.blocks[3] == bytes("E1101200"))
    }

    @Test func aCutWhileInitialisingLeavesTheTagBlankOrInitialised() throws {
        for number in 0..<15 {
            for after in [false, true] {
                let card = Type2Card(blocks: 45, cc: "00000000", version: "0004040201000F03", tlvs: [])
                _ = error { () throws(TagError) in
                    try Type2Tag(on: RecordingChannel(card, fault: .lost(at: number, after: after))).initialise()
                }
                let state = try Type2Tag(on: RecordingChannel(card)).detect()
                #expect(state.isBlank || state.messageLength == 0)
                // If it is run again, it continues where it was interrupted.
                if state.isBlank { try Type2Tag(on: RecordingChannel(card)).initialise() }
                #expect(Array(card.memory[12..<24]) == bytes("E1101200") + Type2Card.deliveredNTAG213)
            }
        }
    }

    /// A torn write leaves only some of the one-time bits, and another write adds the others.
    @Test(arguments: ["00000600", "E1000600", "00100200", "E1100000", "A0000000", "01100400"])
    func aTornContainerIsFinished(cc: String) throws {
        let card = Type2Card.ultralight(cc: cc)
        let state = try Type2Tag(on: RecordingChannel(card)).detect()
        #expect(state.isBlank && !state.needsOnlyTLV)
        #expect(state.reason == "its capability container is unfinished")
        #expect(try Type2Tag(on: RecordingChannel(card)).lockForecast() == .enforced)
        try Type2Tag(on: RecordingChannel(card)).initialise()
        #expect(Array(card.memory[12..<20]) == bytes("E1100600 0300FE00"))
    }

    /// One-time bits that initialising would not set, or that other bytes follow, belong to another program.
    @Test(arguments: [
        ("00000800", "0300FE"), ("00000601", "0300FE"), ("00000600", "0300FE00 01"), ("00100600", "DEADBEEF"),
        ("01000000", ""), ("00100600", ""), ("E1000600", ""), ("00100600", "0300"),
    ])
    func aPartOfAContainerWithOtherDataIsNotOverwritten(cc: String, tlvs: String) throws {
        let card = Type2Card.ultralight(bytes(tlvs), cc: cc)
        #expect(
            error { () throws(TagError) in try Type2Tag(on: RecordingChannel(card)).initialise() } == .notBlank)
        #expect(card.writes.isEmpty)
    }

    @Test func lockBitsThatCannotBeReadStopALockBeforeItsFirstBit() {
        let card = Type2Card(blocks: 45, cc: "E1101200", version: nil, tlvs: Type2Card.deliveredNTAG213)
        let channel = RecordingChannel(MuteCard(card, to: { $0[0] == 0x30 && $0[1] >= 40 }))
        #expect(
            error { () throws(TagError) in try Type2Tag(on: channel).makeReadOnly() }
                == .commandFailed(command: "READ", offset: 160, sw: nil))
        #expect(card.writes.isEmpty)
    }

    @Test func makeReadOnlySetsContainerStaticAndDynamicBitsInThisOrder() throws {
        let card = Type2Card.ntag213(Type2Card.deliveredNTAG213)
        let tag = Type2Tag(on: RecordingChannel(card))
        try tag.makeReadOnly()
        // The bits that freeze lock bits are set after the lock bits that they freeze.
        #expect(card.writes == [3, 2, 2, 0x28, 0x28])
        #expect(Array(card.memory[10..<16]) == bytes("FFFF E110120F"))
        #expect(Array(card.memory[0xA0..<0xA4]) == bytes("FF0F3F00"))
        #expect(try tag.detect().status == .readOnly)
        #expect(try tag.memoryMap().blocks[3..<40].allSatisfy(\.isLocked))
    }

    @Test func makeReadOnlyOfAnUltralightSetsStaticBits() throws {
        let card = Type2Card.ultralight()
        try Type2Tag(on: RecordingChannel(card)).makeReadOnly()
        #expect(card.writes == [3, 2, 2])
        #expect(Array(card.memory[10..<16]) == bytes("FFFF E110060F"))
    }

    @Test func aChipThatKeptSilentOnceIsAskedAgainBeforeItIsLocked() throws {
        let card = Type2Card.ntag213()
        try Type2Tag(on: RecordingChannel(card, fault: .silence(at: 0, after: false))).makeReadOnly()
        #expect(card.writes == [3, 2, 2, 0x28, 0x28])
    }

    @Test func aCutWhileLockingSaysWhatIsLockedAlready() throws {
        let whole = RecordingChannel(Type2Card.ntag215())
        try Type2Tag(on: whole).makeReadOnly()
        let names = [
            "write access", "static lock bits", "static block-locking bits", "dynamic lock bits",
            "dynamic block-locking bits",
        ]
        for number in 0..<whole.commands.count {
            let card = Type2Card.ntag215()
            let failure = error { () throws(TagError) in
                try Type2Tag(on: RecordingChannel(card, fault: .lost(at: number, after: false))).makeReadOnly()
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

    @Test func theMapNamesEachBlock() throws {
        let card = Type2Card.ntag213(bytes("0103A00C34") + tlv(message(10)))
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        let roles: [MemoryMap.Role] = [.uid, .uid, .lock, .capabilityContainer, .tlv, .tlv, .ndef, .ndef, .ndef, .free]
        #expect(map.blocks.prefix(10).map(\.role) == roles)
        #expect(map.blocks.suffix(5).map(\.role) == [.lock, .configuration, .configuration, .password, .password])
        #expect(map.password == MemoryMap.PasswordProtection(auth0: 0xFF, access: 0))
        #expect(
            map.dynamicLock
                == MemoryMap.DynamicLock(
                    address: 160, bitCount: 12, blocksPerBit: 2, bytes: [0, 0],
                    closes: Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, [16 + 2 * $0, 17 + 2 * $0]) })))
        #expect(map.capabilityContainer == bytes("E1101200"))
    }

    @Test func theMapOfAnUnknownChipEndsWhereItsMemoryEnds() throws {
        let map = try Type2Tag(on: RecordingChannel(Type2Card.ultralight())).memoryMap()
        #expect(map.blocks.count == 16)
        #expect(map.blocks.allSatisfy { $0.bytes != nil })
    }

    @Test func theMapShowsGuardedBlocksWithoutBytes() throws {
        let card = Type2Card.ntag215()
        card.auth0 = 90
        card.protectsReading = true
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks.count == 135)
        #expect(map.blocks.firstIndex { $0.bytes == nil } == 90)
    }
}
