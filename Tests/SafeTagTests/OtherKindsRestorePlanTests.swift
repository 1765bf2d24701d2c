// The writes of a restore to kinds of tag other than Type 2

import Hexadecimal
import TagImage
import Testing

import SafeTag
@testable import TagTypes

@Suite struct OtherKindsRestorePlanTests {
    // MARK: Type 1

    /// Type 1: block 1 holds the capability container and the first TLV, and block E lock bits followed by OTP bytes.
    @Test(
        arguments: [
            ([], [1, 2], "none"), (.lockBits, [1, 2, 14], "0360000000000000"), (.otp, [1, 2, 14], "0160FF0000000000"),
            ([.lockBits, .otp], [1, 2, 14], "0360FF0000000000"),
        ] as [(RestorePlan.Parts, Set<Int>, String)])
    func lockAndOTPBitsOfType1AreAskedForEach(parts: RestorePlan.Parts, written: Set<Int>, lock: String) throws {
        var map = MemoryMap()
        map.blocks = (0..<15).map { number in
            let role: MemoryMap.Role =
                number == 0 ? .uid : number == 1 ? .capabilityContainer : number == 13 ? .reserved : .free
            return .init(number: number, bytes: [UInt8](repeating: 0, count: 8), role: role, isLocked: number == 13)
        }
        map.blocks[14] = .init(number: 14, bytes: [0x01, 0x60, 0, 0, 0, 0, 0, 0], role: .lock, isLocked: false)
        var dump = TagImage(kind: .topaz96)
        dump.blocks = map.blocks.map { .init(number: $0.number, bytes: $0.bytes) }
        dump.blocks[1].bytes = [0xE1, 0x10, 0x0E, 0x00, 0x03, 0x00, 0xFE, 0x00]
        dump.blocks[2].bytes = [1, 2, 3, 4, 5, 6, 7, 8]
        dump.blocks[14].bytes = [0x02, 0x00, 0xFF, 0, 0, 0, 0, 0]
        let plan = try RestorePlan(dump, to: map, parts: parts)
        #expect(Set(plan.writes.map(\.number)) == written)
        #expect(plan.oneTime == (parts.isEmpty ? [] : [14]))
        #expect(plan.kept == (parts.isEmpty ? [14] : []))
        #expect(plan.writes.first { $0.number == 14 }?.bytes.hex ?? "none" == lock)
    }

