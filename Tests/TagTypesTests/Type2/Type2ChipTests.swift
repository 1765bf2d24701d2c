// Chips by name, their lock bits and sectors
import Chance
import Chips
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2ChipTests {
    /// GET_VERSION answers: NXP data sheets, and captures collected in RfidResearchGroup/proxmark3 (cmdhfmfu.c).
    static let names: [(String, String, Bool)] = [
        ("0004030101000B03", "MIFARE Ultralight EV1 (MF0UL11)", true),
        ("0004030201000B03", "MIFARE Ultralight EV1 (MF0ULH11)", true),
        ("0004030101000E03", "MIFARE Ultralight EV1 (MF0UL21)", true),
        ("0004030201000E03", "MIFARE Ultralight EV1 (MF0ULH21)", true),
        ("0004040101000B03", "NTAG210", true),
        ("0004040101000E03", "NTAG212", true),
        ("0004040201000F03", "NTAG213", true),
        ("0004040201001103", "NTAG215", true),
        ("0004040201001303", "NTAG216", true),
        ("0004040502001303", "NTAG I2C 1k", true),
        ("0004040502011303", "NTAG I2C 1k", true),
        ("0004040502011503", "NTAG I2C 2k", true),
        ("0004040502021303", "NTAG I2C plus 1k", true),
        ("0004040502021503", "NTAG I2C plus 2k", true),
        ("0004030102000B03", "MIFARE Ultralight Nano (40 bytes)", false),
        ("0004030103000B03", "MIFARE Ultralight Nano (48 bytes)", false),
        ("0004030104000F03", "MIFARE Ultralight AES", true), ("0004040204000F03", "NTAG 223 DNA", false),
        ("0004040804000F03", "NTAG 223 DNA StatusDetect", false), ("0004040205001003", "NTAG 224 DNA", false),
        ("0004040805001003", "NTAG 224 DNA StatusDetect", false),
        ("0004040102000B03", "NTAG210µ", true),
        ("0004040203000F03", "NTAG213 TagTamper", false),
    ]

    @Test(arguments: names)
    func getVersionNamesTheChip(version: String, name: String, isGeometryKnown: Bool) {
        let version = bytes(version)
        let known = Type2Chip(version: version)
        #expect((known != nil) == isGeometryKnown)
        #expect(known?.chip.name ?? Chip(type2Version: version)?.name == name)
        for count in 0..<version.count {
            #expect(Type2Chip(version: Array(version[..<count])) == nil)
            #expect(Chip(type2Version: Array(version[..<count])) == nil)
        }
    }

    /// The first and the last block that a set of lock bits covers, and the following blocks that it does not cover.
    @Test(arguments: [
        ("0004040201000F03", 16, 39, 40...44), ("0004040201001103", 16, 129, 130...134),
        ("0004040201001303", 16, 225, 226...230), ("0004030101000E03", 16, 35, 36...40),
        ("0004040502011503", 16, 479, 480...489),
    ])
    func lockBitsEndWithTheUserMemory(version: String, first: Int, last: Int, rest: ClosedRange<Int>) throws {
        let chip = try #require(Type2Chip(version: bytes(version)))
        let lock = try #require(chip.dynamicLock)
        #expect(lock.bit(of: first) == 0)
        #expect(lock.bit(of: last) == lock.bitCount - 1)
        #expect(rest.allSatisfy { lock.bit(of: $0) == nil })
    }

    @Test func aFullyLockedNTAG215HasFreeConfigurationBlocks() throws {
        let card = ChipCard.ntag215()
        card.blocks[2]?[2...3] = [0xFF, 0xFF]
        card.blocks[130] = bytes("FF000F00")
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks.filter { !$0.isLocked }.map(\.number) == [130, 131, 132, 133, 134])
    }

    @Test func aFrozenConfigurationIsShownAsLocked() throws {
        let card = ChipCard.ntag213()
        card.blocks[42]?[0] = 0x40
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks.filter(\.isLocked).map(\.number) == [0, 1, 2, 41, 42])
    }

    /// Lock bits, a configuration and a password may follow, and a dump must not overwrite them as if they were data.
    @Test(arguments: [("00000000", 16), ("E1101200", 40)])
    func onlyTheDataAreaOfAnUnknownChipIsFreeEvenIfItsTLVsAreBroken(container: String, end: Int) throws {
        let card = Type2Card(blocks: 45, cc: container, version: nil, tlvs: bytes("03FFFFFF"))
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks.count == 45)
        #expect(map.blocks[4..<end].allSatisfy { $0.role == .free })
        #expect(map.blocks[end...].allSatisfy { $0.role == .reserved })
    }

    // MARK: Chips without GET_VERSION

    @Test func ultralightCIsKnownByItsChallenge() throws {
        let channel = RecordingChannel(ChipCard.ultralightC())
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 137, messageLength: 0))
        #expect(tag.chip?.name == "MIFARE Ultralight C")
        #expect(channel.commands == ["60", "60", "3000", "1A00", "3004", "3028", "302A"].map { bytes($0) })
        let map = try tag.memoryMap()
        #expect(
            map.blocks.map(\.role)[40...] == [.lock, .counter, .configuration, .configuration]
                + Array(repeating: .password, count: 4))
        #expect(map.key == MemoryMap.KeyProtection(auth0: 0x30, configuration: [0, 0, 0, 0], isAES: false))
        #expect(map.blocks[44...].allSatisfy { $0.bytes == nil })
    }

    @Test func ntag203IsKnownByItsEnd() throws {
        let tag = Type2Tag(on: RecordingChannel(ChipCard.ntag203()))
        #expect(try tag.detect().capacity == 137)
        #expect(tag.chip?.name == "NTAG203")
        let map = try tag.memoryMap()
        #expect(map.blocks.count == 42)
        #expect(map.counters == [MemoryMap.Counter(number: 0, value: 0, isTorn: nil)])
    }

    /// NXP NTAG203, figure 7: bit 1 of byte 0 locks blocks 16…19, and bits 0 and 4 lock other lock bits.
    @Test(
        arguments: [(0x01, []), (0x02, 16...19), (0x10, []), (0x80, 36...39)] as [(UInt8, any Sequence<Int> & Sendable)]
    )
    func lockBitsOfAnNTAG203SkipTheBlockLockingBits(bits: UInt8, locked: any Sequence<Int> & Sendable) throws {
        let card = ChipCard.ntag203()
        card.blocks[40]?[0] = bits
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks.filter { $0.isLocked && $0.number > 2 }.map(\.number) == Array(locked))
    }

    @Test func lockingAnUltralightCLeavesCounterAndKeyAlone() throws {
        let card = ChipCard.ultralightC()
        try Type2Tag(on: RecordingChannel(card)).makeReadOnly()
        #expect(card.blocks[40] == [0xFF, 0x00, 0x00, 0x00])
    }

    @Test func anNTAG210MicroIsReadAndLockedWithStaticLockBitsAlone() throws {
        let card = ChipCard.ntag210micro()
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 46, messageLength: 0))
        #expect(tag.chip?.model == .ntag210micro)
        #expect(
            try tag.planLock().steps.map(\.name) == ["write access", "static lock bits", "static block-locking bits"])
        try tag.makeReadOnly()
        #expect(card.blocks[2] == bytes("7248FFFF") && card.blocks[3] == bytes("E110060F"))
        // It does not support FAST_READ, and has no configuration.
        #expect(!channel.commands.contains { $0.first == 0x3A || $0.first == 0x1B })
        #expect(try Type2Tag(on: RecordingChannel(card)).memoryMap().blocks.map(\.number) == Array(0...15))
    }

    @Test func anST25TN01KIsKnownByItsProductCode() throws {
        let card = ChipCard.st25tn01k()
        let tag = Type2Tag(on: RecordingChannel(card, target: ChipCard.st25Target))
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 158, messageLength: 0))
        #expect(tag.chip?.model == .st25TN01K && tag.chip?.evidence == bytes("90900100"))
        let roles = try tag.memoryMap().blocks.map(\.role)
        #expect(roles[0x2C...0x31] == [.lock, .reserved, .configuration, .password, .password, .reserved])
        #expect(roles[0x3B...] == [.reserved, .configuration, .configuration, .configuration, .configuration])
    }

    /// ST DS13433: DYNLOCK_0 and DYNLOCK_1 lock the user memory, and SYSLOCK and DYNLOCK_2 stay open.
    @Test func lockingAnST25TN01KClosesItsUserMemory() throws {
        let card = ChipCard.st25tn01k()
        try Type2Tag(on: RecordingChannel(card, target: ChipCard.st25Target)).makeReadOnly()
        #expect(card.blocks[0x2C] == bytes("FF3F0000") && card.blocks[2]?.suffix(2) == [0xFF, 0xFF])
    }

    @Test func anotherChipOfTheSameMakerStaysUnknown() throws {
        let card = ChipCard.st25tn01k()
        card.blocks[0x2D] = bytes("91900100")
        let tag = Type2Tag(on: RecordingChannel(card, target: ChipCard.st25Target))
        _ = try tag.detect()
        #expect(tag.chip == nil)
    }

    /// NXP AN1303 and MF0ICU2: 144 bytes, and a Lock Control TLV for the lock bytes in block 40.
    @Test func aBlankUltralightCIsFormattedAsWhatItIs() throws {
        let card = ChipCard.ultralightC(cc: "00000000")
        for block in 4...7 { card.blocks[block] = [0, 0, 0, 0] }
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().isBlank)
        try tag.initialise()
        #expect([3, 4, 5].map { card.blocks[$0] } == ["E1101200", "0103A010", "440300FE"].map { bytes($0) })
        #expect(try Type2Tag(on: RecordingChannel(card)).detect().capacity == 137)
    }

    @Test func aChipOfAnotherMakerIsNotAskedForAChallenge() throws {
        let target = Target.nfcA(NFCATarget(sensRes: [0, 0x44], selRes: 0, nfcID1: bytes("53A1B2C3D4E580")))
        let channel = RecordingChannel(ChipCard.ntag203(), target: target)
        _ = try Type2Tag(on: channel).detect()
        #expect(!channel.commands.contains([0x1A, 0x00]))
    }

    // MARK: Sectors

    @Test func anNTAGI2C2kIsReadToItsEnd() throws {
        let card = ChipCard.ntagI2C2k()
        for block in 4..<480 { card.blocks[block] = message(4, seed: block) }
        let head: [UInt8] = [0x03, 0xFF, 0x07, 0x4C]
        card.blocks[4] = head
        let channel = SectorBlindChannel(card)
        let found = try Type2Tag(on: channel).readNDEF()
        #expect(found == (5..<472).flatMap { message(4, seed: $0) })
        // GET_VERSION, sector 0 in frames of 65 blocks, 3 commands to select and verify sector 1, and sector 1
        // likewise.
        #expect(channel.commands.count <= 16)
        let map = try Type2Tag(on: SectorBlindChannel(card)).memoryMap()
        #expect(map.blocks.count == 483)
        #expect(map.blocks.allSatisfy { card.blocks[$0.number] == $0.bytes })
    }

    /// Its dynamic lock bytes are at byte 1920, which is page 15 of 128 bytes.
    @Test func aLockControlTLVMaySpeakOfSector1() throws {
        let tag = Type2Tag(on: SectorBlindChannel(ChipCard.ntagI2C2k("0103F00F77 0300FE")))
        #expect(try tag.detect().messageLength == 0)
    }

    @Test func aBlockInSector1IsWrittenThereAfterEachFault() throws {
        let clean = SectorBlindChannel(ChipCard.ntagI2C2k())
        try write(300, on: clean)
        for at in 0..<clean.commands.count {
            for after in [false, true] {
                let card = ChipCard.ntagI2C2k()
                let before = card.blocks
                try? write(300, on: SectorBlindChannel(card, fault: .silence(at: at, after: after)))
                for (block, bytes) in card.blocks where block != 300 { #expect(before[block] == bytes) }
            }
        }
    }

    private func write(_ block: Int, on channel: SectorBlindChannel) throws {
        let tag = Type2Tag(on: channel)
        try tag.identify()
        try tag.memory.write([1, 2, 3, 4], to: block)
        tag.memory.forgetAll()
        #expect(try tag.memory.block(block, limit: block + 1) == [1, 2, 3, 4])
    }

    @Test func aTagThatStaysInSector0IsNotWritten() throws {
        // The chip claims to be a 2k chip but has no sector 1. Its block 44 must not be mistaken for block 300.
        let card = ChipCard([0...255], version: "0004040502011503", secret: .none, cc: "E110EA00", tlvs: "0300FE")
        let before = card.blocks
        let tag = Type2Tag(on: SectorBlindChannel(card))
        try tag.identify()
        #expect(throws: TagError.self) { try tag.memory.write([1, 2, 3, 4], to: 300) }
        #expect(card.blocks == before)
    }

    // MARK: Hostile memories

    @Test(arguments: ChipCard.all.indices)
    func randomMemoriesOfEachChipGiveNoTrapAndNoEndlessLoop(index: Int) {
        var generator = SplitMix(state: 3)
        let card = ChipCard.all[index]
        let plain = card.blocks
        // Lock bytes, container and TLVs, and dynamic lock bytes and configuration.
        let numbers = plain.keys.sorted().filter {
            2..<24 ~= $0 || 36..<46 ~= $0 || 128..<136 ~= $0 || $0 > 0xE0 && $0 < 0xF0
        }
        var commands = 0
        for round in 0..<Campaign.count(1_500, long: 10_000) {
            card.blocks = plain
            for block in numbers where round % 2 == 0 || block > 3 {
                // A small set of bytes that includes TLV tags makes it likely that they form TLVs.
                let any = UInt8.random(in: 0...255, using: &generator)
                let choices: [UInt8] = [0x00, 0x01, 0x02, 0x03, 0xFD, 0xFE, 0xFF, any]
                card.blocks[block] = (0..<4).map { _ in choices.randomElement(using: &generator) ?? 0 }
            }
            if round % 2 == 0 { card.blocks[3]?[0...1] = [0xE1, 0x10] }
            let channel = RecordingChannel(card)
            let tag = Type2Tag(on: channel)
            _ = try? tag.detect()
            _ = try? tag.readNDEF()
            if round % 10 == 0 { _ = try? tag.memoryMap() }
            commands = max(commands, channel.commands.count)
        }
        #expect(commands < 1500)
    }
}
