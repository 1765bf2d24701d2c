// Values of --wifi, --tel, --mail, --sms, --geo

import Composing
import NDEF
import Testing

@testable import nfctool

@Suite struct RecordValueTests {
    /// Values and the resulting URI — RFC 3966, RFC 6068, RFC 5724, RFC 5870.
    static let uris: [(option: String, value: String, uri: String)] = [
        ("--tel", "+1-201-555-0123", "tel:+1-201-555-0123"),  // RFC 3966, section 6
        ("--tel", "+49 (30) 12 34", "tel:+49(30)1234"),
        ("--tel", "*100#", "tel:*100%23"),
        ("--mail", "user@example.org", "mailto:user@example.org"),
        ("--mail", "gorby%kremvax@example.com", "mailto:gorby%25kremvax@example.com"),  // RFC 6068, section 6.1
        ("--mail", "unlikely?address@example.com", "mailto:unlikely%3Faddress@example.com"),  // RFC 6068, section 6.1
        ("--mail", "Mike&family@example.org", "mailto:Mike%26family@example.org"),  // RFC 6068, section 6.1
        ("--mail", "\"not@me\"@example.org", "mailto:%22not%40me%22@example.org"),  // RFC 6068, section 6.2
        ("--mail", "a+b@example.org", "mailto:a+b@example.org"),
        ("--mail", "user@münchen.example", "mailto:user@m%C3%BCnchen.example"),
        ("--sms", "+15105550101=hello there", "sms:+15105550101?body=hello%20there"),  // RFC 5724, section 2.5
        ("--sms", "123=", "sms:123"),
        ("--sms", "123=a=b&c?\n€", "sms:123?body=a%3Db%26c%3F%0A%E2%82%AC"),
        ("--geo", "48.2010,16.3695", "geo:48.2010,16.3695"),  // RFC 5870, section 6.1, latitude and longitude
        ("--geo", "-33.9, 151.2", "geo:-33.9,151.2"),
        ("--geo", "90,-180", "geo:90,-180"),
        ("--uri", "é", "é"),
    ]

    @Test(arguments: uris)
    func valuesMakeThisURI(_ option: String, _ value: String, _ uri: String) throws {
        #expect(try message([option, value]).records.map(\.content) == [.uri(URIRecord(uri: uri))])
    }

    static let badValues: [(option: String, value: String, reason: String)] = [
        ("--tel", "", "The number has no digit."),
        ("--tel", "+", "The number has no digit."),
        ("--tel", "1+2", "The number may hold digits, *, #, spaces, -, ., ( and ), and begin with +."),
        ("--tel", "١٢٣", "The number has no digit."),
        ("--sms", "12a=b", "The number may hold digits, *, #, spaces, -, ., ( and ), and begin with +."),
        ("--mail", "example.org", "The address has no @."),
        ("--mail", "@example.org", "The address is not of the form name@domain."),
        ("--mail", "a@", "The address is not of the form name@domain."),
        (
            "--mail", "a@b.c?subject=d",
            "The address has no valid domain. To add a subject or a body, write --mail 'name@domain;subject=…;body=…'."
        ),
        ("--geo", "90.1,0", "The latitude is not between -90 and 90 degrees."),
        ("--geo", "0,-180.5", "The longitude is not between -180 and 180 degrees."),
        ("--geo", "1e1,0", "The latitude is not a decimal number such as -33.8568."),
        ("--geo", "0,nan", "The longitude is not a decimal number such as -33.8568."),
        ("--geo", "0,٣", "The longitude is not a decimal number such as -33.8568."),
        ("--geo", "+1,0", "The latitude is not a decimal number such as -33.8568."),
    ]

    @Test(arguments: badValues)
    func badValuesAreUsageErrors(_ option: String, _ value: String, _ reason: String) throws {
        let error = try #require(throws: RecordOptionError.self) { try message([option, value]) }
        #expect(error.message == "\(option): \(reason)")
        #expect(error.name == .usage)
    }

