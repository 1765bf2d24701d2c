// The rules about messages: all findings of each message, in order

import NDEF
import PhoneLint
import Testing

@Suite struct MessageRuleTests {
    /// A message and the findings for each phone.
    ///
    /// The sources are with the rules.
    static let rows: [(what: String, records: [NDEFRecord], findings: [String])] = [
        ("a web page", [.page], []),
        ("a page and the app for it", [.page, .app("com.example.app")], []),
        ("a number", [.uri("tel:+491234")], []),
        ("FaceTime", [.uri("facetime-audio://a@example.com")], []),
        ("HomeKit", [.uri("X-HM://0023ISYWY")], []),
        ("nothing", [], ["emptyMessage error ios,android"]),
        ("an empty record", [.empty], ["emptyRecord warning ios,android 1"]),
        (
            "an empty record first", [.empty, .page],
            ["emptyRecord warning android 1", "backgroundURIOrder warning ios 2"]
        ),
        ("an empty record last", [.page, .empty], ["emptyRecord hint ios,android 2"]),
        ("a text", [.text("Hello")], ["backgroundURI warning ios 1", "firstRecord hint android 1"]),
        (
            "a text before the page", [.text("Hello"), .page],
            ["backgroundURIOrder warning ios 2", "firstRecord warning android 2"]
        ),
        ("a text behind the page", [.page, .text("Hello")], []),
        ("a device behind the page", [.page, .device], ["firstRecord warning android 2"]),
        (
            "a page behind a device", [.device, .page],
            ["backgroundURIOrder warning ios 2", "firstRecord warning android 2"]
        ),
        ("a text without language", [.page, .text("Hello", "")], ["textLanguage hint ios,android 2"]),
        ("a text in no language", [.page, .text("Hello", "e")], ["textLanguage hint ios,android 2"]),
        ("a text with a region", [.page, .text("Olá", "pt-BR")], []),
        ("a custom scheme", [.uri("myapp://open")], ["backgroundScheme warning ios 1"]),
        ("a place", [.uri("geo:52.5,13.3")], ["backgroundScheme warning ios 1"]),
        ("a shortcut", [.uri("shortcuts://run-shortcut?name=x")], ["backgroundScheme hint ios 1"]),
        ("without encryption", [.uri("http://example.com")], ["plainHTTP hint ios,android 1"]),
        ("no scheme", [.uri("example.com")], ["uriForm error ios,android 1"]),
        (
            "a web address with a slip", [.uri("htps://example.com")],
            ["uriForm error ios,android 1", "backgroundScheme warning ios 1"]
        ),
        (
            "swapped letters", [.uri("mialto:a@b.de")],
            ["uriForm error ios,android 1", "backgroundScheme warning ios 1"]
        ),
        ("a scheme of its own", [.uri("mms:+49301234")], ["backgroundScheme warning ios 1"]),
        ("a host and a port", [.uri("example.com:8080/x")], ["uriForm error ios,android 1"]),
        ("two schemes", [.uri("https://https://example.com")], ["uriForm error ios,android 1"]),
        ("a scheme alone", [.uri("tel:")], ["uriForm error ios,android 1"]),
        ("a blank", [.uri("https://example.com/a b")], ["uriForm warning ios,android 1"]),
        ("a host name beyond ASCII", [.uri("https://exämple.com/")], ["uriForm warning ios,android 1"]),
        ("a path beyond ASCII", [.uri("https://example.com/ä")], ["uriForm warning ios,android 1"]),
        ("no host", [.uri("https:///x")], ["uriForm error ios,android 1"]),
        (
            "a script", [.uri("javascript:alert(1)")],
            ["firstRecord error android 1", "backgroundScheme warning ios 1"]
        ),
        (
            "a file", [.uri("file:///etc/passwd")],
            ["firstRecord error android 1", "backgroundScheme warning ios 1"]
        ),
        ("two dots", [.uri("https://exmaple..com/")], ["webAddress error ios,android 1"]),
        ("a dot first", [.uri("https://.example.com")], ["webAddress error ios,android 1"]),
        ("a dot last", [.uri("https://example.com./x")], []),
        ("a long name", [.uri("https://\(String(repeating: "a", count: 64)).de")], ["webAddress error ios,android 1"]),
        ("a port", [.uri("https://example.com:8443/")], []),
        ("an empty port", [.uri("https://example.com:/")], []),
        ("an impossible port", [.uri("https://example.com:99999")], ["webAddress error ios,android 1"]),
        ("a port in words", [.uri("https://example.com:http/")], ["webAddress error ios,android 1"]),
        ("an IPv6 address", [.uri("https://[2001:db8::1]:443/")], []),
        ("a user", [.uri("https://paypal.com@evil.example/")], ["webAddress warning ios,android 1"]),
        (
            "a user and a password", [.uri("http://me:secret@example.com:81/x")],
            ["webAddress warning ios,android 1", "plainHTTP hint ios,android 1"]
        ),
        ("an @ in the path", [.uri("https://example.com/@me:1")], []),
        ("a direction", [.uri("https://example.com/\u{202E}gpj.exe")], ["uriForm error ios,android 1"]),
        ("a joiner", [.uri("https://example.com/می\u{200C}خواهم")], ["uriForm warning ios,android 1"]),
        ("a bell", [.uri("https://example.com/\u{7}")], ["uriForm error ios,android 1"]),
        ("no number", [.uri("tel:abc")], ["contactAddress error ios,android 1"]),
        ("a number with letters", [.uri("tel:+1-800-FLOWERS")], []),
        ("a message without a number", [.uri("sms:?body=Hello")], []),
        ("a mail address", [.uri("mailto:a@b.de?subject=x")], []),
        ("a mail without an address", [.uri("mailto:?subject=x")], []),
        ("no mail address", [.uri("mailto:info")], ["contactAddress error ios,android 1"]),
        ("a place with a name", [.uri("geo:0,0?q=Berlin")], ["backgroundScheme warning ios 1"]),
        (
            "a place without coordinates", [.uri("geo:Berlin")],
            ["contactAddress error ios,android 1", "backgroundScheme warning ios 1"]
        ),
        (
            "a latitude beyond the pole", [.uri("geo:95,13")],
            ["contactAddress error ios,android 1", "backgroundScheme warning ios 1"]
        ),
        ("two pages", [.page, .uri("https://example.org")], ["severalURIs hint ios,android 2"]),
        (
            "an absolute URI", [NDEFRecord(tnf: .absoluteURI, type: Array("https://example.com".utf8), payload: [])],
            ["backgroundURI warning ios 1"]
        ),
        ("Wi-Fi", [.wifi], ["backgroundURI warning ios 1"]),
        (
            "Handover", [NDEFRecord(tnf: .wellKnown, type: Array("Hs".utf8), payload: [0x12])],
            ["backgroundURI warning ios 1"]
        ),
        (
            "a card", [.media("text/vcard", Array("BEGIN:VCARD\r\nEND:VCARD\r\n".utf8))],
            ["backgroundURI warning ios 1"]
        ),
        (
            "a card of Windows", [.page, .media("text/x-vcard", Array("\u{FEFF}\r\nbegin:vcard\r\n".utf8))],
            ["mediaForm warning ios,android 2"]
        ),
        ("no card", [.page, .media("text/vcard", Array("BEGIN:VCAR".utf8))], ["mediaForm error ios,android 2"]),
        ("a calendar", [.page, .media("text/calendar", Array("BEGIN:VCALENDAR".utf8))], []),
        ("no calendar", [.page, .media("text/calendar", Array("Friday".utf8))], ["mediaForm error ios,android 2"]),
        ("a picture", [.media("image/png")], ["backgroundURI warning ios 1", "firstRecord hint android 1"]),
        ("a type of a domain", [.external], ["backgroundURI warning ios 1", "firstRecord hint android 1"]),
        ("a type and its app", [.external, .app("com.example.app")], ["backgroundURI warning ios 1"]),
        ("an app", [.app("com.example.app")], ["backgroundURI warning ios 1"]),
        (
            "an app first", [.app("com.example.app"), .page],
            ["backgroundURIOrder warning ios 2", "appRecordOrder warning android 1"]
        ),
        (
            "an app between", [.page, .app("com.example.app"), .text("x")], ["appRecordOrder hint android 2"]
        ),
        (
            "two apps", [.page, .app("com.example.app"), .app("org.example")], ["severalAppRecords hint android 3"]
        ),
        ("an app's title", [.page, .app("My App")], ["appPackage error android 2"]),
        ("one word", [.page, .app("app")], ["appPackage error android 2"]),
        (
            "no type", [NDEFRecord(tnf: .unknown, type: [], payload: [1])],
            ["unknownType warning ios,android 1", "backgroundURI warning ios 1"]
        ),
        (
            "a reserved TNF", [NDEFRecord(tnf: .reserved, type: [], payload: [1])],
            ["unknownType error ios,android 1", "backgroundURI warning ios 1"]
        ),
        // The length of the language code extends beyond the payload.
        (
            "a broken text", [NDEFRecord(tnf: .wellKnown, type: hex("54"), payload: hex("3F"))],
            ["brokenRecord error ios,android 1"]
        ),
        (
            "what only Type 4 holds", [.page, .media("image/png", Array(repeating: 0, count: 900))],
            [
                "messageLength warning ios,android"
            ]
        ),
        (
            "what nothing holds", [.page, .media("image/png", Array(repeating: 0, count: 9000))],
            [
                "messageLength error ios,android"
            ]
        ),
    ]

