// NTAG 223 DNA and NTAG 224 DNA: version, SUN message, key lock, protection

import Testing
@testable import VirtualPN532

@Suite struct NTAG22xTests {
    private static let kinds: [(VirtualTagKind, first: Int)] = [(.ntag223DNA, 0x29), (.ntag224DNA, 0x39)]

    private func write(_ bytes: String, to block: Int, of tag: VirtualType2Tag) -> String {
        tag.send("A2 \(String(flipperBytes: [UInt8(block)])) \(bytes)")
    }

    @Test func itSaysWhatItIs() throws {
        #expect(try VirtualTagKind.ntag223DNA.type2().send("60") == "00 04 04 02 04 00 0F 03")
        #expect(try VirtualTagKind.ntag224DNA.type2().send("60") == "00 04 04 02 05 00 10 03")
    }

    /// The CMAC is calculated by `openssl mac`, with the key 00…0F over UID and counter.
    @Test(arguments: kinds) func theSUNMessageHasUIDCounterAndCMAC(kind: VirtualTagKind, first: Int) throws {
        let uid = bytes("04 11 22 33 44 55 80")
        let tag = try #require(kind.make(uid: uid) as? VirtualType2Tag).activate()
        for (index, part) in ["0F 0E 0D 0C", "0B 0A 09 08", "07 06 05 04", "03 02 01 00"].enumerated() {
            #expect(write(part, to: first + 11 + index, of: tag) == "ACK")
        }
        #expect(
            tag.send("30 \(String(flipperBytes: [UInt8(first + 11)]))") == "00" + String(repeating: " 00", count: 15))
        // MIRROR_EN, MIRROR_BYTE 3, MIRROR_PAGE 8, AUTH0 beyond the memory.
        #expect(write("98 00 08 FF", to: first, of: tag) == "ACK")
        #expect(tag.send("30 08").hasPrefix("00 00 00 00"))
        let shown = bytes(tag.activate().send("3A 08 12"))
        #expect(
            String(decoding: shown.dropFirst(3).prefix(38), as: UTF8.self) == "04112233445580x000000xDE0A3B0BDF6661E3")
        #expect(tag.contents[32..<80].allSatisfy { $0 == 0 })
        let loaded = try #require(try FlipperFile.parse(tag.flipperText) as? VirtualType2Tag)
        #expect(bytes(loaded.activate().send("3A 08 12")) == shown)
    }

    @Test(arguments: kinds) func locksAndProtectionAreEnforced(kind: VirtualTagKind, first: Int) throws {
        let tag = try kind.type2()
        #expect(write("80 00 00 00", to: first + 4, of: tag) == "ACK")
        #expect(write("01 01 01 01", to: first + 11, of: tag.activate()) == "NAK 0")
        #expect(write("00 00 00 00", to: first + 10, of: tag.activate()) == "ACK")
        #expect(write("00 00 00 05", to: first, of: tag) == "ACK")
        #expect(write("00 00 00 00", to: 5, of: tag.activate()) == "NAK 0")
        #expect(tag.activate().send("30 05") != "NAK 0")
        // The 223 has no key, and the 224 no password.
        let foreign = kind == .ntag223DNA ? "1A 00" : "1B FF FF FF FF"
        for command in [foreign, "39 02", "3C 00"] {
            #expect(tag.activate().send(command) == "NAK 0")
        }
    }
}
