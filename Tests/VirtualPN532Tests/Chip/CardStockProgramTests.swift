// Tests of target mode with libnfc's and nfcpy's own programs

import Foundation
import Testing

@testable import VirtualPN532

extension StockProgramTests {
    /// A running program, which is ended after 30 seconds.
    final class Program {
        private let process = Process()
        private let output = Pipe()

        init(_ words: [String], environment: [String: String] = [:]) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
            // The program inherits blocked signals, and SIGTERM is one of them.
            process.arguments = ["-s", "KILL", "30"] + words
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = output
            process.standardError = output
            try process.run()
        }

        /// Starts libnfc's emulation of a Type 4 Tag on this reader.
        ///
        /// The program ends when the tag is released.
        convenience init(forumTag4On reader: VirtualReader, files: [String] = []) throws {
            try self.init(
                ["nfc-emulate-forum-tag4"] + files,
                environment: ["LIBNFC_DEVICE": reader.connection, "LIBNFC_LOG_LEVEL": "0"])
        }

        /// Waits until the program has ended, and returns its output.
        func end() -> String {
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// The built-in message of libnfc 1.8.0's `nfc-emulate-forum-tag4`: a smart poster.
    static let posterMessage = octets(
        "D1 02 1C 53 70 91 01 09 54 02 65 6E 4C 69 62 6E 66 63 51 01 0B 55 03 6C 69 62 6E 66 63 2E 6F 72 67")

    private func readers() throws -> (card: VirtualReader, other: VirtualReader) {
        let (one, other) = try Antenna.pair()
        return try (VirtualReader(antenna: one), VirtualReader(antenna: other))
    }

    @Test func aPhoneReadsLibnfcsCard() throws {
        let (air, card) = try Antenna.pair()
        let reader = try VirtualReader(antenna: card)
        let program = try Program(forumTag4On: reader)
        let phone = VirtualPhone(antenna: air)
        let found = try phone.activate()
        #expect(hex(found.sensRes) == "04 00")
        #expect(hex(found.nfcID1) == "08 00 B0 0B")
        #expect(found.selRes == 0x20)
        #expect(try phone.readNDEF() == Self.posterMessage)
        phone.leave()
        #expect(program.end().contains("Target Released"))
    }

    @Test func aPhoneWritesLibnfcsCard() throws {
        let (air, card) = try Antenna.pair()
        let reader = try VirtualReader(antenna: card)
        let program = try Program(forumTag4On: reader)
        let phone = VirtualPhone(antenna: air)
        // libnfc's MLc allows UPDATE BINARY with 255 bytes, but this would be two bytes more than its buffer has.
        let message = [0xC1, 0x01, 0x00, 0x00, 0x00, 0xF0, 0x54] + (0..<240).map { UInt8($0) }
        try phone.writeNDEF(message)
        #expect(try phone.readNDEF() == message)
        phone.deselect()
        #expect(program.end().contains("Target Released"))
    }

    @Test func nfcListFindsLibnfcsCard() throws {
        let (card, other) = try readers()
        let program = try Program(forumTag4On: card)
        // nfc-list polls once, possibly before the card is present.
        var text = ""
        for _ in 0..<100 where !text.contains("passive target(s) found") {
            text = try libnfc("nfc-list", reader: other)
        }
        #expect(text.contains("1 ISO14443A passive target(s) found:"))
        #expect(text.contains("UID (NFCID3): 08  00  b0  0b"))
        #expect(text.contains("ATQA (SENS_RES): 00  04"))
        #expect(text.contains("ATS: 75  33  92  03"))
        // nfc-list deselects the card that it found.
        #expect(program.end().contains("Target Released"))
    }

    @Test func nfcpyReadsAndWritesLibnfcsCard() throws {
        let script = """
            import sys, nfc, nfc.clf.transport, nfc.clf.pn532, ndef
            clf = nfc.ContactlessFrontend()
            clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
            tag = clf.connect(rdwr={'on-connect': lambda tag: False})
            print(tag)
            print(tag.ndef.octets.hex(' ').upper())
            tag.ndef.records = [ndef.UriRecord('https://example.org/' + 'x' * 200)]
            tag.ndef.has_changed
            print([record.iri for record in tag.ndef.records])
            clf.close()
            """
        let (card, other) = try readers()
        let program = try Program(forumTag4On: card)
        let text = try run([Self.python, "-c", script, other.path], environment: [:])
        #expect(text.contains("Type4ATag MIU=61"))
        #expect(text.contains(hex(Self.posterMessage) + "\n"))
        #expect(text.hasSuffix("['https://example.org/\(String(repeating: "x", count: 200))']\n"))
        #expect(program.end().contains("Target Released"))
    }

    /// For nfcpy's card, the host, not the chip, answers RATS and handles blocks.
    @Test func aPhoneReadsNfcpysCard() throws {
        let script = """
            import sys, nfc, nfc.clf.transport, nfc.clf.pn532, nfc.clf
            clf = nfc.ContactlessFrontend()
            clf.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
            listen = nfc.clf.LocalTarget('106A', sens_res=bytearray.fromhex('0400'),
                sdd_res=bytearray.fromhex('08010203'), sel_res=bytearray.fromhex('20'))
            target = clf.listen(listen, timeout=20)
            command = target.tt4_cmd
            try:
                while True:
                    command = clf.exchange(command[:1] + command[1:][::-1] + b'\\x90\\x00', 10)
            except nfc.clf.BrokenLinkError:
                print('released')
            clf.close()
            """
        let (air, card) = try Antenna.pair()
        let reader = try VirtualReader(antenna: card)
        let program = try Program([Self.python, "-c", script, reader.path])
        let phone = VirtualPhone(antenna: air)
        let found = try phone.activate()
        #expect(hex(found.nfcID1) == "08 01 02 03")
        #expect(hex(found.ats) == "05 78 80 70 02")
        #expect(hex(try phone.transceive([1, 2, 3])) == "03 02 01 90 00")
        #expect(hex(try phone.transceive([4, 5, 6, 7])) == "07 06 05 04 90 00")
        phone.leave()
        #expect(program.end() == "released\n")
    }
}
