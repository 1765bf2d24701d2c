// Values of record options that look wrong — Docs/CommandLine.md, Records

import Composing
import Foundation
import NDEF
import Testing

@Suite struct RecordArgumentTests {
    private static func message(_ name: RecordOption.Name, _ value: String) throws(RecordOptionError) -> NDEFMessage {
        try RecordComposer.message(of: [RecordOption(name: name, value: value)], language: "en")
    }

    /// A file with some content, for one test.
    private static func withFile(_ content: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "RecordArgumentTests-\(UUID()).txt")
        try Data(content.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    @Test(arguments: [
        (RecordOption.Name.text, "", "The text is empty. --empty writes an empty record."),
        (.vcard, "", "The card is empty. --empty writes an empty record."),
        (.mime, "text/plain=", "The data is empty. --empty writes an empty record."),
        (.uri, " \t", "The URI is empty. --empty writes an empty record."),
        (.uri, "https:/example.com/", "Two slashes belong after https:. Did you mean https://example.com/?"),
        (.smartPoster, "HTTP:example.com", "Two slashes belong after HTTP:. Did you mean HTTP://example.com?"),
        (
            .uri, " https://example.com",
            "There is a space before or after the URI. Without it: --uri 'https://example.com'"
        ),
        (
            .uri, "https://example.com --text Hello",
            "There is a space after “https://example.com”, but a URI has no spaces. End the quotes there, or write %20 for the space."
        ),
        (.mail, "mailto:foo@x.de", "--mail adds mailto: itself. Leave it out: --mail 'foo@x.de'"),
        (.tel, "TEL:+49", "--tel adds tel: itself. Leave it out: --tel '+49'"),
        (
            .mime, "text/vcard=nope.vcf",
            "nope.vcf is not a business card. To read a file, write @ before its name: @nope.vcf"
        ),
        (
            .wifi, #"ssid=Guests;password="hunter22""#,
            "The value of password is in quotes, which would become part of it. Leave them out, or write \\\" for a quote that belongs to it."
        ),
    ])
    func aValueThatLooksWrongIsRefusedWithAHint(name: RecordOption.Name, value: String, reason: String) {
        for data in [DataForms.all, .hexText] where data == .all || !reason.contains("@nope") {
            let option = RecordOption(name: name, value: value, data: data)
            #expect(throws: RecordOptionError.badValue(name, reason: reason)) {
                try RecordComposer.message(of: [option], language: "en")
            }
        }
    }

    @Test func quotesThatBelongToANetworkAreEscaped() throws {
        let network = WiFiCredential(
            ssid: Array("'Guests'".utf8), networkKey: Array("\"hunter22\"".utf8), authentication: .wpa2Personal,
            encryption: .aes)
        let value = #"ssid=\'Guests\';password=\"hunter22""#
        #expect(try Self.message(.wifi, value).records.map(\.content) == [.wifi(WiFiRecord(networks: [network]))])
    }

    @Test(arguments: ["http://a", "https:", "x:y", "mailto:a@b", "urn:a:b"])
    func aURIThatLooksRightIsKept(uri: String) throws {
        #expect(try Self.message(.uri, uri).records.map(\.content) == [.uri(URIRecord(uri: uri))])
    }

    @Test(arguments: [
        "ssid=Guests,password=hunter22", "ssid=Guests, password=hunter22", "ssid=a;password=hunter22,auth=wpa",
    ])
    func aCommaInPlaceOfASemicolonIsRefusedWithoutThePassword(value: String) throws {
        let error = try #require(throws: RecordOptionError.self) { try Self.message(.wifi, value) }
        #expect(error.description.contains("Use a semicolon there"))
        #expect(!error.description.contains("hunter22"))
    }

    /// If a part of a password were mistaken for the end of a network's name, anyone could read that part.
    @Test(arguments: [
        "ssid=Guests,PASSWORD=hunter22", "ssid=Guests, pass=hunter22", "ssid=Guests,\tPwd=hunter22",
        "ssid=Guests password=hunter22", "ssid=Guests&Key=hunter22", "ssid=Guests|password=hunter22",
        "ssid=a;password=hunter22,hunter22=x",
    ])
    func aPartWithoutASemicolonBeforeItIsRefusedWithoutThePassword(value: String) throws {
        let error = try #require(throws: RecordOptionError.self) { try Self.message(.wifi, value) }
        #expect(error.description.contains("Use ") && error.description.contains("write \\"))
        #expect(!error.description.contains("hunter22"))
    }

    @Test(arguments: [
        #"ssid=a\;password=hunter22"#, #"SSID=a\; Password=hunter22"#, #"ssid=a\;psk=hunter22;auth=open"#,
    ])
    func aPartAfterAnEscapedSemicolonInANameIsRefusedWithoutThePassword(value: String) throws {
        let error = try #require(throws: RecordOptionError.self) { try Self.message(.wifi, value) }
        #expect(error.description.contains("Write ; without \\ to begin a part, or \\= for an equals sign"))
        #expect(!error.description.contains("hunter22"))
    }

