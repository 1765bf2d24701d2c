// Cards, mails, devices, calendars and codes as record options

import Composing
import NDEF
import Testing

@Suite struct DeviceOptionTests {
    private func records(_ options: (RecordOption.Name, String)...) throws(RecordOptionError) -> [NDEFRecord] {
        try RecordComposer.message(of: options.map { RecordOption(name: $0.0, value: $0.1) }, language: "en").records
    }

    private func reason(_ name: RecordOption.Name, _ value: String) -> String? {
        do throws(RecordOptionError) {
            _ = try records((name, value))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aCardIsMadeOfItsFields() throws {
        let value =
            "name=Ada King Lovelace;tel=+44 20 1234;TEL=1;mail=ada@example.com;org=A\\;B, Ltd;url=https://x.example/a,b;address=1 Road;note=x"
        guard case .mime(let card) = try records((.vcard, value))[0].content else {
            Issue.record("no media record")
            return
        }
        #expect(card.mimeType == "text/vcard")
        #expect(
            card.text == """
                BEGIN:VCARD\r
                VERSION:3.0\r
                N:Lovelace;Ada King;;;\r
                FN:Ada King Lovelace\r
                ORG:A\\;B\\, Ltd\r
                TEL:+44 20 1234\r
                TEL:1\r
                EMAIL:ada@example.com\r
                URL:https://x.example/a,b\r
                ADR:;;1 Road;;;;\r
                NOTE:x\r
                END:VCARD\r\n
                """)
        #expect(
            try records((.vcard, "org=Example"))[0].payload.starts(
                with: Array("BEGIN:VCARD\r\nVERSION:3.0\r\nN:;;;;\r\nFN:Example\r\n".utf8)))
        #expect(try records((.vcard, "BEGIN:VCARD\r\nFN:x\r\n"))[0].payload == Array("BEGIN:VCARD\r\nFN:x\r\n".utf8))
    }

