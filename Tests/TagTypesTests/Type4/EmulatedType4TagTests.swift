// An emulated Type 4 Tag — NFC Forum T4T, mapping version 2.0; status words of ISO/IEC 7816-4
import Testing

@testable import TagTypes

@Suite struct EmulatedType4TagTests {
    /// A URI record, https://example.com.
    private static let message = bytes("D1 01 0C 55 04 6578616D706C652E636F6D")

    private static func tag(isWritable: Bool = false, capacity: Int = 0) throws -> EmulatedType4Tag {
        try EmulatedType4Tag(message: message, isWritable: isWritable, capacity: capacity)
    }

    private static let selectApplication = "00A4040007D276000085010100"

    /// A complete exchange, in the order of NFC Forum T4T's NDEF Detection and Read Procedures.
    @Test func aReaderFindsTheMessage() throws {
        var tag = try Self.tag()
        let conversation = [
            (Self.selectApplication, "9000"),
            ("00A4000C02E103", "9000"),
            // CCLEN, 2.0, MLe, MLc, NDEF File Control TLV: E104, 18 bytes, read 00, write FF
            ("00B000000F", "000F 20 00FF 00FF 0406 E104 0012 00 FF 9000"),
            ("00A4000C02E104", "9000"),
            ("00B0000002", "0010 9000"),
            ("00B0000210", "D1010C55046578616D706C652E636F6D 9000"),
        ]
        for (command, answer) in conversation { #expect(tag.response(to: bytes(command)) == bytes(answer)) }
        #expect(tag.message == Self.message)
    }

    /// Each command follows the named selections.
    @Test(arguments: [
        // SELECT
        ("", "00A4040007D2760000850101", "9000"),
        ("", "00A4040C07D2760000850101", "9000"),
        // the application of mapping version 1.0, a prefix, another name, no name
        ("", "00A4040007D276000085010000", "6A82"),
        ("", "00A4040006D27600008501", "6A82"),
        ("", "00A4040005A000000003", "6A82"),
        ("", "00A40400", "6A87"),
        // occurrences other than the first or only one
        ("", "00A4040207D2760000850101", "6A86"),
        ("", "00A4080C02E103", "6A86"),
        // a file without its application, files that are not there
        ("", "00A4000C02E103", "6A82"),
        ("A", "00A4000C02E103", "9000"),
        ("A", "00A4000002E104", "9000"),
        ("A", "00A4000C02E105", "6A82"),
        ("A", "00A4000C023F00", "6A82"),
        ("A", "00A4000C01E1", "6A87"),
        ("A", "00A4000C03E10300", "6A87"),
        // a name that is not found leaves the selection unchanged
        ("AF", "00A4000C02E105 then 00B0000002", "0010 9000"),
        // READ BINARY
        ("", "00B0000002", "6986"),
        ("A", "00B0000002", "6986"),
        ("AC", "00B0000E01", "FF 9000"),
        ("AC", "00B0000F01", "6B00"),
        ("AC", "00B0000000", "000F20 00FF 00FF 0406E1040012 00FF 9000"),
        ("AC", "00B0000D05", "00FF 6282"),
        ("AF", "00B0001100", "6D 9000"),
        ("AF", "00B0001200", "6B00"),
        ("AF", "00B07FFF01", "6B00"),
        ("AF", "00B0810001", "6A86"),
        ("AF", "00B00000", "6700"),
        ("AF", "00B0000001AA", "6700"),
        // UPDATE BINARY of a read-only file
        ("AF", "00D60000020000", "6982"),
        ("AC", "00D6000E0100", "6982"),
        ("A", "00D60000020000", "6986"),
        // instructions, classes
        ("AF", "00B10000", "6D00"),
        ("AF", "00CA000000", "6D00"),
        ("", "90600000 00", "6E00"),
        ("", "01A4040007D276000085010100", "6881"),
        ("", "0CB0000002", "6882"),
        ("", "10D60000020000", "6884"),
        ("", "FFB0000002", "6E00"),
        // lengths
        ("", "", "6700"),
        ("", "00", "6700"),
        ("", "00B000", "6700"),
        ("", "00A4040007D27600008501", "6700"),
        ("", "00A4040007D2760000850101 0000", "6700"),
        ("", "00A4040000 0007 D2760000850101", "6700"),
    ])
    func aCommandIsAnsweredWith(selected: String, command: String, answer: String) throws {
        var tag = try Self.tag()
        select(selected, in: &tag)
        let commands = command.split(separator: "then", omittingEmptySubsequences: false).map(String.init)
        for command in commands.dropLast() { _ = tag.response(to: bytes(command)) }
        #expect(tag.response(to: bytes(commands.last ?? "")) == bytes(answer))
        #expect(tag.message == Self.message)
    }

    /// A writable file of 100 + 2 bytes.
    @Test(arguments: [
        ("F", "00D60000020000", "9000"),
        ("F", "00D6006501AA", "9000"),
        ("F", "00D6006502AAAA", "6A84"),
        ("F", "00D6006601AA", "6B00"),
        ("F", "00D6000000", "6700"),
        ("F", "00D60000", "6700"),
        ("F", "00D60000020000 00", "6700"),
        ("F", "00D6810001AA", "6A86"),
        ("C", "00D6000E01FF", "6982"),
    ])
    func aWriteIsAnsweredWith(file: String, command: String, answer: String) throws {
        var tag = try Self.tag(isWritable: true, capacity: 100)
        select("A" + file, in: &tag)
        #expect(tag.response(to: bytes(command)) == bytes(answer))
    }

    /// NFC Forum T4T's NDEF Write Procedure.
    @Test func aWriterLeavesItsMessage() throws {
        var tag = try Self.tag(isWritable: true, capacity: 100)
        select("A", in: &tag)
        _ = tag.response(to: bytes("00A4000C02E103"))
        #expect(tag.response(to: bytes("00B0000B04")) == bytes("0066 0000 9000"))
        _ = tag.response(to: bytes("00A4000C02E104"))
        #expect(tag.response(to: bytes("00D60000020000")) == bytes("9000"))
        #expect(tag.message == [])
        #expect(tag.response(to: bytes("00D6000203D00000")) == bytes("9000"))
        #expect(tag.response(to: bytes("00D60000020003")) == bytes("9000"))
        #expect(tag.message == bytes("D00000"))
        // The length is more than the file holds: there is no message, and nothing traps.
        #expect(tag.response(to: bytes("00D6000002FFFF")) == bytes("9000"))
        #expect(tag.message == nil)
    }

    @Test func theNextReaderSelectsAnew() throws {
        var tag = try Self.tag()
        select("AF", in: &tag)
        tag.reset()
        #expect(tag.response(to: bytes("00B0000002")) == bytes("6986"))
    }

    @Test(arguments: [(0, 5), (1, 5), (3, 5), (4, 6), (32_765, 0x7FFF)])
    func theFileIsAsLargeAsItsMessage(length: Int, size: Int) throws {
        var tag = try EmulatedType4Tag(message: [UInt8](repeating: 0xD0, count: length))
        select("AC", in: &tag)
        #expect(tag.response(to: bytes("00B0000B02")) == [UInt8(size >> 8), UInt8(size & 0xFF), 0x90, 0x00])
        #expect(tag.message?.count == length)
    }

    @Test func aMessageThatNoOffsetReachesIsRefused() {
        #expect(throws: TagError.tooLong(length: 32_766, capacity: 32_765)) {
            try EmulatedType4Tag(message: [UInt8](repeating: 0, count: 32_766))
        }
    }

