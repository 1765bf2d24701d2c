// Tests of Type 1 Tags with libnfc's and nfcpy's own programs

import Foundation
import Testing

@testable import VirtualPN532

extension StockProgramTests {
    @Test func nfcJewelDumpsAndRestoresTheStaticMemory() throws {
        let path = NSTemporaryDirectory() + "nfctool-dump-\(getpid()).jwd"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let tag = try #require(VirtualTagKind.topaz96.make(uid: octets("31 32 33 34")) as? VirtualTopazTag)
        let reader = try VirtualReader(tags: [tag])
        let text = try libnfc("nfc-jewel", "r", path, reader: reader)
        #expect(text.contains("Found Jewel card with UID: 31323334"))
        #expect(text.contains("Done, 15 of 15 blocks read."))
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == tag.contents)

        let restored = tag.contents[..<16] + (0..<88).map { UInt8(truncatingIfNeeded: $0 &* 3) } + tag.contents[104...]
        try Data(restored).write(to: URL(fileURLWithPath: path))
        // Answer no to the questions about lock bytes and OTP bytes.
        let restoring = "printf 'n\\nn\\n' | nfc-jewel w '\(path)'"
        #expect(try libnfc("bash", "-c", restoring, reader: reader).contains("Done, 12 of 15 blocks written"))
        #expect(tag.contents == Array(restored))
    }

    @Test func nfcListShowsType1TagsAsJewelAndAsNothingElse() throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.topaz512.make(uid: octets("31 32 33 34"))])
        let text = try libnfc("nfc-list", reader: reader)
        #expect(text.contains("1 ISO14443A-3 Jewel passive target(s) found:"))
        #expect(text.contains("4-LSB JEWELID: 31  32  33  34"))
        #expect(text.components(separatedBy: "passive target(s) found").count == 2)
    }

    /// The longest messages are read and written, blank tags are formatted, and the costs are counted.
    @Test(arguments: [
        (VirtualTagKind.topaz96, VirtualTagKind.topaz96Blank, "Topaz (BCM20203T96)", 90),
        (.topaz512, .topaz512Blank, "Topaz 512 (BCM20203T512)", 462),
    ])
    func nfcpyReadsWritesAndFormatsType1(
        kind: VirtualTagKind, blank: VirtualTagKind, product: String, capacity: Int
    ) throws {
        let script = """
            import sys, nfc, nfc.clf.transport, nfc.clf.pn532
            clf = nfc.ContactlessFrontend()
            clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
            tag = clf.connect(rdwr={'on-connect': lambda tag: False})
            print(tag.product)
            if tag.ndef is None: print('format', tag.format())
            print(tag.ndef.capacity, tag.ndef.octets.hex())
            if len(sys.argv) > 2: tag.ndef.octets = bytes.fromhex(sys.argv[2])
            clf.close()
            """
        // Type 5 (unknown), no type, payload length in four bytes: 6 bytes of header.
        let payload = capacity - 6
        let message =
            octets("C5 00 00 00") + [UInt8(payload >> 8), UInt8(payload & 0xFF)]
            + (0..<payload).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let text = message.map { String(format: "%02x", $0) }.joined()
        for kind in [kind, blank] {
            let reader = try VirtualReader(tags: [kind.make()])
            let first = try run([Self.python, "-c", script, reader.path, text], environment: [:])
            #expect(first == "\(product)\n" + (kind == blank ? "format True\n" : "") + "\(capacity) \n")
            reader.resetStatistics()
            let second = try run([Self.python, "-c", script, reader.path], environment: [:])
            #expect(second == "\(product)\n\(capacity) \(text)\n")
        }
    }
}
