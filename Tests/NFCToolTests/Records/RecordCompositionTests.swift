// The records that options create, and the reasons why they create none

import ArgumentParser
import Composing
import Foundation
import Hexadecimal
import NDEF
import Testing

@testable import nfctool

/// Returns the message that a command line describes.
func message(_ words: [String]) throws -> NDEFMessage {
    try RecordOptions.parse(words).message(arguments: words)
}

@Suite struct RecordCompositionTests {
    /// Options and the message's bytes.
    ///
    /// ndeflib 0.3.3 also creates the marked messages (`ndef.message_encoder`).
    static let rows: [(words: [String], hex: String)] = [
        (["--text", "Hello"], "D101085402656E48656C6C6F"),  // ndeflib
        (["--text", "@file", "--lang", "de"], "D10108540264654066696C65"),
        (["--uri", "https://example.com"], "D1010C55046578616D706C652E636F6D"),  // ndeflib
        (
            ["--smart-poster", "https://example.com", "--title", "Hi"],
            "D102195370 91010C55046578616D706C652E636F6D 5101055402656E4869"  // ndeflib
        ),
        (
            ["--smart-poster", "a:b", "--empty", "--title", "T", "--smart-poster", "c:d"],
            "9102105370 9101045500613A62 5101045402656E54 100000 5102085370 D1010455 00633A64"
        ),
        (["--mime", "text/plain=a=b"], "D20A03746578742F706C61696E613D62"),  // ndeflib
        (["--mime", "text/plain;charset=utf-8=Hi"], "D21802746578742F706C61696E3B636861727365743D7574662D384869"),
        (["--mime", "a/b;c=\"=;\"=hex:00ff"], "D20A02612F623B633D223D3B2200FF"),
        (["--mime", "text/plain=hex:"], "D20A00746578742F706C61696E"),
        (["--external", "example.com:badge=hex:0A 0B"], "D411026578616D706C652E636F6D3A62616467650A0B"),  // ndeflib
        (["--external", "a:b:c=d=e"], "D40503613A623A63643D65"),
        (
            ["--app", "com.example.app"],
            "D40F0F616E64726F69642E636F6D3A706B67636F6D2E6578616D706C652E617070"  // ndeflib
        ),
        (["--vcard", "BEGIN:VCARD"], "D20A0B746578742F7663617264424547494E3A5643415244"),  // ndeflib
        (["--empty"], "D00000"),  // ndeflib
        (
            ["--text", "a", "--ndef", "hex:91010355006162 5101015500", "--uri", "x:y"],
            "9101045402656E61 11010355006162 1101015500 5101045500783A79"
        ),
    ]

    @Test(arguments: rows)
    func optionsMakeThisMessage(_ words: [String], _ hex: String) throws {
        #expect(try message(words).encoded().hex == hex.filter { $0 != " " })
    }

