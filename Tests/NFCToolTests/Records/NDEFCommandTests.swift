// nfctool ndef encode and decode, as a user runs them

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct NDEFCommandTests {
        @Test func encodeKeepsTheOrderOfOptionsAndFlags() async throws {
            let outcome = try await Tool.run(
                "ndef", "encode", "--empty", "--text", "--uri", "--hex", "--empty", "--uri", "a:b")
            #expect(outcome.output == "900000" + "1101085402656E2D2D757269" + "100000" + "5101045500613A62" + "\n")
            #expect(outcome.status == 0)
        }

        @Test func encodeAndDecodeAreInverse() async throws {
            try await Tool.withFolder { folder throws in
                let line = "nfctool ndef encode --text Hello --uri https://example.com"
                #expect(
                    try await Tool.shell("\(line) | nfctool ndef decode --json", in: folder).json()["messageLength"]
                        as? Int
                        == 28
                )
                #expect(
                    try await Tool.shell("\(line) | nfctool ndef encode --ndef @- | cmp - <(\(line))", in: folder)
                        .status
                        == 0)
                #expect(
                    try await Tool.shell("\(line) --hex | nfctool ndef decode --hex --json", in: folder).status == 0)
                #expect(
                    try await Tool.shell("\(line) --output m && nfctool ndef decode m --json", in: folder).status == 0)
            }
        }

        @Test func decodePrintsOneObject() async throws {
            let object = try await Tool.run(
                "ndef", "decode", "--hex", "--json", input: "D1 01 08 54 02 65 6E 48 65 6C 6C 6F\n"
            )
            .json()
            #expect(object.keys.sorted() == ["messageLength", "records", "schema"])
            #expect(object["schema"] as? Int == 1)
            #expect(object["messageLength"] as? Int == 12)
            let records = try #require(object["records"] as? [[String: Any]])
            #expect(records.map { $0["payload"] as? String } == ["02656E48656C6C6F"])
        }

        /// The content of stdin in hexadecimal, the failure's field and offset, and its text.
        static let broken: [(hex: String, field: String, offset: Int, message: String)] = [
            ("", "MB", 0, "Standard input is not an NDEF message: MB at offset 0 needs 1 byte; 0 are left."),
            (
                "D1010854", "PAYLOAD", 4,
                "Standard input is not an NDEF message: PAYLOAD at offset 4 needs 8 bytes; 0 are left."
            ),
            (
                "D0000000", "ME", 3,
                "Standard input is not an NDEF message: ME ended the message, but 1 byte follows at offset 3."
            ),
        ]

        @Test(arguments: broken)
        func anythingButOneMessageIsBadNDEF(_ hex: String, _ field: String, _ offset: Int, _ message: String)
            async throws
        {
            let outcome = try await Tool.run("ndef", "decode", "--hex", "--json", input: hex)
            let failure = try outcome.failure()
            #expect(outcome.status == 65)
            #expect(outcome.output.isEmpty)
            #expect(failure["error"] as? String == "badNDEF")
            #expect(failure["field"] as? String == field)
            #expect(failure["offset"] as? Int == offset)
            #expect(failure["message"] as? String == message)
        }

        @Test func hexTextWithoutTheFlagIsToldSo() async throws {
            let outcome = try await Tool.run("ndef", "decode", input: "D0 00 00")
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.hasPrefix(
                    "nfctool: Standard input is hexadecimal text, not the bytes of an NDEF message. Add --hex."))
        }

        @Test func notHexTextIsABadFile() async throws {
            let outcome = try await Tool.run("ndef", "decode", "--hex", "--json", input: "D0 0")
            #expect(outcome.status == 65)
            #expect(try outcome.failure()["error"] as? String == "badFile")
        }

        @Test func standardInputIsReadOnce() async throws {
            let outcome = try await Tool.run("ndef", "encode", "--hex", "--vcard", "@-", "--mime", "a/b=@-", input: "x")
            #expect(outcome.status == 64)
            #expect(
                outcome.errors.hasPrefix(
                    "nfctool: Only one option can read standard input. For the others, use a file: @FILE"))
        }

        @Test func rawBytesAreNotPrintedToATerminal() async throws {
            try await Tool.withFolder { folder throws in
                let refused = try await Tool.shell(
                    "script -qec 'nfctool ndef encode --empty' /dev/null </dev/null", in: folder)
                #expect(refused.status == 64)
                #expect(refused.output.contains("A message is raw bytes, which a terminal cannot show."))
                let forced = try await Tool.shell(
                    "script -qec 'nfctool ndef encode --empty --output -' /dev/null </dev/null", in: folder)
                #expect(forced.status == 0)
            }
        }

        @Test func endlessInputEnds() async throws {
            let outcome = try await Tool.run("ndef", "decode", "/dev/zero")
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.hasPrefix("nfctool: /dev/zero is longer than the limit of 10 MiB.")
            )
        }
    }
}
