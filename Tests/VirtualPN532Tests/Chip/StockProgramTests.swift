// Tests with libnfc's and nfcpy's own programs

import Foundation
import Synchronization
import Testing

@testable import VirtualPN532

/// Independent programs work with the virtual reader in the same way as with a real one.
///
/// `nfc-list`, `nfc-read-forum-tag3`, `nfc-mfultralight` and `nfc-scan-device` are from libnfc 1.8.0 (Debian's
/// libnfc-bin), nfcpy is version 1.0.4 from PyPI, and libfreefare is version 0.4.0 (libfreefare-bin). `Scripts/test`
/// installs them and sets `NFCTOOL_TEST_PYTHON` to the Python with nfcpy.
@Suite(.serialized) struct StockProgramTests {
    static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

    /// Runs a program for at most 30 seconds, and returns its output.
    func run(_ words: [String], environment: [String: String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        // The program inherits blocked signals, and SIGTERM is one of them.
        process.arguments = ["-s", "KILL", "30"] + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    func libnfc(_ words: String..., reader: VirtualReader) throws -> String {
        try run(words, environment: ["LIBNFC_DEVICE": reader.connection, "LIBNFC_LOG_LEVEL": "0"])
    }

    @Test func nfcListFindsEveryTagOnceAndNoPhantoms() throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag215.make(), VirtualTagKind.type4.make()])
        let text = try libnfc("nfc-list", reader: reader)
        #expect(text.contains("2 ISO14443A passive target(s) found:"))
        #expect(text.contains("UID (NFCID1): 04  11  57  1f  00  01  80"))
        #expect(text.contains("UID (NFCID1): 04  16  57  1f  00  01  80"))
        #expect(text.components(separatedBy: "passive target(s) found").count == 2)
    }

    @Test func nfcListTellsTypeBAndFeliCa() throws {
        let tags = [VirtualTagKind.type4b, .type3].map { $0.make() }
        let text = try libnfc("nfc-list", reader: VirtualReader(tags: tags))
        for line in [
            "1 ISO14443B passive target(s) found:", "PUPI: 5e  0f  00  01", "Protocol Info: 00  81  71",
            "1 Felica (212 kbps) passive target(s) found:", "1 Felica (424 kbps) passive target(s) found:",
            "ID (NFCID2): 02  fe  57  1f  12  00  01  80", "System Code (SC): 12  fc",
        ] {
            #expect(text.contains(line))
        }
        #expect(text.components(separatedBy: "passive target(s) found").count == 4)
    }

    @Test(arguments: [(VirtualTagKind.feliCaLiteSNDEF, "13 blocks (208 bytes)"), (.type3, "64 blocks (1024 bytes)")])
    func nfcReadForumTag3ReadsTheAttributes(kind: VirtualTagKind, size: String) throws {
        let text = try libnfc("nfc-read-forum-tag3", "-o", "-", reader: VirtualReader(tags: [kind.make()]))
        #expect(text.contains(size))
        #expect(text.contains("* NDEF writing state: finished (0x00)"))
        #expect(text.contains("empty NFC Forum Tag Type 3"))
    }

    @Test func nfcScanDeviceKnowsTheChip() throws {
        let text = try libnfc("nfc-scan-device", "-v", reader: VirtualReader())
        #expect(text.contains("chip: PN532 v1.6"))
    }

    @Test func nfcMfultralightDumpsTheMemory() throws {
        let path = NSTemporaryDirectory() + "nfctool-dump-\(getpid()).mfd"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reader = try VirtualReader(tags: [VirtualTagKind.demonstration()])
        let text = try libnfc("nfc-mfultralight", "r", path, reader: reader)
        #expect(text.contains("Done, 135 of 135 pages read (0 pages failed)."))
        let dump = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(dump.starts(with: octets("04 A1 B2 9F C3 D4 E5 80")))
    }

    @Test func nfcMfultralightKnowsAPlainUltralight() throws {
        let path = NSTemporaryDirectory() + "nfctool-dump-ul-\(getpid()).mfd"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = try libnfc(
            "nfc-mfultralight", "r", path, reader: VirtualReader(tags: [VirtualTagKind.ultralight.make()]))
        #expect(text.contains("Done, 16 of 16 pages read (0 pages failed)."))
    }

    @Test(arguments: [
        VirtualTagKind.ntag203, .ntag213, .ntag215, .ntag216, .ntagI2C1K, .ntagI2C2K, .type4, .type4b,
        .feliCaLiteSNDEF, .type3,
    ])
    func nfcpyReadsAndWritesNDEF(kind: VirtualTagKind) throws {
        let script = """
            import sys, nfc, nfc.clf.transport, nfc.clf.pn532, ndef
            clf = nfc.ContactlessFrontend()
            clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
            # False is a reader that answered late, on a busy machine.
            tag = next(filter(None, (clf.connect(rdwr={'on-connect': lambda tag: False}) for _ in range(5))))
            print(tag)
            print([record.iri for record in tag.ndef.records])
            tag.ndef.records = [ndef.UriRecord('https://example.org/' + 'x' * 100)]
            clf.close()
            """
        let reader = try VirtualReader(tags: [kind.make()])
        let first = try run([Self.python, "-c", script, reader.path], environment: [:])
        #expect(first.hasSuffix("[]\n"))
        let second = try run([Self.python, "-c", script, reader.path], environment: [:])
        #expect(second.hasSuffix("['https://example.org/\(String(repeating: "x", count: 100))']\n"))
    }

    /// nfcpy's name for the chip, a call to make, and the output of the call.
    @Test(arguments: [
        (VirtualTagKind.ultralightC, "Mifare Ultralight C (MF01CU2)", "tag.authenticate(b'')", "True"),
        (.ultralightC, "Mifare Ultralight C (MF01CU2)", "tag.authenticate(b'0123456789abcdef')", "False"),
        (.ultralightC, "Mifare Ultralight C (MF01CU2)", "tag.protect(b'0123456789abcdef', True, 5)", "True"),
        (.ntag203, "NXP NTAG203", "tag.protect()", "True"),
        (.ntag213, "NXP NTAG213", "tag.protect(b'secret', True, 0)", "True"),
        (.ntag213, "NXP NTAG213", "tag.signature", "b'nfctool: no NXP key signed this.'"),
        (.ntagI2C1K, "NTAG I2C 1K (NT3H1101)", "tag.dump()[-1]", "3F9: 08 01 21 00 (WDT1, CLK, NS, RFU)"),
        (.ntagI2C2K, "NTAG I2C 2K (NT3H1201)", "tag.dump()[-1]", "3F9: 08 01 21 00 (WDT1, CLK, NS, RFU)"),
        // All services of both systems, including those that require keys, and the lines of all blocks.
        (
            .feliCaStandard, "FeliCa Standard (RC-S???)",
            "' '.join(x.split('(')[1][:-1] for x in tag.dump() if 'Service' in x)",
            "0x0048 0x0088 0x008B 0x090C 0x090F 0x1009 0x104D 0x0009 0x000B"
        ),
        (.feliCaStandard, "FeliCa Standard (RC-S???)", "len(tag.dump())", "41"),
        (
            .feliCaStandard, "FeliCa Standard (RC-S???)", "tag.ndef.length, tag.ndef.capacity, tag.ndef.is_writeable",
            "(0, 1024, True)"
        ),
        (
            .feliCaStandard, "FeliCa Standard (RC-S???)",
            "tag.request_response(), tag.request_service([nfc.tag.tt3.ServiceCode(0x24, 0x0F)])", "(0, [4])"
        ),
    ])
    func nfcpyKnowsTheChip(kind: VirtualTagKind, product: String, call: String, answer: String) throws {
        let script = """
            import sys, nfc, nfc.clf.transport, nfc.clf.pn532
            clf = nfc.ContactlessFrontend()
            clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
            tag = clf.connect(rdwr={'on-connect': lambda tag: False})
            print(tag.product)
            print(eval(sys.argv[2]))
            clf.close()
            """
        let reader = try VirtualReader(tags: [kind.make()])
        let text = try run([Self.python, "-c", script, reader.path, call], environment: [:])
        #expect(text.hasSuffix("\(product)\n\(answer)\n"))
    }
}