    @Test(arguments: rows)
    func messageIsJudged(_ what: String, _ records: [NDEFRecord], _ findings: [String]) {
        #expect(PhoneLint().findings(in: NDEFMessage(records: records)).map(\.row) == findings)
    }

    @Test func aTextIsNoFindingBeforeItIsWritten() {
        let text = PhoneLint().findings(beforeWriting: NDEFMessage(records: [.text("Hello")]))
        #expect(!text.contains { $0.severity != .hint })
        let card = PhoneLint().findings(beforeWriting: NDEFMessage(records: [.media("text/vcard"), .text("Hello")]))
        #expect(card.contains { $0.rule == "backgroundURI" })
    }

    @Test func aSmartPosterIsForAndroid() throws {
        let message = NDEFMessage(records: [try .poster(.page, .text("Hi"))])
        #expect(PhoneLint().findings(in: message).map(\.row) == ["backgroundURI warning ios 1"])
    }

    @Test func aSmartPosterWithBrokenContentsIsFound() throws {
        let broken = NDEFRecord(tnf: .wellKnown, type: hex("55"), payload: [])
        #expect(
            PhoneLint().findings(in: NDEFMessage(records: [try .poster(broken)])).map(\.row)
                == ["brokenRecord error ios,android 1"])
        let nested = NDEFRecord(tnf: .wellKnown, type: hex("5370"), payload: hex("D1"))
        #expect(
            PhoneLint().findings(in: NDEFMessage(records: [.page, try .poster(.page, nested)])).map(\.row)
                == ["brokenRecord warning ios,android 2", "severalURIs hint ios,android 2"])
    }

    @Test func onlyThePhonesAskedForAreTold() {
        let message = NDEFMessage(records: [.text("Hello"), .uri("http://example.com")])
        #expect(
            PhoneLint(phones: [.android]).findings(in: message).map(\.row)
                == ["firstRecord warning android 2", "plainHTTP hint android 2"])
        #expect(
            PhoneLint(phones: [.ios]).findings(in: message).map(\.row)
                == ["backgroundURIOrder warning ios 2", "plainHTTP hint ios 2"])
    }
}