    @Test func aMailHasASubjectAndABody() throws {
        let uri = URIRecord(
            uri: "mailto:info@example.com?subject=Room%205%3B%20lamp&body=Dear%20all%0A%26%3D&cc=a@b.example")
        #expect(
            try records((.mail, "info@example.com;subject=Room 5\\; lamp;body=Dear all\n&=;cc=a@b.example"))[0].content
                == .uri(uri))
        #expect(try records((.mail, "info@example.com"))[0].content == .uri(URIRecord(uri: "mailto:info@example.com")))
    }

    /// NFC Forum Connection Handover 1.5, section 6: one Handover Select record has a carrier for each device.
    @Test func oneHandoverRecordRefersToAllDevices() throws {
        let made = try records(
            (.uri, "https://example.com"), (.bluetooth, "00:0d:3c:01:02:03;name=Headset"), (.bluetooth, "000D3C010204"))
        #expect(made.count == 4)
        guard case .handover(let select) = made[1].content, case .bluetooth(let headset) = made[2].content,
            case .bluetooth(let other) = made[3].content
        else {
            Issue.record("other records")
            return
        }
        #expect(select.role == .select && select.carriers.map(NDEFMessage(records: made).carrier) == [2, 3])
        #expect(headset.name == "Headset" && headset.address == [0x00, 0x0D, 0x3C, 0x01, 0x02, 0x03])
        #expect(other.name == nil && other.address?.last == 0x04)
    }

    @Test(arguments: [
        ("WIFI:T:WPA;S:Guests;P:correct horse;;", "ssid=Guests;password=correct horse"),
        ("wifi:S:Guests;P:correct horse;T:WPA;H:true;;", "ssid=Guests;password=correct horse"),
        ("WIFI:T:nopass;S:Open;;", "ssid=Open"), ("WIFI:S:Open;;", "ssid=Open"),
        ("WIFI:T:WPA;S:\"ABCD\";P:a\\;b\\:c\\,d\\\\e;;", "ssid=ABCD;password=a\\;b:c,d\\\\e"),
        ("WIFI:T:WPA;S:x;P:\\\"secret12\\\";;", "ssid=x;password=\\\"secret12\\\""),
    ])
    func aQRCodeMakesTheSameRecordAsTheArgument(code: String, argument: String) throws {
        #expect(try records((.wifi, code)) == records((.wifi, argument)))
    }

    @Test func aCalendarRecordHoldsTheFile() throws {
        let text = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
        #expect(
            try records((.calendar, text))[0].content
                == .mime(MIMERecord(mimeType: "text/calendar", data: Array(text.utf8))))
    }

    @Test(
        arguments: [
            (.vcard, "Ada", "--vcard: Ada is not a business card. Did you mean name=Ada?"), (.vcard, "hex:41", nil),
            (
                .vcard, "Ada Lovelace, a=b",
                "--vcard: Ada Lovelace, a=b is not a business card. Did you mean name=Ada Lovelace, a=b?"
            ),
            (.calendar, "Friday", nil),
            (
                .vcard, "nme=Bob;tel=12",
                "--vcard: Part 1 does not begin with one of name=, org=, title=, tel=, mail=, url=, address=, note=. Did you mean name=? For a semicolon in a value, write \\;"
            ),
            (
                .vcard, "Ada Lovelace; tel=12",
                "--vcard: Part 1 does not begin with one of name=, org=, title=, tel=, mail=, url=, address=, note=. For a semicolon in a value, write \\;"
            ),
            (
                .vcard, "name=Ada Lovelace, TEL=+44 20 1234",
                "--vcard: There is a comma before tel=. Use a semicolon there, or write \\, for a comma in a value."
            ),
            (.vcard, "name=Ada\\, tel=1", nil), (.vcard, "name=Ada;note=a, b=c", nil),
            (.vcard, "begin:vcard\r\nNOTE:a;tel=1\r\n", nil),
            (
                .mail, "a@b.example;subject=Hi, body=x",
                "--mail: There is a comma before body=. Use a semicolon there, or write \\, for a comma in a value."
            ),
            (.vcard, "tel=1", "--vcard: The card needs a name= or an org=."),
            (
                .vcard, "name=Ada;tl=1",
                "--vcard: Part 2 does not begin with one of name=, org=, title=, tel=, mail=, url=, address=, note=. Did you mean tel=? For a semicolon in a value, write \\;"
            ),
            (.vcard, "name=Ada;name=B", "--vcard: name is given twice."),
            (.vcard, "name=", "--vcard: name has no value."),
            (.vcard, "name=Ada;url=https://x.example\nTEL:1", "--vcard: The url has a line break."),
            (
                .mail, "a@b.example\\;subject=x",
                "--mail: The address has no valid domain. To add a subject or a body, write --mail 'name@domain;subject=…;body=…'."
            ),
            (
                .mail, "a@b.example;subjct=x",
                "--mail: Part 1 does not begin with one of subject=, body=, cc=, bcc=. Did you mean subject=? For a semicolon in a value, write \\;"
            ),
            (
                .bluetooth, "00:0D:3C:01:02",
                "--bluetooth: The address must be 6 bytes in hexadecimal, such as 00:0D:3C:01:02:03. To add a name, append ;name=Headset"
            ),
            (
                .calendar, "event.ics",
                "--calendar: event.ics is not a calendar. To read a file, write @ before its name: @event.ics"
            ),
            (.calendar, "", "--calendar: The calendar is empty. --empty writes an empty record."),
            (
                .wifi, "WIFI:T:SAE;S:x;P:secret12;;",
                "--wifi: A Wi-Fi record cannot store WPA3. Phones can join this network only by its QR code."
            ),
            (.wifi, "WIFI:T:WEP;S:x;P:secret12;;", "--wifi: WEP is not supported: phones do not join such networks."),
            (.wifi, "WIFI:T:WPA;S:x;;", "--wifi: This type needs a password (P)."),
            (
                .wifi, "WIFI:T:WPA;S:x;P:se;cret12;;",
                "--wifi: A part of the code has no colon. For a ; in a value, write \\;"
            ),
            (.wifi, "WIFI:T:WPA;P:secret12;;", "--wifi: The network needs an ssid of 1 to 32 bytes."),
        ] as [(RecordOption.Name, String, String?)])
    func wrongValuesAreRefusedWithAReason(name: RecordOption.Name, value: String, expected: String?) {
        #expect(reason(name, value) == expected)
    }
}
