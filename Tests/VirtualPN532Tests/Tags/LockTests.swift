// Lock bits — NXP data sheets, "static lock bytes", "dynamic lock bytes", with their block-locking bits

import Testing
@testable import VirtualPN532

@Suite struct LockTests {
    /// Each static lock bit and its block: lock byte 0 bit 3 is block 3, lock byte 1 bit 7 is block 15.
    @Test(
        arguments: [VirtualTagKind.ultralight, .ultralightC, .ultralightEV1, .ntag203, .ntag213, .ntag216, .ntagI2C1K],
        3...15)
    func staticLockBitLocksItsBlockAlone(kind: VirtualTagKind, block: Int) throws {
        let tag = try kind.type2()
        let bits = 1 << block
        #expect(tag.send("A2 02 00 00 " + hex(bits, bits >> 8)) == "ACK")
        try expectLocked(tag, [block], among: 3...15)
    }

    /// A dynamic lock bit (0 to 15), and the blocks that it locks.
    static let dynamicRows: [(VirtualTagKind, Int, ClosedRange<Int>)] = [
        // NTAG213, block 28: two blocks per bit.
        (.ntag213, 0, 16...17), (.ntag213, 1, 18...19), (.ntag213, 7, 30...31), (.ntag213, 8, 32...33),
        (.ntag213, 11, 38...39),
        // NTAG215, block 82: 16 blocks per bit.
        (.ntag215, 0, 16...31), (.ntag215, 1, 32...47), (.ntag215, 6, 112...127), (.ntag215, 7, 128...129),
        // NTAG216, block E2: 16 blocks per bit.
        (.ntag216, 0, 16...31), (.ntag216, 7, 128...143), (.ntag216, 8, 144...159), (.ntag216, 13, 224...225),
        // MF0UL21, block 24: two blocks per bit.
        (.ultralightEV1128, 0, 16...17), (.ultralightEV1128, 7, 30...31), (.ultralightEV1128, 9, 34...35),
        // NTAG203 and MF0ICU2, block 28: four blocks per bit, and block-locking bits among them.
        (.ntag203, 1, 16...19), (.ntag203, 3, 24...27), (.ntag203, 5, 28...31), (.ntag203, 7, 36...39),
        (.ntag203, 12, 41...41),
        (.ultralightC, 1, 16...19), (.ultralightC, 2, 20...23), (.ultralightC, 6, 32...35), (.ultralightC, 7, 36...39),
        (.ultralightC, 12, 41...41), (.ultralightC, 13, 42...42), (.ultralightC, 14, 43...43),
        (.ultralightC, 15, 44...47),
        // NT3H1101, block E2: 16 blocks per bit.
        (.ntagI2C1K, 0, 16...31), (.ntagI2C1K, 13, 224...225),
    ]

    static let dynamicBlock: [VirtualTagKind: (Int, last: Int)] = [
        .ntag213: (0x28, 39), .ntag215: (0x82, 129), .ntag216: (0xE2, 225), .ultralightEV1128: (0x24, 35),
        .ntag203: (0x28, 39), .ultralightC: (0x28, 39), .ntagI2C1K: (0xE2, 225),
    ]

    @Test(arguments: dynamicRows)
    func dynamicLockBitLocksItsBlocksAlone(kind: VirtualTagKind, bit: Int, blocks: ClosedRange<Int>) throws {
        let tag = try kind.type2()
        let (lockBlock, last) = try #require(Self.dynamicBlock[kind])
        #expect(tag.send("A2 \(hex(lockBlock)) \(hex(1 << bit, (1 << bit) >> 8)) 00 00") == "ACK")
        try expectLocked(tag, Array(blocks), among: 4...max(last, blocks.upperBound), but: lockBlock)
    }

    /// A block-locking bit of lock byte 2 (dynamic), and the lock bits that it freezes.
    @Test(arguments: [
        (VirtualTagKind.ntag213, 0, 0x0003), (.ntag213, 3, 0x00C0), (.ntag213, 5, 0x0C00),
        (.ntag215, 0, 0x0003), (.ntag215, 3, 0x00C0),
        (.ntag216, 0, 0x0003), (.ntag216, 4, 0x0300), (.ntag216, 6, 0x3000),
        (.ultralightEV1128, 0, 0x0003), (.ultralightEV1128, 4, 0x0300),
    ])
    func blockLockingBitFreezesItsLockBits(kind: VirtualTagKind, bit: Int, frozen: Int) throws {
        let tag = try kind.type2()
        let lockBlock = try #require(Self.dynamicBlock[kind]).0
        tag.send("A2 \(hex(lockBlock)) 00 00 \(hex(1 << bit)) 00")
        tag.send("A2 \(hex(lockBlock)) FF FF 00 00")
        let all: [VirtualTagKind: Int] = [
            .ntag213: 0x0FFF, .ntag215: 0x00FF, .ntag216: 0x3FFF, .ultralightEV1128: 0x03FF,
        ]
        let set = try #require(all[kind]) & ~frozen
        #expect(tag.send("3A \(hex(lockBlock, lockBlock))") == "\(hex(set, set >> 8, 1 << bit)) BD")
    }

