// What a restore writes, in which order, and what it leaves alone

import TagImage
import Testing

@testable import TagTypes
@testable import nfctool

@Suite struct RestorePlanTests {
    /// An NTAG213's memory: UID, locks, container, TLV, data, dynamic lock, configuration, password.
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
        #expect(plan.writes.map(\.number) == Array(4...39))
        #expect(plan.kept == [0, 1, 2, 3, 40, 41, 42, 43, 44])
        #expect(plan.oneTime.isEmpty && plan.configuration.isEmpty)
    }

    @Test func whatForbidsWritingIsWrittenLastAndPasswordsNever() throws {
        let plan = try RestorePlan(
            Self.dump(), to: Self.memory(), parts: [.uid, .lockBits, .otp, .configuration])
        #expect(plan.writes.map(\.number) == Array(4...39) + [41, 42, 3, 2, 40, 0, 1])
        #expect(plan.kept == [43, 44])
        #expect(plan.oneTime == [2, 3, 40] && plan.configuration == [41, 42])
    }

    /// Bits that are set stay set; the UID's check byte and RFU bytes keep their value.
    @Test func oneTimeBitsAreOnlyAdded() throws {
        let plan = try RestorePlan(Self.dump(), to: Self.memory(), parts: [.lockBits, .otp])
        let bytes = Dictionary(uniqueKeysWithValues: plan.writes.map { ($0.number, $0.bytes) })
        #expect(bytes[2] == [0x10, 0x00, 0x03, 0xBD])
        #expect(bytes[3] == [0x31, 0x43, 0x03, 0xBD])
        #expect(bytes[40] == [0x31, 0x43, 0x03, 0xBD])
    }

    @Test func blocksThatHoldTheirBytesOrAreNotInTheDumpAreLeftOut() throws {
        var dump = Self.dump([0x10, 0x00, 0x01, 0xBD])
        dump.blocks[7].bytes = nil
        dump.blocks[9].bytes = [1, 2, 3, 4]
        let plan = try RestorePlan(dump, to: Self.memory(), parts: [])
        #expect(plan.writes == [.init(number: 9, bytes: [1, 2, 3, 4])] && plan.kept.isEmpty)
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
        var hidden = Self.memory()
        hidden.blocks[12].bytes = nil
        #expect(throws: TagError.passwordNeeded(block: 12)) {
            try RestorePlan(Self.dump(), to: hidden, parts: [])
        }
        #expect(
            throws: TagError.readOnly(
                reason: "its configuration is locked for ever, and block 41 differs from the dump")
        ) {
            try RestorePlan(Self.dump(), to: Self.memory(access: 0x40), parts: .configuration)
        }
    }

    @Test(arguments: [([], "blocks "), ([3], "block 3"), ([5, 3, 4, 9], "blocks 3-5, 9")] as [([Int], String)])
    func blocksAreListedInRuns(numbers: [Int], text: String) {
        #expect(BlockList(numbers).description == text)
    }
}
