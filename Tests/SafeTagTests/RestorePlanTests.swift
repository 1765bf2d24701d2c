// The writes of a restore to a Type 2 Tag, their order, and the blocks that it leaves unchanged

import Chips
import ReaderInterface
import TagImage
import Testing

import SafeTag
@testable import TagTypes

@Suite struct RestorePlanTests {
    /// Returns an NTAG213's memory: UID, locks, container, TLV, data, dynamic lock, configuration, password.
    private static func memory(auth0: UInt8 = 0xFF, access: UInt8 = 0) -> MemoryMap {
        var map = MemoryMap()
        map.blocks = (0..<45).map { number in
            let role: MemoryMap.Role =
                switch number {
                case 0...1: .uid
                case 2, 40: .lock
                case 3: .capabilityContainer
                case 4: .tlv
                case 5...39: .free
                case 41...42: .configuration
                default: .password
                }
            return .init(number: number, bytes: [0x10, 0x00, 0x01, 0xBD], role: role, isLocked: number < 3)
        }
        map.password = .init(auth0: auth0, access: access)
        return map
    }

    private static func dump(_ bytes: [UInt8] = [0x21, 0x43, 0x02, 0x04]) -> TagImage {
        var image = TagImage(kind: .type2(.ntag213))
        image.blocks = (0..<45).map { .init(number: $0, bytes: bytes) }
        return image
    }

    @Test func onlyDataIsWrittenUnlessMoreIsAskedFor() throws {
        let plan = try RestorePlan(Self.dump(), to: Self.memory(), parts: [])
        #expect(plan.writes.map(\.number) == Array(5...39) + [4])
        #expect(plan.kept == [0, 1, 2, 3, 40, 41, 42, 43, 44])
        #expect(plan.oneTime.isEmpty && plan.configuration.isEmpty)
    }

    @Test func theMessageIsClosedFirstAndItsFirstBlockFollowsAllData() throws {
        let plan = try RestorePlan(Self.dump(), to: Self.memory(), parts: .otp)
        #expect(plan.steps.map(\.number) == [4] + Array(5...39) + [4, 3])
        #expect(plan.steps[0].bytes == [0x03, 0x00, 0xFE, 0xBD] && plan.steps[36].bytes == Self.dump().blocks[4].bytes)
        // If the first block of the message stays the same, it is still written last, to open the message.
        var dump = Self.dump()
        dump.blocks[4].bytes = Self.memory().blocks[4].bytes
        let same = try RestorePlan(dump, to: Self.memory(), parts: [])
        #expect(same.writes.map(\.number) == Array(5...39))
        #expect(same.steps.map(\.number) == [4] + Array(5...39) + [4])
        #expect(same.steps.last?.bytes == Self.memory().blocks[4].bytes)
    }

    @Test func aMessageThatCannotBeClosedOrNeedNotStaysOpen() throws {
        var locked = Self.memory()
        locked.blocks[4].isLocked = true
        var dump = Self.dump([0x10, 0x00, 0x01, 0xBD])
        dump.blocks[9].bytes = [1, 2, 3, 4]
        #expect(try RestorePlan(dump, to: locked, parts: []).steps.map(\.number) == [9])
        dump.blocks[9].bytes = Self.memory().blocks[9].bytes
        dump.blocks[4].bytes = [1, 2, 3, 4]
        #expect(try RestorePlan(dump, to: Self.memory(), parts: []).steps.map(\.number) == [4])
    }

    @Test func theSettingsThatWouldShutNfctoolOutOfAnUltralightAESStay() throws {
        var image = TagImage(kind: .type2(.ultralightAES))
        image.blocks = [.init(number: 41, bytes: [0xFB, 0x00, 0x00, 0x04])]
        let block = MemoryMap.Block(
            number: 41, bytes: [0x01, 0x00, 0x00, 0x3C], role: .configuration, isLocked: false)
        #expect(BlockRule(block, in: image).bytes([0xFB, 0, 0, 4], parts: .configuration) == [0xF9, 0, 0, 4])
    }

    /// MF0ICU2 7.5.8: AUTH0 is valid from 03.
    @Test func anAUTH0ThatAnUltralightCDoesNotDefineIsNotWritten() {
        for (auth0, isWritten) in [(0x00, false), (0x02, false), (0x03, true), (0x30, true)] as [(UInt8, Bool)] {
            var image = TagImage(kind: .type2(.ultralightC))
            image.blocks = [.init(number: 42, bytes: [auth0, 0, 0, 0])]
            let block = MemoryMap.Block(
                number: 42, bytes: [0x2A, 0, 0, 0], role: .configuration, isLocked: false)
            let bytes = BlockRule(block, in: image).bytes([auth0, 0, 0, 0], parts: .configuration)
            #expect(bytes == (isWritten ? [auth0, 0, 0, 0] : nil))
        }
    }

