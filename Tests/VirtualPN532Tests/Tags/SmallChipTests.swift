// NTAG210µ and ST25TN01K, written from NXP's NT2L1001 and ST's DS13433 independently of Chips

import Testing

@testable import VirtualPN532

struct SmallChipTests {
    @Test func anNTAG210MicroKnowsGetVersionAndReadSigButNoFastReadAndNoPassword() throws {
        let tag = try VirtualTagKind.ntag210micro.type2()
        #expect(tag.send("60") == "00 04 04 01 02 00 0B 03")
        #expect(tag.send("3C 00").count == 32 * 3 - 1)
        #expect(tag.send("3A 00 03") == "NAK 0")
        #expect(tag.activate().send("1B FF FF FF FF") == "NAK 0")
        // READ continues at block 0 after block 0F.
        #expect(tag.activate().send("30 0F").hasSuffix(tag.activate().send("30 00").prefix(35)))
        #expect(tag.activate().send("30 10") == "NAK 0")
    }

    @Test func anST25TN01KSaysWhatItIsInBlock2D() throws {
        let tag = try VirtualTagKind.st25TN01K.type2()
        #expect(tag.send("60") == "NAK 0")
        #expect(tag.activate().send("30 2D").hasPrefix("90 90 01 00"))
        #expect(tag.send("30 03").hasPrefix("E1 10 14 00 03 00 FE"))
    }

    /// DYNLOCK_0 bit 0 locks blocks 10 and 11, SYSLOCK bit 0 the lock bits themselves.
    @Test func lockBitsOfAnST25TN01KCloseTwoBlocksEach() throws {
        let tag = try VirtualTagKind.st25TN01K.type2()
        #expect(tag.send("A2 2C 01 00 00 00") == "ACK")
        #expect(tag.send("A2 11 01 02 03 04") == "NAK 0")
        #expect(tag.activate().send("A2 12 01 02 03 04") == "ACK")
        #expect(tag.send("A2 2C 00 00 00 01") == "ACK")
        _ = tag.send("A2 2C 02 00 00 00")
        #expect(tag.activate().send("30 2C").hasPrefix("01 00 00 01"))
    }

    @Test(arguments: [0x2D, 0x2F, 0x30, 0x31, 0x3B])
    func systemBlocksOfAnST25TN01KTakeNoWrite(block: UInt8) throws {
        #expect(try VirtualTagKind.st25TN01K.type2().send("A2 \(String(block, radix: 16)) 01 02 03 04") == "NAK 0")
    }
}