    /// Options, and the name and the text of the error.
    static let failures: [(words: [String], name: ErrorName, message: String)] = [
        (
            [], .usage,
            "Give at least one record: --text, --uri, --smart-poster, --mime, --external, --app, --wifi, --bluetooth, --vcard, --calendar, --tel, --mail, "
                + "--sms, --geo, --empty or --ndef."
        ),
        (["--uri", ""], .usage, "--uri: The URI is empty. --empty writes an empty record."),
        (["--smart-poster", ""], .usage, "--smart-poster: The URI is empty. --empty writes an empty record."),
        (["--app", ""], .usage, "--app: The application's package name is empty."),
        (
            ["--text", "a", "--lang", ""], .usage,
            "--text: The text's language code must be 1 to 63 characters of ASCII."
        ),
        (["--mime", "text/plain"], .usage, "--mime takes TYPE=DATA, for example: --mime text/plain=Hello"),
        (["--mime", "text/plain;a=b"], .usage, "--mime takes TYPE=DATA, for example: --mime text/plain=Hello"),
        (["--mime", "plain=a"], .usage, "--mime: The media type is not of the form type/subtype."),
        (
            ["--mime", "text/plain=hex:0"], .usage,
            "--mime: The text after hex: is not hexadecimal text: The byte before offset 1 has one digit."
        ),
        (
            ["--external", "example.com=a"], .usage,
            "--external takes DOMAIN:TYPE=DATA, for example: --external example.com:badge=hex:0A0B"
        ),
        (["--external", ":a=b"], .usage, "--external: The external type is not of the form domain:type."),
        (["--sms", "123"], .usage, "--sms takes NUMBER=BODY, for example: --sms '+49 30 1234=On my way'"),
        (["--geo", "52.5"], .usage, "--geo takes LAT,LON, for example: --geo 52.5163,13.3777"),
        (
            ["--text", "a", "--title", "b"], .usage,
            "--title needs a smart poster before it: --smart-poster URI --title TEXT"
        ),
        (
            ["--smart-poster", "a:b", "--title", "c", "--title", "d"], .usage,
            "This is the second title in “en”, but a smart poster has only one title per language. Put --lang before a title in another language."
        ),
        (
            ["--ndef", "hex:D1"], .badNDEF,
            "The value of --ndef is not an NDEF message: TYPE_LENGTH at offset 1 needs 1 byte; 0 are left."
        ),
        (
            ["--ndef", ""], .badNDEF,
            "The value of --ndef is not an NDEF message: MB at offset 0 needs 1 byte; 0 are left."
        ),
        (["--vcard", "@/no/such/file"], .badFile, "/no/such/file cannot be read: No such file or directory."),
        (["--vcard", "@"], .badFile, "The file name is empty."),
        (["--vcard", "@/"], .badFile, "/ cannot be read: Is a directory."),
        (
            ["--vcard", "@/dev/zero"], .badFile,
            "/dev/zero is longer than the limit of 10 MiB."
        ),
        (
            ["--ndef", "@/dev/null"], .badNDEF,
            "/dev/null is not an NDEF message: MB at offset 0 needs 1 byte; 0 are left."
        ),
    ]

    @Test(arguments: failures)
    func failuresSayWhatIsWrong(_ words: [String], _ name: ErrorName, _ text: String) throws {
        let options = try RecordOptions.parse(words)
        let error = try #require(throws: RecordOptionError.self) { try options.message(arguments: words) }
        #expect(error.message == text)
        #expect(error.name == name)
    }

    @Test func aDumpInPlaceOfAMessageIsAnsweredWithTheWayToItsMessage() async throws {
        try await Tool.withFolder { folder in
            let dump = folder + "/tag.nfc"
            try Data("Filetype: Flipper NFC device\n".utf8).write(to: URL(filePath: dump))
            let options = try RecordOptions.parse(["--ndef", "@\(dump)"])
            let error = try #require(throws: RecordOptionError.self) {
                try options.message(arguments: ["--ndef", "@\(dump)"])
            }
            #expect(
                error.message.hasSuffix(
                    " If this is a dump of a tag, save its message first: nfctool read DUMP --output message.ndef"))
        }
    }

    @Test func everyTruncationOfAMessageIsBadNDEFWithFieldAndOffset() throws {
        let whole = "91010855" + "026578616D706C65" + "51010455" + "00613A62"
        #expect(try message(["--ndef", "hex:" + whole]).records.count == 2)
        for end in stride(from: 0, to: whole.count - 1, by: 2) {
            let words = ["--ndef", "hex:" + whole.prefix(end)]
            let error = try #require(throws: RecordOptionError.self) { try message(words) }
            #expect(error.name == .badNDEF)
            #expect(error.details.keys.sorted() == ["field", "offset"])
        }
    }

    @Test func recordsTogetherMayCarryTenMebibytes() async throws {
        try await Tool.withFolder { folder throws in
            let path = folder + "/half"
            try Data(count: NDEFMessage.maximumPayloadLength / 2 + 1).write(to: URL(fileURLWithPath: path))
            #expect(try message(["--vcard", "@" + path]).records.count == 1)
            let error = try #require(throws: RecordOptionError.self) {
                try message(["--vcard", "@" + path, "--vcard", "@" + path])
            }
            #expect(error.name == .badNDEF)
            #expect(
                error.message.hasPrefix(
                    "The result of these options is not an NDEF message: PAYLOAD_LENGTH at offset"))
        }
    }
}
