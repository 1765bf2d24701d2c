// Lock bits, one-time bits and torn writes of Topaz tags — NFC Forum Type 1 Tag; Broadcom BCM20203T96, BCM20203T512

import Testing
@testable import VirtualPN532

@Suite struct TopazLockTests {
    @Test func noErasingWriteSetsBitsOnly() {
        var card = TopazCard.ready(.topaz512)
        #expect(card.send("53 20 55") == "20 55")
        #expect(card.send("1A 20 0F") == "20 5F")
        #expect(card.send("1A 20 00") == "20 5F")
        #expect(card.send("53 20 0F") == "20 0F")
        #expect(card.send("54 10 11 11 11 11 11 11 11 11") == "10 11 11 11 11 11 11 11 11")
        #expect(card.send("1B 10 22 00 01 10 FF 80 08 02") == "10 33 11 11 11 FF 91 19 13")
    }

    @Test(arguments: [0x00, 0x0D])
    func factoryLockedBlocksRefuseEveryWrite(block: Int) {
        for chip in [TopazChip.topaz96, .topaz512] {
            var card = TopazCard.ready(chip)
            let before = card.memory
            for byte in 0..<8 {
                let address = String(flipperBytes: [UInt8(8 * block + byte)])
                #expect(card.send("53 \(address) FF") == "-")
                #expect(card.send("1A \(address) FF") == "-")
            }
            #expect(card.memory == before)
        }
    }

    @Test func oneTimeBytesOnlyGoUp() {
        var card = TopazCard.ready(.topaz96)
        #expect(card.send("1A 72 0F") == "72 0F")
        #expect(card.send("1A 72 F0") == "72 FF")
        #expect(card.send("1A 72 00") == "72 FF")
        #expect(card.send("53 72 00") == "-")
        #expect(card.send("01 72 00") == "72 FF")
    }

    @Test(arguments: 1...0x0C)
    func staticLockBitLocksItsBlockForEver(block: Int) {
        for chip in [TopazChip.topaz96, .topaz512] {
            var card = TopazCard.ready(chip)
            let lockByte = block < 8 ? "70" : "71"
            let bit = String(flipperBytes: [UInt8(1 << (block % 8))])
            #expect(card.send("1A \(lockByte) \(bit)").hasPrefix(lockByte))
            for other in 1...0x0C {
                let address = String(flipperBytes: [UInt8(8 * other + 7)])
                #expect((card.send("53 \(address) A5") == "-") == (other == block))
                #expect((card.send("1A \(address) A5") == "-") == (other == block))
            }
            #expect(card.send("1A \(lockByte) 00").hasPrefix(lockByte))
            #expect(card.send("53 \(lockByte) 00") == "-")
            card.powerOff()
            card.poll()
            #expect(card.send("53 \(String(flipperBytes: [UInt8(8 * block)])) A5") == "-")
        }
    }

    @Test(arguments: 0x10...0x3F)
    func dynamicLockBitLocksItsBlock(block: Int) {
        var card = TopazCard.ready(.topaz512)
        let (lockByte, bit) = (0x7A + (block - 0x10) / 8, UInt8(1 << (block % 8)))
        #expect(card.send("1A \(String(flipperBytes: [UInt8(lockByte), bit]))") != "-")
        for other in 0x10...0x3F {
            let write = String(flipperBytes: [UInt8(other)]) + " A5 A5 A5 A5 A5 A5 A5 A5"
            #expect((card.send("54 " + write) == "-") == (other == block))
            #expect((card.send("1B " + write) == "-") == (other == block))
        }
    }

    /// For an ACR122U and a real Topaz 512 (Stack Overflow 61275660), WRITE-NE to 7F is answered, and WRITE-E is not.
    @Test func blockFTakesBitsButNoErasing() {
        var card = TopazCard.ready(.topaz512)
        #expect(card.send("1A 7F 42") == "7F 42")
        #expect(card.send("53 7F 42") == "-")
        #expect(card.send("54 0F 00 00 00 00 00 00 00 00") == "-")
        #expect(card.send("1B 0F 01 00 00 00 00 00 00 00") == "0F 01 00 00 00 00 00 00 42")
    }

    // MARK: Tearing

    @Test func tornByteIsAnyMixtureOfOldErasedAndNewAndNoOther() {
        var seen: Set<UInt8> = []
        for serial in UInt8(0)..<64 {
            var card = torn("53 20 F0", over: "53 20 0F", serial: serial)
            seen.insert(card.memory.bytes[0x20])
            #expect(card.memory.bytes[0x21] == 0x00 && card.memory.bytes[0x1F] == 0x00)
            #expect(card.send("01 20 00") == "-")
        }
        // Power fails during erasing (bits of 0F) or during writing (bits of F0), never during both.
        #expect(seen.allSatisfy { $0 & 0xF0 == 0 || $0 & 0x0F == 0 })
        #expect(seen.contains { $0 & 0x0F != 0 } && seen.contains { $0 & 0xF0 != 0 })
    }

    @Test func tornBlockIsTornWhole() {
        var seen: Set<[UInt8]> = []
        for serial in UInt8(0)..<64 {
            let card = torn(
                "54 10 F0 F0 F0 F0 F0 F0 F0 F0", over: "54 10 0F 0F 0F 0F 0F 0F 0F 0F", serial: serial)
            let block = Array(card.memory.bytes[0x80..<0x88])
            #expect(block.allSatisfy { $0 & 0xF0 == 0 } || block.allSatisfy { $0 & 0x0F == 0 })
            seen.insert(block)
        }
        #expect(seen.count > 32)
    }

    @Test func tornNoErasingWriteKeepsTheBitsThatWereSet() {
        for serial in UInt8(0)..<32 {
            let card = torn("1A 72 FF", over: "1A 72 0F", serial: serial)
            #expect(card.memory.bytes[0x72] & 0x0F == 0x0F)
        }
    }

    @Test func tornWriteToALockedBlockChangesNothing() {
        var card = TopazCard.ready(.topaz96)
        card.receiveTorn(bytes("53 68 FF 31 32 33 34"))
        #expect(card.generation == 0)
    }

    private func torn(_ command: String, over first: String, serial: UInt8) -> TopazCard {
        let uid: [UInt8] = [0x31, 0x32, 0x33, 0x34, 0x35, serial, 0x25]
        var card = TopazCard(memory: TopazMemory(chip: .topaz512, uid: uid, isFormatted: false))
        card.poll()
        #expect(card.send(first) != "-")
        card.receiveTorn(bytes(command + " 31 32 33 34"))
        return card
    }
}