    @Test(arguments: [(#"ssid=a\;b=c"#, "a;b=c"), (#"ssid=a\;password\=x"#, "a;password=x")])
    func aSemicolonThatBelongsToANameIsKept(value: String, ssid: String) throws {
        let network = WiFiCredential(
            ssid: Array(ssid.utf8), networkKey: nil, authentication: .open, encryption: .none)
        #expect(try Self.message(.wifi, value).records.map(\.content) == [.wifi(WiFiRecord(networks: [network]))])
    }

    @Test func keysOfANetworkAreReadWithoutRegardToCase() throws {
        let network = WiFiCredential(
            ssid: Array("Guests".utf8), networkKey: Array("a=b key=c".utf8), authentication: .wpa2Personal,
            encryption: .aes)
        #expect(
            try Self.message(.wifi, #"SSID=Guests;Password=a=b key\=c"#).records.map(\.content)
                == [.wifi(WiFiRecord(networks: [network]))])
    }

    @Test(arguments: [(#"ssid=Smith\,password=x"#, "Smith,password=x"), ("ssid=Smith, Jones", "Smith, Jones")])
    func aCommaThatBelongsToAValueIsKept(value: String, ssid: String) throws {
        let network = WiFiCredential(
            ssid: Array(ssid.utf8), networkKey: nil, authentication: .open, encryption: .none)
        #expect(try Self.message(.wifi, value).records.map(\.content) == [.wifi(WiFiRecord(networks: [network]))])
    }

    @Test(arguments: [
        (7, "a", false), (8, "a", true), (63, "a", true), (64, "a", true), (64, "g", false), (65, "a", false),
    ])
    func aWPAPasswordHasEightToSixtyThreeCharactersOrIsAKey(count: Int, character: String, isGood: Bool) throws {
        let value = "ssid=a;password=" + String(repeating: character, count: count)
        guard !isGood else {
            #expect(try Self.message(.wifi, value).records.count == 1)
            return
        }
        let error = try #require(throws: RecordOptionError.self) { try Self.message(.wifi, value) }
        #expect(error.description.hasSuffix("this one has \(count) bytes."))
    }

    @Test func whatFollowsAPasswordIsNotRepeated() throws {
        let error = try #require(throws: RecordOptionError.self) {
            try Self.message(.wifi, "ssid=a;password=hunter22;tail")
        }
        #expect(!error.description.contains("tail") && error.description.contains("\\;"))
    }

    @Test(arguments: ["foo", "com", "com.1x", "com..x", "com.example/app", "https://example.com"])
    func anAppIsNamedByItsPackage(value: String) throws {
        let error = try #require(throws: RecordOptionError.self) { try Self.message(.app, value) }
        #expect(error.description.contains("“\(value)” is not a package name"))
        #expect(try Self.message(.app, "com.example.app_2").records.count == 1)
    }

    @Test(arguments: [
        (RecordOption.Name.vcard, ""), (.ndef, ""), (.wifi, ""), (.mime, "text/plain="), (.external, "example.com:t="),
    ])
    func theNameOfAFileWithoutAnAtSignIsRefused(name: RecordOption.Name, prefix: String) throws {
        try Self.withFile("x") { path in
            let error = try #require(throws: RecordOptionError.self) { try Self.message(name, prefix + path) }
            #expect(
                error
                    == .badValue(
                        name, reason: "\(path) is a file. To use its content, write @ before its name: @\(path)"))
            // A cell of a plan is data, whatever its name.
            let cell = RecordOption(name: .vcard, value: path, data: .hexText)
            #expect(try RecordComposer.message(of: [cell], language: "en").records.count == 1)
        }
    }

    @Test func aTextThatNamesAFileIsKeptAndNoticed() throws {
        try Self.withFile("x") { path in
            let options = ["@" + path, path, "@/no/such/file", "@"].map { RecordOption(name: .text, value: $0) }
            let input = [RecordOption(name: .text, value: "@-"), RecordOption(name: .mime, value: "text/plain=@-")]
            #expect(RecordNotice.all(on: input) == [.literalStandardInput(.text)])
            #expect(RecordNotice.all(on: options + options) == [.literalFileName(.text, file: path)])
            let content = try Self.message(.text, "@" + path).records.map(\.content)
            #expect(content == [.text(TextRecord(text: "@" + path))])
        }
    }

    @Test(arguments: [(RecordOption.Name.vcard, "BEGIN:VCARD\r\n"), (.calendar, "BEGIN:VCALENDAR\r\n")])
    func aByteOrderMarkIsNoPartOfACard(name: RecordOption.Name, text: String) throws {
        try Self.withFile("\u{FEFF}" + text) { path in
            #expect(try Self.message(name, "@" + path).records.map(\.payload) == [Array(text.utf8)])
            let raw = try Self.message(.mime, "text/vcard=@" + path).records.map(\.payload)
            #expect(raw == [[0xEF, 0xBB, 0xBF] + Array(text.utf8)])
        }
    }

    @Test(arguments: ["ssid=Guests\npassword=correct horse\n", "ssid=Guests;password=correct horse\r\n"])
    func aNetworkIsReadFromAFile(content: String) throws {
        try Self.withFile(content) { path in
            let network = try WiFiCredential(argument: "ssid=Guests;password=correct horse")
            #expect(
                try Self.message(.wifi, "@" + path).records.map(\.content) == [.wifi(WiFiRecord(networks: [network]))])
        }
    }
}