    /// Every command that a writer sends, truncated at every byte and followed by every length, is answered with a
    /// status word.
    @Test func noBytesTrap() throws {
        let commands = [
            Self.selectApplication, "00A4000C02E104", "00B0000000", "00D60000020000",
            "00D600FF" + "FF" + String(repeating: "AA", count: 255),
        ].map { bytes($0) }
        for state in ["", "A", "AC", "AF"] {
            for command in commands {
                for length in 0...command.count {
                    for tail in [[], [0x00], [0xFF], [0x00, 0xFF, 0xFF]] as [[UInt8]] {
                        var tag = try Self.tag(isWritable: true, capacity: 600)
                        select(state, in: &tag)
                        let answer = tag.response(to: command.prefix(length) + tail)
                        #expect(2...258 ~= answer.count)
                    }
                }
            }
        }
    }

    /// The longest answers and commands that the container allows are supported.
    @Test func itKeepsMLeAndMLc() throws {
        var tag = try EmulatedType4Tag(message: [UInt8](repeating: 7, count: 600), isWritable: true)
        select("AF", in: &tag)
        #expect(tag.response(to: bytes("00B00002FF")).count == 257)
        #expect(tag.response(to: bytes("00B0000200")).count == 258)
        #expect(tag.response(to: bytes("00D60002FF") + [UInt8](repeating: 8, count: 255)) == bytes("9000"))
    }

    /// A: the application, C: the capability container, F: the NDEF file.
    private func select(_ what: String, in tag: inout EmulatedType4Tag) {
        let commands: [Character: String] = ["A": Self.selectApplication, "C": "00A4000C02E103", "F": "00A4000C02E104"]
        for name in what {
            #expect(tag.response(to: bytes(commands[name] ?? "")) == bytes("9000"))
        }
    }
}
