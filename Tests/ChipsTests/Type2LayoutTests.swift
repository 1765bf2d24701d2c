// The memory layouts of Type 2 Tag chips are consistent

import Chips
import Testing

@Suite struct Type2LayoutTests {
    static let models = ChipModel.all.filter { $0.layout != nil }

    @Test(arguments: models)
    func theUserMemoryAndWhatFollowsItLieInBlocksThatExist(model: ChipModel) throws {
        let layout = try #require(model.layout)
        let existing = Set(layout.blocks.flatMap(\.self))
        #expect(Set(0..<layout.userEnd).isSubset(of: existing))
        if let lock = layout.dynamicLock {
            #expect(Set(lock.blocks).isSubset(of: existing))
            #expect(lock.blocks.lowerBound >= layout.userEnd)
        }
        if let protection = layout.protection {
            #expect(Set(protection.configurationBlocks).union(protection.secretBlocks).isSubset(of: existing))
            #expect(protection.configurationBlocks.lowerBound >= layout.userEnd)
        }
        #expect(layout.furtherUserBlocks.map { Set($0).isSubset(of: existing) } ?? true)
        #expect(layout.registerLockBlock.map { existing.contains($0) } ?? true)
        #expect(existing.isDisjoint(with: layout.sessionRegisters))
    }

    /// Static lock bits lock blocks 3 to 15, and dynamic lock bits the rest.
    @Test(arguments: models)
    func everyUserBlockHasALockBit(model: ChipModel) throws {
        let layout = try #require(model.layout)
        for block in 16..<max(16, layout.userEnd) {
            #expect(layout.dynamicLock?.bit(of: block) != nil, "block \(block)")
        }
    }

    /// If the capability container covered more blocks, phones would write lock bits and configuration.
    @Test(arguments: models)
    func theDataAreaEndsWithinTheUserMemory(model: ChipModel) throws {
        let (layout, formatting) = (try #require(model.layout), try #require(model.formatting))
        #expect(8 * Int(formatting.dataAreaSize) <= 4 * layout.userBlockCount)
        #expect(try #require(model.capacity) < 8 * Int(formatting.dataAreaSize))
    }

    /// The Lock Control TLV: PageAddr and ByteOffset, the number of bits, and the bytes per bit and per page as powers
    /// of two — NXP data sheets.
    @Test(arguments: models.filter { $0.formatting?.lockControl != nil })
    func theLockControlTLVPointsAtTheLockBits(model: ChipModel) throws {
        let value = try #require(model.formatting?.lockControl)
        let lock = try #require(model.layout?.dynamicLock)
        let address = Int(value[0] >> 4) << Int(value[2] & 0x0F) + Int(value[0] & 0x0F)
        #expect(address == lock.address)
        #expect(1 << Int(value[2] >> 4) == 4 * lock.blocksPerBit)
    }

    /// ST25TN01K: DYNLOCK_0 to DYNLOCK_2 and SYSLOCK in block 2Ch, counted as one row of bits.
    @Test(
        arguments: [
            (0x10, 0), (0x11, 0), (0x1F, 7), (0x20, 8), (0x2B, 13), (0x2C, 24), (0x2E, 26), (0x30, 28), (0x31, nil),
            (0x33, nil),
            (0x34, 18), (0x3F, 23),
        ] as [(Int, Int?)])
    func eachLockBitOfAnST25TN01KClosesItsBlocks(block: Int, bit: Int?) throws {
        let lock = try #require(ChipModel.st25TN01K.layout?.dynamicLock)
        #expect(lock.bit(of: block) == bit)
        #expect(lock.lockBits == [0xFF, 0x3F])
    }

    /// Writing the right password to the keyhole kills the tag.
    @Test func onlyTheMakersBlocksAndThoseThatKillAreUntouchable() throws {
        let layout = try #require(ChipModel.st25TN01K.layout)
        #expect((0...0x3F).filter(layout.isUntouchable) == [0x2D] + Array(0x2F...0x3B))
        #expect(
            ChipModel.all.filter { ($0.layout.map { $0.killBlocks != nil } ?? false) } == [.ultralightAES, .st25TN01K])
    }

    /// The data area minus its Lock Control TLV, and minus 2 bytes of NDEF TLV, or 4 for messages of 255 bytes or more.
    @Test(arguments: [
        ("ultralight", 46), ("ultralight-c", 137), ("ultralight-aes", 137), ("ultralight-ev1-11", 46),
        ("ultralight-ev1-21", 121),
        ("ntag203", 137),
        ("ntag210", 46), ("ntag210micro", 46), ("st25tn01k", 158), ("ntag212", 121), ("ntag213", 137), ("ntag215", 492),
        ("ntag216", 868), ("ntag-i2c-1k", 868),
        ("ntag-i2c-2k", 1868), ("ntag-i2c-plus-1k", 868), ("ntag-i2c-plus-2k", 868),
    ])
    func theCapacityFollowsFromTheDataArea(id: String, capacity: Int) throws {
        #expect(try #require(ChipModel(id: ChipModel.ID(rawValue: id))).capacity == capacity)
    }

    /// The bytes of a dump file of raw memory, including the session registers of an NTAG I2C.
    @Test(arguments: [
        ("ultralight", 64), ("ultralight-ev1-11", 80), ("ntag210", 80), ("ntag210micro", 64), ("st25tn01k", 256),
        ("ultralight-ev1-21", 164), ("ntag212", 164),
        ("ntag203", 168), ("ntag213", 180), ("ultralight-c", 192), ("ultralight-aes", 240), ("ntag215", 540),
        ("ntag216", 924),
        ("ntag-i2c-1k", 924), ("ntag-i2c-plus-1k", 944), ("ntag-i2c-2k", 1940), ("ntag-i2c-plus-2k", 1968),
        ("topaz96", 120), ("topaz512", 512), ("felica-lite-s", 448), ("classic-1k", 1024), ("classic-4k", 4096),
    ])
    func aDumpHasAsManyBytesAsTheChip(id: String, count: Int) throws {
        let model = try #require(ChipModel(id: ChipModel.ID(rawValue: id)))
        #expect(model.blockCount * model.blockLength == count)
    }
}
