// Dump files in place of tags

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct DumpArgumentTests {
        /// Creates a tag with a URI, and its dump in a format.
        private func dump(_ kind: String, _ format: String, in folder: String) async throws {
            let reader = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
            #expect(
                try await Tool.run(["write", "--uri", "https://example.com", "--yes"] + reader, in: folder).status == 0)
            #expect(try await Tool.run(["dump", "dump.\(format)"] + reader, in: folder).status == 0)
        }

        @Test(arguments: [
            ("ntag213", "nfc"), ("ntag215", "bin"), ("ntag216", "eml"), ("ntag213", "hex"), ("ultralight", "json"),
            ("ultralight-c", "json"), ("ntag203", "bin"), ("ntag-i2c-1k", "json"), ("classic1k-ndef", "mct"),
            ("classic4k-ndef", "nfc"),
            ("classic1k-ndef", "eml"), ("felica-lite-s-ndef", "json"), ("type4", "json"),
        ])
        func aDumpIsReadAndDescribedLikeItsTag(kind: String, format: String) async throws {
            try await Tool.withFolder { folder in
                try await dump(kind, format, in: folder)
                let reader = ["--reader", "virtual:tag.nfc", "--json"]
                for command in ["read", "info"] {
                    var tag = try await Tool.run([command] + reader, in: folder).json()
                    var file = try await Tool.run(command, "dump.\(format)", "--json", in: folder).json()
                    #expect(file["file"] as? String == "dump.\(format)" && file["reader"] == nil)
                    (tag["reader"], file["file"]) = (nil, nil)
                    // A dump does not contain the activation data, and a virtual tag gets no verdict on its signature.
                    tag["activation"] = nil
                    tag["signature"] = (tag["signature"] as? [String: Any])?["hex"]
                    file["signature"] = (file["signature"] as? [String: Any])?["hex"]
                    // Raw memory contains no signature and no counter.
                    for member in ["signature", "counters"] where !["nfc", "json"].contains(format) {
                        (tag[member], file[member]) = (nil, nil)
                    }
                    #expect(NSDictionary(dictionary: file) == NSDictionary(dictionary: tag), "\(command)")
                }
                let decoded = try await Tool.run("ndef", "decode", "dump.\(format)", "--json", in: folder).json()
                #expect(decoded["messageLength"] as? Int == 16)
                let check = try await Tool.run("ndef", "check", "dump.\(format)", "--json", in: folder)
                #expect(try check.json()["uid"] != nil && check.status == 0)
            }
        }

        @Test func aFileWithoutABlockSaysSo() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool dump -q blank.nfc --reader virtual:classic1k
                    sed -i 's/^Block 9: .*/Block 9: ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??/' blank.nfc
                    nfctool info blank.nfc; echo $?
                    nfctool write -q --uri https://a.example --reader 'virtual:card.nfc?kind=classic1k-ndef'
                    sed -i 's/^Block 4: .*/Block 4: ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??/' card.nfc
                    nfctool read card.nfc; echo $?
                    nfctool dump -q tag.json --reader virtual
                    grep -v '"6":' tag.json > hole.json
                    nfctool read hole.json; echo $?
                    """, in: folder)
                #expect(outcome.output.contains("block 9 is not in this file"))
                #expect(outcome.errors.contains("Block 4 is not in this file."))
                #expect(outcome.errors.contains("Block 6 is not in this file."))
                #expect(outcome.output.split(separator: "\n").filter { $0.count <= 2 } == ["0", "65", "65"])
                #expect(!outcome.errors.contains("password") && !outcome.errors.contains("connection"))
            }
        }

        @Test func aDumpWithoutAMessageSaysSo() async throws {
            try await Tool.withFolder { folder in
                for kind in ["ntag213", "classic1k"] {
                    let reader = "virtual:\(kind)"
                    #expect(try await Tool.run("dump", "\(kind).nfc", "--reader", reader, in: folder).status == 0)
                }
                let empty = try await Tool.run("ndef", "decode", "ntag213.nfc", in: folder)
                #expect(empty.status == 0 && empty.output.filter { !$0.isNewline }.isEmpty)
                #expect(empty.errors == "ntag213.nfc is the dump of a tag with an empty message.\n")
                let blank = try await Tool.run("ndef", "decode", "classic1k.nfc", in: folder)
                let reason = "it has no MIFARE application directory"
                #expect(blank.errors == "classic1k.nfc is the dump of a tag with no message: \(reason).\n")
                let json = try await Tool.run("ndef", "decode", "ntag213.nfc", "--json", in: folder)
                #expect(try json.errors.isEmpty && json.json()["messageLength"] as? Int == 0)
            }
        }

        @Test func theContentDecidesBetweenMessageAndDump() async throws {
            try await Tool.withFolder { folder in
                try await dump("ntag213", "hex", in: folder)
                #expect(try await Tool.run("ndef", "encode", "--text", "Hello", "-o", "m", in: folder).status == 0)
                #expect(try await Tool.run("ndef", "decode", "m", in: folder).output.hasPrefix("1  Text  Hello"))
                let hex = try await Tool.run("ndef", "decode", "dump.hex", "--hex", in: folder)
                #expect(hex.status == 65 && hex.output.isEmpty)
                // A message in hexadecimal is not a dump.
                let text = try await Tool.run("ndef", "decode", input: "D1 01 08 54 02 65 6E 48 65 6C 6C 6F")
                #expect(text.status == 65 && text.errors.contains("--hex"))
                let broken = try await Tool.run("ndef", "decode", input: "Filetype: Flipper NFC device\nVersion: 9\n")
                #expect(broken.status == 65 && broken.errors.contains("Version"))
                let neither = try await Tool.run("ndef", "decode", "--json", input: "nonsense").failure()
                #expect(neither["error"] as? String == "badNDEF")
            }
        }

        /// Parts of a message that have the size of an Ultralight, an NTAG213 and an NTAG215.
        @Test(arguments: [64, 65, 180, 540]) func aPartOfAMessageIsNoEmptyTag(size: Int) async throws {
            try await Tool.withFolder { folder in
                let text = String(repeating: "a", count: 600)
                let made = try await Tool.shell("nfctool ndef encode --text \(text) | head -c \(size) >m", in: folder)
                #expect(made.status == 0)
                for command in [["ndef", "decode"], ["ndef", "check"], ["info"], ["read"]] {
                    let outcome = try await Tool.run(command + ["m"], in: folder)
                    #expect(outcome.status == 65 && outcome.output.isEmpty, "\(command): \(outcome.output)")
                }
            }
        }

        @Test func aWrongCheckByteInADumpThatSaysWhatItIsIsReported() async throws {
            try await Tool.withFolder { folder in
                try await dump("ntag213", "nfc", in: folder)
                let path = folder + "/dump.nfc"
                let file = try String(contentsOfFile: path, encoding: .utf8)
                let place = try #require(file.firstRange(of: "Page 2: ")).upperBound
                let byte = try #require(UInt8(file[place...].prefix(2), radix: 16))
                let wrong = String(byte ^ 0x11, radix: 16, uppercase: true)
                try file.replacing(
                    "Page 2: \(file[place...].prefix(2))", with: "Page 2: \(wrong.count == 1 ? "0" : "")\(wrong)"
                )
                .write(toFile: path, atomically: true, encoding: .utf8)
                for command in ["info", "read"] {
                    let outcome = try await Tool.run(command, "dump.nfc", in: folder)
                    #expect(outcome.status == 0)
                    #expect(command == "info" || outcome.output.contains("https://example.com"))
                    #expect(outcome.errors.contains("dump.nfc may be damaged. The value of byte 0 of block 2 is"))
                }
            }
        }

        @Test func missingFilesAndReaderOptionsAreRefused() async throws {
            try await Tool.withFolder { folder in
                let missing = try await Tool.run("info", "lock", "--json", in: folder).failure()
                #expect(missing["error"] as? String == "badFile")
                try await dump("ntag213", "nfc", in: folder)
                for options in [
                    ["--reader", "virtual"], ["--uid", "04"], ["--timeout", "1s"], ["--type", "2"], ["--fast"],
                    ["--trace"],
                ] {
                    for command in ["info", "read"] {
                        let outcome = try await Tool.run([command, "dump.nfc"] + options, in: folder)
                        #expect(outcome.status == 64 && outcome.errors.contains(options[0]))
                    }
                }
                let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/dump.nfc"))
                #expect(try await Tool.run("read", "dump.nfc", "--output", "m", in: folder).status == 0)
                #expect(try await Tool.run("ndef", "decode", "m", in: folder).output == "1  URI  https://example.com\n")
                #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/dump.nfc")) == before)
            }
        }

        @Test func aDifferenceIsReportedByExitCodeOnRequest() async throws {
            try await Tool.withFolder { folder in
                try await dump("ntag213", "json", in: folder)
                let again = ["dump", "again.bin", "--reader", "virtual:tag.nfc"]
                #expect(try await Tool.run(again, in: folder).status == 0)
                #expect(try await Tool.run("diff", "dump.json", "again.bin", "--exit-code", in: folder).status == 0)
                let text = try String(contentsOfFile: folder + "/dump.json", encoding: .utf8)
                try text.replacing("\"39\": \"00000000\"", with: "\"39\": \"11111111\"")
                    .write(toFile: folder + "/other.json", atomically: true, encoding: .utf8)
                let differing = try await Tool.run("diff", "dump.json", "other.json", "--exit-code", in: folder)
                #expect(differing.status == 1 && differing.errors.isEmpty && !differing.output.isEmpty)
                #expect(try await Tool.run("diff", "dump.json", "other.json", in: folder).status == 0)
                let json = try await Tool.run("diff", "dump.json", "other.json", "--exit-code", "--json", in: folder)
                #expect(try json.status == 1 && json.json()["same"] as? Bool == false && json.errors.isEmpty)
            }
        }
    }
}