    @Test(arguments: [(0x01, 0x0008), (0x02, 0x03F0), (0x04, 0xFC00), (0x07, 0xFFF8)])
    func staticBlockLockingBitFreezesItsLockBits(blockLocking: Int, frozen: Int) throws {
        let tag = try VirtualTagKind.ntag213.type2()
        tag.send("A2 02 00 00 \(hex(blockLocking)) 00")
        tag.send("A2 02 FF FF F8 FF")
        let set = 0xFFF8 & ~frozen | blockLocking
        #expect(tag.contents[10...11] == [UInt8(set & 0xFF), UInt8(set >> 8)])
        // Bytes 0 and 1 of block 2 are written at the factory.
        #expect(tag.contents[9] == 0x48)
    }

    /// A block-locking bit in block 28 of NTAG203 and Ultralight C, and the lock bits that it freezes.
    @Test(arguments: [
        (VirtualTagKind.ntag203, 0, 0x000E), (.ntag203, 4, 0x00E0), (.ntag203, 8, 0x1000),
        (.ultralightC, 0, 0x000E), (.ultralightC, 4, 0x00E0), (.ultralightC, 8, 0x1000), (.ultralightC, 9, 0x2000),
        (.ultralightC, 10, 0x4000), (.ultralightC, 11, 0x8000),
    ])
    func fourBlockLockingBitFreezesItsLockBits(kind: VirtualTagKind, bit: Int, frozen: Int) throws {
        let tag = try kind.type2()
        tag.send("A2 28 \(hex(1 << bit, (1 << bit) >> 8)) FF FF")
        tag.send("A2 28 FF FF FF FF")
        // Bits without a function stay 0, and so do the two bytes after them.
        let all = kind == .ntag203 ? 0x11FF : 0xFFFF
        #expect(tag.send("30 28").hasPrefix(hex(all & ~frozen, (all & ~frozen) >> 8, 0, 0)))
    }

    @Test(arguments: [VirtualTagKind.ntag203, .ultralightC])
    func lockBitsCountFromTheNextActivationOn(kind: VirtualTagKind) throws {
        let tag = try kind.type2()
        tag.send("A2 02 00 00 FF FF")
        tag.send("A2 28 FF FF 00 00")
        #expect(tag.send("A2 04 01 02 03 04") == "ACK")
        #expect(tag.send("A2 10 01 02 03 04") == "ACK")
        tag.send("50 00")
        #expect(tag.poll(wakeUp: true))
        tag.select()
        #expect(tag.send("A2 04 00 00 00 00") == "NAK 0")
        #expect(tag.activate().send("A2 10 00 00 00 00") == "NAK 0")
    }

    @Test func lockBitsAreNeverCleared() throws {
        let tag = try VirtualTagKind.ntag213.type2()
        tag.send("A2 02 00 00 F0 0F")
        tag.send("A2 02 00 00 00 00")
        tag.send("A2 28 FF 00 00 00")
        tag.send("A2 28 00 00 00 00")
        #expect(tag.contents[10...11] == [0xF0, 0x0F])
        #expect(tag.send("3A 28 28") == "FF 00 00 BD")
    }

    @Test func readOnlyKindRefusesEveryUserBlock() throws {
        let tag = try VirtualTagKind.ntag215ReadOnly.type2()
        try expectLocked(tag, Array(3...129), among: 3...129)
        #expect(tag.send("30 03").hasPrefix("E1 10 3E 0F 03 00 FE"))
    }

    private func expectLocked(
        _ tag: VirtualType2Tag, _ locked: [Int], among blocks: ClosedRange<Int>, but lockBlock: Int? = nil
    ) throws {
        for block in blocks where block != lockBlock {
            let isLocked = locked.contains(block)
            let before = tag.contents
            // Do not write 0 to AUTH0 of an Ultralight C, which would protect the blocks.
            let data = block == 42 ? "30 00 00 00" : "00 00 00 00"
            #expect(tag.activate().send("A2 \(hex(block)) \(data)") == (isLocked ? "NAK 0" : "ACK"), "\(block)")
            if isLocked {
                #expect(tag.contents == before)
                #expect(tag.activate().send("A0 \(hex(block))") == "NAK 0")
            }
        }
        tag.activate()
    }

    private func hex(_ values: Int...) -> String {
        String(flipperBytes: values.map { UInt8(truncatingIfNeeded: $0) })
    }
}