    /// The fourth byte of a Type 1 Tag's container shows readers whether they may write.
    ///
    /// It is an ordinary byte.
    @Test(
        arguments: [
            (0x00, 0x0F, "marks the tag as read-only for readers"), (0x0F, 0x0F, nil), (0x00, 0x00, nil),
            (0x0F, 0x00, "removes the mark that makes the tag read-only for readers"),
        ] as [(UInt8, UInt8, String?)])
    func aMarkThatReadersHeedIsTold(present: UInt8, dumped: UInt8, effect: String?) throws {
        func container(_ access: UInt8, _ size: UInt8) -> [UInt8] { [0xE1, 0x10, size, access, 0, 0, 0, 0] }
        var map = MemoryMap()
        map.blocks = [.init(number: 1, bytes: container(present, 0x0E), role: .capabilityContainer, isLocked: false)]
        map.capabilityContainer = container(present, 0x0E)
        var dump = TagImage(kind: .topaz96)
        dump.blocks = [.init(number: 1, bytes: container(dumped, 0x0D))]
        let plan = try RestorePlan(dump, to: map, parts: [])
        #expect(plan.writes.map(\.number) == [1] && plan.oneTimeChanges.isEmpty)
        let (old, new) = (container(present, 0x0E).hex, container(dumped, 0x0D).hex)
        #expect(
            plan.mark?.text == effect.map { "  write access, block 1: \(old) becomes \(new): \($0)" })
    }

    // MARK: Type 3

    /// Returns a generic Type 3 Tag's attribute information block with this RWFlag, and its checksum — NFC Forum T3T.
    private static func attributes(_ flag: UInt8, length: UInt8) -> [UInt8] {
        [0x10, 0x04, 0x01, 0x00, 0x03, 0, 0, 0, 0, 0x00, flag, 0x00, 0x00, length, 0x00, 0x18 + flag + length]
    }

    @Test(arguments: [false, true])
    func theMarkOfAType3TagGoesOnlyWhereLockBitsAreAskedFor(isAskedFor: Bool) throws {
        var map = MemoryMap()
        map.capabilityContainer = Self.attributes(0, length: 3)
        map.blocks = [
            .init(number: 0, bytes: map.capabilityContainer, role: .capabilityContainer, isLocked: false),
            .init(number: 1, bytes: [UInt8](repeating: 7, count: 16), role: .ndef, isLocked: false),
        ]
        var dump = TagImage(kind: .type3)
        dump.blocks = [
            .init(number: 0, bytes: Self.attributes(1, length: 3)),
            .init(number: 1, bytes: [UInt8](repeating: 7, count: 16)),
        ]
        let parts: RestorePlan.Parts = isAskedFor ? .lockBits : []
        let plan = try RestorePlan(dump, to: map, parts: parts)
        #expect(plan.writes.map(\.bytes) == (isAskedFor ? [Self.attributes(1, length: 3)] : []))
        #expect(plan.kept == (isAskedFor ? [] : [0]))
        // Nothing else on a marked tag is changed, either.
        dump.blocks[1].bytes?[0] = 8
        if isAskedFor {
            #expect(try RestorePlan(dump, to: map, parts: parts).writes.map(\.number) == [1, 0])
        } else {
            #expect(throws: TagError.self) { try RestorePlan(dump, to: map, parts: parts) }
        }
        // In the other direction, the mark is not set without a request, and the rest of the block is restored.
        map.capabilityContainer = Self.attributes(1, length: 0)
        map.blocks[0].bytes = map.capabilityContainer
        dump.blocks[0].bytes = Self.attributes(0, length: 3)
        let marked = try RestorePlan(dump, to: map, parts: parts)
        #expect(marked.writes.last?.bytes == Self.attributes(isAskedFor ? 0 : 1, length: 3))
    }

    /// MC only locks, so bits that are clear stay clear.
    ///
    /// SYS_C, CKV and CRC_CHECK are never written, and a counter does not count as a difference.
    @Test func theMemoryConfigurationOfAFeliCaLiteIsConfigurationAndOneTime() throws {
        let numbers = TagImage.Kind.feliCaLite.blockNumbers ?? []
        var map = MemoryMap()
        map.blocks = numbers.map { number in
            let role: MemoryMap.Role =
                switch number {
                case 0: .capabilityContainer
                case 1...0x0D: .free
                case 0x0E, 0x90: .counter
                case 0x82, 0x83: .uid
                case 0x80, 0x81, 0x87, 0x91: .password
                default: .configuration
                }
            return .init(number: number, bytes: [UInt8](repeating: 0xFF, count: 16), role: role, isLocked: false)
        }
        var dump = TagImage(kind: .feliCaLite)
        dump.blocks = numbers.map { .init(number: $0, bytes: [0x0F, 0xFE] + [UInt8](repeating: 0, count: 14)) }
        let data = try RestorePlan(dump, to: map, parts: [])
        #expect(data.writes.map(\.number) == Array(1...0x0D) + [0])
        #expect(data.kept == [0x0E, 0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0xA0])
        #expect(data.oneTime.isEmpty && data.configuration.isEmpty)
        let all = try RestorePlan(dump, to: map, parts: [.uid, .configuration])
        #expect(all.writes.map(\.number) == Array(1...0x0D) + [0x84, 0x88, 0])
        #expect(all.oneTime == [0x88] && all.configuration == [0x84, 0x88])
        map.blocks[numbers.firstIndex(of: 0x88) ?? 0].bytes = [0xF3, 0x7F, 0x00] + [UInt8](repeating: 1, count: 13)
        let closed = try RestorePlan(dump, to: map, parts: .configuration)
        #expect(closed.writes.first { $0.number == 0x88 }?.bytes.prefix(4) == [0x03, 0x7E, 0x00, 0x00])
    }

    /// Block 0 holds data until the card is formatted for NDEF.
    ///
    /// After that, it holds the mark of the dump.
    @Test func theReadOnlyMarkOfABlankFeliCaLiteIsRestoredOnlyWhenThatIsAskedFor() throws {
        let numbers = TagImage.Kind.feliCaLite.blockNumbers ?? []
        var map = MemoryMap()
        map.blocks = numbers.map { number in
            .init(
                number: number, bytes: [UInt8](repeating: 0, count: 16), role: number < 0x0E ? .free : .password,
                isLocked: false)
        }
        let locked: [UInt8] = [0x10, 0x04, 0x01, 0, 0x0D, 0, 0, 0, 0, 0, 0, 0, 0, 0x09, 0, 0x2B]
        let open: [UInt8] = [0x10, 0x04, 0x01, 0, 0x0D, 0, 0, 0, 0, 0, 0x01, 0, 0, 0x09, 0, 0x2C]
        var dump = TagImage(kind: .feliCaLite)
        dump.blocks = numbers.map { .init(number: $0, bytes: $0 == 0 ? locked : [UInt8](repeating: 0, count: 16)) }
        let plain = try RestorePlan(dump, to: map, parts: [])
        #expect(plain.writes == [.init(number: 0, bytes: open)] && plain.mark == nil)
        let marked = try RestorePlan(dump, to: map, parts: .lockBits)
        #expect(marked.writes == [.init(number: 0, bytes: locked)] && marked.mark?.new == locked)
        // After that, only the mark is left.
        map.blocks[0].bytes = open
        let again = try RestorePlan(dump, to: map, parts: [])
        #expect(again.writes.isEmpty && again.kept == [0] && again.keptParts == .lockBits)
        // Other data is restored unchanged.
        dump.blocks[0].bytes = [1] + locked.dropFirst()
        #expect(try RestorePlan(dump, to: map, parts: []).writes.map(\.bytes) == [[1] + locked.dropFirst()])
    }

    // MARK: Type 5

    /// Returns an SLIX2 with an empty message: container, TLV, free memory, and the counter.
    private static func vicinity(_ container: [UInt8], locked: Set<Int> = []) -> MemoryMap {
        var map = MemoryMap()
        map.blocks = (0..<80).map { number in
            let role: MemoryMap.Role =
                number == 0 ? .capabilityContainer : number == 1 ? .tlv : number == 79 ? .counter : .free
            let bytes = number == 0 ? container : number == 1 ? [0x03, 0x00, 0xFE, 0x00] : [0, 0, 0, 0]
            return .init(number: number, bytes: bytes, role: role, isLocked: locked.contains(number))
        }
        map.capabilityContainer = container
        return map
    }

    private static func vicinityDump(_ container: [UInt8]) -> TagImage {
        var dump = TagImage(kind: .type5(blockLength: 4))
        dump.blocks = (0..<80).map { .init(number: $0, bytes: [UInt8](repeating: UInt8($0), count: 4)) }
        dump.blocks[0].bytes = container
        dump.blocks[1].bytes = [0x03, 0x10, 0xD1, 0x01]
        return dump
    }

    /// The data is first, and the container last.
    ///
    /// The counter is never written.
    @Test func ofAType5TagAllButTheCounterIsRestored() throws {
        let (old, new): ([UInt8], [UInt8]) = ([0xE1, 0x40, 0x27, 0x01], [0xE1, 0x43, 0x27, 0x01])
        let plan = try RestorePlan(Self.vicinityDump(new), to: Self.vicinity(old), parts: [])
        #expect(plan.writes.map(\.number) == Array(2...78) + [1, 0])
        #expect(plan.kept == [79] && plan.oneTimeChanges.isEmpty && plan.configuration.isEmpty)
        #expect(
            plan.mark?.text
                == "  write access, block 0: E1402701 becomes E1432701: marks the tag as read-only for readers")
        let removing = try RestorePlan(Self.vicinityDump(old), to: Self.vicinity(new), parts: [])
        #expect(
            removing.mark?.text == "  write access, block 0: E1432701 becomes E1402701: "
                + "removes the mark that makes the tag read-only for readers")
        #expect(try RestorePlan(Self.vicinityDump(old), to: Self.vicinity(new), parts: .lockBits).mark == nil)
        #expect(throws: TagError.readOnly(reason: "its block locks lock block 7, which differs from the dump")) {
            try RestorePlan(Self.vicinityDump(old), to: Self.vicinity(old, locked: [7]), parts: [])
        }
    }

    /// The message of the dump ends in block 5.
    @Test(arguments: [(5, [5]), (6, [])] as [(Int, [Int])])
    func aType5MessageThatWouldReachIntoMissingBlocksIsTold(missing: Int, mixed: [Int]) throws {
        let container: [UInt8] = [0xE1, 0x40, 0x27, 0x01]
        var dump = Self.vicinityDump(container)
        dump.blocks[missing].bytes = nil
        let plan = try RestorePlan(dump, to: Self.vicinity(container), parts: [])
        #expect(plan.missing == [missing] && plan.mixed == mixed)
    }

    // MARK: MIFARE Classic

    private static let zeros = [UInt8](repeating: 0, count: 6)
    private static let known = [UInt8](repeating: 0xAB, count: 6)

    /// A key that the dump does not contain stays the same.
    ///
    /// If it is not known, the whole trailer stays the same.
    @Test(
        arguments: [
            (known, known, known, known, "ABABABABABABFF078069ABABABABABAB"),
            (nil, known, known, known, "010101010101FF078069ABABABABABAB"),
            (known, nil, known, known, "ABABABABABABFF078069010101010101"),
            (nil, known, nil, known, nil), (known, nil, known, nil, nil),
            (zeros, known, nil, nil, "000000000000FF078069ABABABABABAB"),
        ] as [([UInt8]?, [UInt8]?, [UInt8]?, [UInt8]?, String?)])
    func keysThatNobodyKnowsAreNotWritten(
        a: [UInt8]?, b: [UInt8]?, presentA: [UInt8]?, presentB: [UInt8]?, written: String?
    ) throws {
        var map = MemoryMap()
        let own = [UInt8](repeating: 1, count: 6)
        let present =
            (presentA == nil ? Self.zeros : own) + [0x7F, 0x07, 0x88, 0x40] + (presentB == nil ? Self.zeros : own)
        map.blocks = [.init(number: 3, bytes: present, role: .trailer, isLocked: false)]
        var dump = TagImage(kind: .classic1K)
        dump.keys[0] = .init(a: a, b: b)
        dump.blocks = [
            .init(number: 3, bytes: (a ?? Self.zeros) + [0xFF, 0x07, 0x80, 0x69] + (b ?? Self.zeros))
        ]
        let plan = try RestorePlan(dump, to: map, parts: .configuration)
        #expect(plan.writes.first?.bytes.hex == written)
        #expect(plan.kept == (written == nil ? [3] : []))
        #expect(plan.zeroKeys == (written != nil && a == Self.zeros ? [0] : []))
        #expect(try RestorePlan(dump, to: map, parts: []).kept == [3])
    }

    @Test("The blocks of a blocked sector are missing in a partial dump, but no message reaches into them")
    func blockedSectorIsMissing() throws {
        var map = MemoryMap()
        map.blocks = (4..<12).map { number in
            .init(
                number: number, bytes: number < 8 ? nil : [UInt8](repeating: 0, count: 16),
                role: number % 4 == 3 ? .trailer : .ndef, isLocked: number < 8)
        }
        map.sectors = [
            ClassicSector(number: 1, blocks: 4..<8, keyA: nil, keyB: nil, access: nil, isBlocked: true)
        ]
        var dump = TagImage(kind: .classic1K)
        dump.blocks = map.blocks.map { .init(number: $0.number, bytes: $0.bytes) }
        dump.blocks[4].bytes = [UInt8](repeating: 1, count: 16)
        let plan = try RestorePlan(dump, to: map, parts: [])
        #expect(plan.writes.map(\.number) == [8])
        #expect(plan.missing == [4, 5, 6, 7] && plan.mixed.isEmpty)
    }
}