    @Test func aTagThatMaySignItsMessageIsNotRestored() throws {
        var image = TagImage(kind: .type2(nil))
        image.blocks = [.init(number: 4, bytes: [3, 0, 0xFE, 0])]
        var memory = Self.memory()
        memory.hasUnknownSUN = true
        #expect(throws: TagError.unknownSUNMessage) { try RestorePlan(image, to: memory, parts: []) }
    }

    @Test func whatForbidsWritingIsWrittenLastAndPasswordsNever() throws {
        let plan = try RestorePlan(
            Self.dump(), to: Self.memory(), parts: [.uid, .lockBits, .otp, .configuration])
        #expect(plan.writes.map(\.number) == Array(5...39) + [4, 41, 42, 3, 2, 40, 0, 1])
        #expect(plan.kept == [43, 44])
        #expect(plan.oneTime == [2, 3, 40] && plan.configuration == [41, 42])
    }

    /// A key cannot be read back, and a write to a counter adds to it.
    ///
    /// Therefore, neither can be tested by writing the same bytes.
    @Test(arguments: [MemoryMap.Role.password, .counter]) func aLockIsTriedOnNoBlockThatAWriteMayChange(
        role: MemoryMap.Role
    ) throws {
        var memory = Self.memory()
        memory.blocks[38].role = role
        memory.blocks[40].bytes = [0, 0, 0, 0]
        memory.dynamicLock = .init(
            address: 160, bitCount: 24, blocksPerBit: 2, bytes: [0, 0, 0], closes: [0: [16, 17], 1: [38]])
        var dump = Self.dump([0x10, 0x00, 0x01, 0xBD])
        dump.blocks[40].bytes = [0x03, 0, 0, 0]
        let change = try #require(try RestorePlan(dump, to: memory, parts: .lockBits).oneTimeChanges.first)
        #expect(change.locked == [16] && change.untriable == [38])
    }

    /// Bits that are set stay set.
    ///
    /// The UID's check byte and RFU bytes keep their values.
    @Test func oneTimeBitsAreOnlyAdded() throws {
        let plan = try RestorePlan(Self.dump(), to: Self.memory(), parts: [.lockBits, .otp])
        let bytes = Dictionary(uniqueKeysWithValues: plan.writes.map { ($0.number, $0.bytes) })
        #expect(bytes[2] == [0x10, 0x00, 0x03, 0xBD])
        #expect(bytes[3] == [0x31, 0x43, 0x03, 0xBD])
        #expect(bytes[40] == [0x31, 0x43, 0x03, 0xBD])
    }

    @Test func oneTimeBitsForDataAreNotMixed() throws {
        let (dump, memory) = (Self.dump(), Self.memory())
        let mixed = try RestorePlan(dump, to: memory, parts: .otp)
        let error = #expect(throws: MixedOneTimeBits.self) { try mixed.requireOneTimeData(of: dump, on: memory) }
        #expect(error?.block == 3 && error?.kind == .readOnly)
        // Bits that only the tag has stay set, and the block is kept. Bits that only the dump has are added.
        let fewer = Self.dump([0x10, 0x00, 0x00, 0xBD])
        let held = try RestorePlan(fewer, to: memory, parts: .otp)
        try held.requireOneTimeData(of: fewer, on: memory)
        #expect(held.kept.contains(3) && held.oneTime.isEmpty)
        let more = Self.dump([0x11, 0x00, 0x01, 0xFF])
        let added = try RestorePlan(more, to: memory, parts: .otp)
        try added.requireOneTimeData(of: more, on: memory)
        #expect(added.oneTime == [3])
    }

    @Test func blocksThatHoldTheirBytesOrAreNotInTheDumpAreLeftOut() throws {
        var dump = Self.dump([0x10, 0x00, 0x01, 0xBD])
        dump.blocks[7].bytes = nil
        dump.blocks[9].bytes = [1, 2, 3, 4]
        let plan = try RestorePlan(dump, to: Self.memory(), parts: [])
        #expect(plan.writes == [.init(number: 9, bytes: [1, 2, 3, 4])] && plan.kept.isEmpty)
    }

    @Test func whatTheDumpDoesNotKnowIsNamedButForPasswords() throws {
        var dump = Self.dump([0x10, 0x00, 0x01, 0xBD])
        for number in [7, 8, 43, 44] { dump.blocks[number].bytes = nil }
        #expect(try RestorePlan(dump, to: Self.memory(), parts: []).missing == [7, 8])
        #expect(try RestorePlan(Self.dump(), to: Self.memory(), parts: []).missing.isEmpty)
    }