    @Test(
        arguments: [
            ("ssid=Cafe", "Cafe", nil, .open, .none),
            ("ssid=Cafe;password=12345678", "Cafe", "12345678", .wpa2Personal, .aes),
            ("password=12345678;ssid=Cafe;", "Cafe", "12345678", .wpa2Personal, .aes),
            ("ssid=a;password=12345678;auth=wpa", "a", "12345678", .wpaPersonal, .tkip),
            ("ssid=a;password=12345678;auth=wpa-wpa2", "a", "12345678", [.wpaPersonal, .wpa2Personal], [.tkip, .aes]),
            ("ssid=a;password=12345678;encryption=tkip", "a", "12345678", .wpa2Personal, .tkip),
            (#"ssid=a\;b\\;password=pass=word;hidden"#, #"a;b\"#, "pass=word", .wpa2Personal, .aes),
            ("ssid=a;auth=open;encryption=none;hidden=false", "a", nil, .open, .none),
        ] as [(String, String, String?, WiFiCredential.AuthenticationType, WiFiCredential.EncryptionType)])
    func networkIsReadFromItsKeys(
        _ value: String, _ ssid: String, _ password: String?, _ authentication: WiFiCredential.AuthenticationType,
        _ encryption: WiFiCredential.EncryptionType
    ) throws {
        let network = WiFiCredential(
            ssid: Array(ssid.utf8), networkKey: password.map { Array($0.utf8) }, authentication: authentication,
            encryption: encryption)
        #expect(try message(["--wifi", value]).records.map(\.content) == [.wifi(WiFiRecord(networks: [network]))])
    }

    static let badNetworks: [(value: String, reason: String)] = [
        ("", "The network needs an ssid of 1 to 32 bytes."),
        ("ssid=", "The network needs an ssid of 1 to 32 bytes."),
        ("ssid=" + String(repeating: "é", count: 17), "The network needs an ssid of 1 to 32 bytes."),
        ("ssid", "ssid has no value."),
        ("ssid=a;ssid=b", "ssid is given twice."),
        (
            "SuperGeheim42",
            "Part 1 does not begin with one of ssid=, password=, auth=, encryption=, hidden=. "
                + "Example: ssid=Guests;password=secret 42"
        ),
        (
            "ssid=a;name=b",
            "Part 2 does not begin with one of ssid=, password=, auth=, encryption=, hidden=. "
                + "Example: ssid=Guests;password=secret 42"
        ),
        ("ssid=a;auth=wep", "auth is not open, wpa, wpa2 or wpa-wpa2."),
        ("ssid=a;auth=wpa2", "This auth needs a password."),
        ("ssid=a;auth=open;password=12345678", "An open network has no password."),
        (
            "ssid=a;password=" + String(repeating: "g", count: 65),
            "A WPA password has 8 to 63 characters, or is a key of 64 hexadecimal digits; this one has 65 bytes."
        ),
        ("ssid=a;encryption=aes", "Only an open network has encryption none."),
        ("ssid=a;password=12345678;encryption=none", "Only an open network has encryption none."),
        ("ssid=a;password=12345678;encryption=wep", "encryption is not none, tkip or aes."),
        ("ssid=a;hidden=maybe", "hidden takes true or false."),
        (#"ssid=a\b"#, #"A \ is allowed only before ; , = a quote or \. For a backslash, write \\"#),
        (#"ssid=a\"#, #"A \ is allowed only before ; , = a quote or \. For a backslash, write \\"#),
    ]

    @Test(arguments: badNetworks)
    func badNetworksAreUsageErrors(_ value: String, _ reason: String) throws {
        let error = try #require(throws: RecordOptionError.self) { try message(["--wifi", value]) }
        #expect(error == .badValue(.wifi, reason: reason))
    }

    @Test func sixtyFourHexadecimalDigitsAreAKey() throws {
        #expect(try message(["--wifi", "ssid=a;password=" + String(repeating: "0F", count: 32)]).records.count == 1)
    }
}