    @Test func protectionThatTheRestoreSwitchesOffIsForeseen() throws {
        var dump = Self.dump()
        let password = Type2Credential.password(.delivered)
        func losses(auth0: UInt8, access: UInt8, parts: RestorePlan.Parts = .configuration) throws -> [String] {
            dump.blocks[41].bytes = [0x04, 0x00, 0x00, auth0]
            dump.blocks[42].bytes = [access, 0x00, 0x00, 0x00]
            var memory = Self.memory(auth0: 4, access: 0x80)
            memory.blocks[41].bytes = [0x04, 0x00, 0x00, 0x04]
            memory.blocks[42].bytes = [0x80, 0x00, 0x00, 0x00]
            return try RestorePlan(dump, to: memory, parts: parts, openedBy: password).losses
        }
        let off =
            "At present, the password is needed for reading and writing from block 4 onwards; "
            + "after this change, it is not."
        let readable = "At present, reading needs the password; after this change, anyone can read the tag."
        #expect(try losses(auth0: 0xFF, access: 0) == [off])
        #expect(try losses(auth0: 4, access: 0) == [readable])
        #expect(try losses(auth0: 4, access: 0x80).isEmpty)
        #expect(try losses(auth0: 0xFF, access: 0, parts: []).isEmpty)
    }

    @Test func protectionThatTheRestoreSwitchesOnIsForeseen() throws {
        var dump = Self.dump()
        dump.blocks[41].bytes = [0x04, 0x00, 0x00, 0x06]
        dump.blocks[42].bytes = [0x80, 0x00, 0x00, 0x00]
        let plan = try RestorePlan(dump, to: Self.memory(), parts: .configuration)
        #expect(plan.protection?.rules == .init(first: 6, isReadingProtected: true, limit: 0))
        #expect(plan.mayHaveFactorySecret && plan.dumpHoldsSecret)
        #expect(try RestorePlan(dump, to: Self.memory(), parts: []).protection == nil)
        let opened = Type2Credential.password(.delivered)
        let same = try RestorePlan(
            dump, to: Self.memory(auth0: 6, access: 0x80), parts: .configuration, openedBy: opened)
        #expect(same.protection == nil)
    }

    @Test func aTagThatDoesNotAllowItIsRefusedBeforeAnyWrite() {
        var locked = Self.memory()
        locked.blocks[20].isLocked = true
        #expect(throws: TagError.readOnly(reason: "its lock bits lock block 20, which differs from the dump")) {
            try RestorePlan(Self.dump(), to: locked, parts: [])
        }
        #expect(throws: TagError.passwordNeeded(block: 30)) {
            try RestorePlan(Self.dump(), to: Self.memory(auth0: 30), parts: [])
        }
        var keyed = Self.memory()
        (keyed.password, keyed.key) = (nil, .init(auth0: 30, configuration: [1, 0, 0, 0], isAES: false))
        #expect(throws: TagError.passwordNeeded(block: 30)) { try RestorePlan(Self.dump(), to: keyed, parts: []) }
        var hidden = Self.memory()
        hidden.blocks[12].bytes = nil
        #expect(throws: TagError.passwordNeeded(block: 12)) {
            try RestorePlan(Self.dump(), to: hidden, parts: [])
        }
        #expect(
            throws: TagError.readOnly(
                reason: "its configuration is locked permanently, and block 41 differs from the dump")
        ) {
            try RestorePlan(Self.dump(), to: Self.memory(access: 0x40), parts: .configuration)
        }
    }

    @Test func aPasswordThatOpenedTheTagLetsItBeRestored() throws {
        let password = try #require(Type2Password(pwd: [1, 2, 3, 4]))
        let plan = try RestorePlan(
            Self.dump(), to: Self.memory(auth0: 30), parts: [], openedBy: .password(password))
        #expect(plan.writes.map(\.number) == Array(5...39) + [4])
    }

    /// Block 42 of an NTAG213 holds ACCESS, whose bit CFGLCK is permanent.
    ///
    /// Block 41 has no such bit.
    @Test func aConfigurationLockIsAnnouncedAsOneTime() throws {
        let dump = Self.dump([0x40, 0x05, 0x00, 0x00])
        #expect(try RestorePlan(dump, to: Self.memory(), parts: .configuration).oneTime == [42])
        #expect(try RestorePlan(Self.dump([0x80, 5, 0, 0]), to: Self.memory(), parts: .configuration).oneTime.isEmpty)
        #expect(try RestorePlan(dump, to: Self.memory(), parts: []).oneTime.isEmpty)
    }

    @Test(arguments: [([], "blocks "), ([3], "block 3"), ([5, 3, 4, 9], "blocks 3-5, 9")] as [([Int], String)])
    func blocksAreListedInRuns(numbers: [Int], text: String) {
        #expect(BlockList(numbers).description == text)
    }
}
