// The text of all findings and savings, word for word

import NDEF
import PhoneLint
import Testing

@Suite struct TextTests {
    @Test func findingsSayThis() throws {
        let poster = NDEFMessage(records: [try .poster(.page)])
        let findings =
            MessageRuleTests.rows.flatMap { PhoneLint().findings(in: NDEFMessage(records: $0.records)) }
            + PhoneLint().findings(in: poster)
            + TagRuleTests.rows.flatMap { row in
                let message = row.tag.status == .notSupported ? nil : NDEFMessage(records: [.page])
                return PhoneLint().findings(in: message, on: row.tag)
            }
        #expect(Self.unique(findings.map { "\($0.message) → \($0.advice)" }) == Self.findings)
        #expect(findings.allSatisfy { !$0.evidence.isEmpty })
    }

    @Test func savingsSayThis() throws {
        let savings = try CapacityTests.rows.flatMap { row in
            let bytes = hex(row.message)
            return Saving.all(in: try NDEFMessage(bytes: bytes), storedLength: bytes.count)
        }
        #expect(Self.unique(savings.map(\.advice)) == Self.savings)
    }

    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    // swift-format-ignore
    private static let findings = [
        "The message is empty: phones have nothing to open, and iOS apps get error 403. → Write a record, for example --uri https://example.com, or --empty for an empty record.",
        "The only record is empty: phones have nothing to open. → This is fine for a tag that gets its data later. Otherwise, write a URI.",
        "The first record is empty, and Android uses the first record. → Drop it.",
        "The URI is record 2. Apple says that iPhones use the first URI record; others say that they look at the first record only. → Put the URI first.",
        "The record is empty: it takes 3 bytes, and phones ignore it. → Drop it.",
        "iPhones ignore Text records, unless an app scans for them. → Put a URI record first.",
        "Android opens nothing for a Text record; at most it shows the text in its tag viewer. → To open something, put a URI first.",
        "Android uses only the first record, so it does not open the URI in record 2. → Put the URI first.",
        "Android uses only the first record, so it does not offer the Bluetooth device in record 2. → Put the device first.",
        "The text has no language; phones use the language to choose a text. → Give it one: --lang en.",
        "The text has the invalid language “e”; phones use the language to choose a text. → Give it one: --lang en.",
        "iPhones do not open myapp: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "iPhones do not open geo: from tags. → Use a map's web address: https://maps.apple.com/?ll=52.5,13.3",
        "iPhones open shortcuts: from tags, but Apple does not document it. → Test it on the iPhones you want to support.",
        "The page is fetched without encryption, and browsers warn about that. → Use https:// if the server supports it. It takes no more bytes.",
        "This URI has no scheme; did you mean https://example.com? → Phones open a URI only if it begins with a scheme such as https:, tel: or mailto:.",
        "Phones do not support the scheme htps:; did you mean https://example.com? → Correct the scheme.",
        "iPhones do not open htps: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "Phones do not support the scheme mialto:; did you mean mailto:a@b.de? → Correct the scheme.",
        "iPhones do not open mialto: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "iPhones do not open mms: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "This URI has no scheme; did you mean https://example.com:8080/x? → Phones open a URI only if it begins with a scheme such as https:, tel: or mailto:.",
        "“https://https://example.com” has two schemes. → Write only one: https://example.com",
        "“tel:” has nothing after its scheme. → Write the whole URI.",
        "“https://example.com/a b” contains characters that a URI must not contain: spaces, letters beyond ASCII, or brackets; did you mean https://example.com/a%20b? → Percent-encode them: a space is %20.",
        "The host name “exämple.com” contains non-ASCII letters; did you mean https://xn--exmple-cua.com/? → Write it in its ASCII form, which begins with xn-- (Punycode). Percent-encoding is not valid there.",
        "“https://example.com/ä” contains characters that a URI must not contain: spaces, letters beyond ASCII, or brackets; did you mean https://example.com/%C3%A4? → Percent-encode them: a space is %20.",
        "“https:///x” has no host name, so phones have no page to open. → Write the host name after the two slashes: https://example.com",
        "Android does not open javascript: from tags. → Put the content on the web, and write its https:// address.",
        "iPhones do not open javascript: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "Android does not open file: from tags. → Put the content on the web, and write its https:// address.",
        "iPhones do not open file: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "The host name “exmaple..com” has an extra dot, so phones cannot open the page. → Remove the extra dot.",
        "The host name “.example.com” has an extra dot, so phones cannot open the page. → Remove the extra dot.",
        "The host name “aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.de” is too long, so phones cannot open the page. → A name has at most 253 characters, 63 between two dots.",
        "“99999” is not a port, so phones cannot open the page. → A port is a number up to 65535. Omit it, unless the server uses an unusual port.",
        "“http” is not a port, so phones cannot open the page. → A port is a number up to 65535. Omit it, unless the server uses an unusual port.",
        "The page is on “evil.example”. The part “paypal.com” before the @ is only a user name. → Remove the user name, unless the server needs it.",
        "The part before the @ is a user name and a password, which everyone can read from the tag. → Remove it: http://example.com:81/x",
        "The URI contains the invisible character U+202E. → Remove it from the URI. Such characters can make it look like another one.",
        "“https://example.com/می‌خواهم” contains characters that a URI must not contain: spaces, letters beyond ASCII, or brackets; did you mean https://example.com/%D9%85%DB%8C%E2%80%8C%D8%AE%D9%88%D8%A7%D9%87%D9%85? → Percent-encode them: a space is %20.",
        "The URI contains the invisible character U+0007. → Remove it from the URI. Such characters can make it look like another one.",
        "“abc” is not a telephone number. → Write the number with the country code: tel:+491234567",
        "“info” is not a mail address. → Write the whole address: mailto:name@example.com",
        "iPhones do not open geo: from tags. → Use a map's web address: https://maps.apple.com/?ll=0,0",
        "“Berlin” does not begin with a latitude and a longitude. → Write both in degrees, as in geo:52.52,13.40. The latitude is from -90 to 90, and the longitude from -180 to 180.",
        "iPhones do not open geo: from tags. → Use a map's web address: https://maps.apple.com/?ll=Berlin",
        "“95,13” does not begin with a latitude and a longitude. → Write both in degrees, as in geo:52.52,13.40. The latitude is from -90 to 90, and the longitude from -180 to 180.",
        "iPhones do not open geo: from tags. → Use a map's web address: https://maps.apple.com/?ll=95,13",
        "There are 2 URIs; phones open only one, the one in record 1. → Keep the others only if an app reads them, or link to them from the first one's page.",
        "iPhones look for a URI record (type U); this is an absolute URI record (TNF 3). → Write --uri https://example.com instead.",
        "iPhones ignore Wi-Fi records. → For iPhones, print a Wi-Fi QR code next to the tag.",
        "iPhones do not pair with devices through tags. → As the first record, add the URI of a page that explains how to pair.",
        "iPhones ignore business cards on tags. → Put the card on the web as a .vcf file and write its URI before it, or instead of it.",
        "There is a byte order mark before BEGIN:VCARD, so phones may not recognise this data. → Write the file with --vcard @FILE or --calendar @FILE, which remove the mark.",
        "text/vcard must begin with BEGIN:VCARD; phones find nothing in this data. → Write a complete card or calendar, or create a card from its fields: --vcard 'name=…;tel=…'.",
        "text/calendar must begin with BEGIN:VCALENDAR; phones find nothing in this data. → Write a complete card or calendar, or create a card from its fields: --vcard 'name=…;tel=…'.",
        "iPhones ignore data of this type, unless an app scans for it. → If the app has a universal link, put that URI first.",
        "Android opens image/png only if an app on the phone handles it. → Name the app, so that Android offers to install it: --app PACKAGE, as the last record.",
        "Android opens example.com:door only if an app on the phone handles it. → Name the app, so that Android offers to install it: --app PACKAGE, as the last record.",
        "iPhones ignore Android application records. → Put a URI record before it.",
        "The Android application record is first. Android uses the first record, so the app starts without its data. → Put it last.",
        "The Android application record is before record 3. Android finds it anywhere, but it is usually last. → Put it last.",
        "There are 2 Android application records: Android starts the first one that is installed, and offers only the first one for installation. → Keep one, unless you want this.",
        "“My App” is not a package name: Android finds no such app. → Write the application ID from its Play Store address: com.example.app",
        "“app” is not a package name: Android finds no such app. → Write the application ID from its Play Store address: com.example.app",
        "The record has no type (TNF 5): phones do not handle it. → Give it one: --mime TYPE=DATA or --external DOMAIN:TYPE=DATA.",
        "The record's TNF is 7, which is reserved. → Create it again with a type: --mime TYPE=DATA.",
        "The record is broken: The text's language code needs 63 bytes; 0 are left. → Create it again; `nfctool ndef decode` shows its bytes.",
        "The message is 931 bytes long: only ST25DV16K, DESFire EV1 2K, MIFARE Classic 4K, DESFire EV1 4K, DESFire EV1 8K, ST25DV64K can hold it. → Put the data on a web page and write its URI.",
        "The message is 9031 bytes long: no common tag can hold it. → Put the data on a web page and write its URI.",
        "iPhones look for a URI record (type U); this URI is inside a smart poster. → Write --uri https://example.com instead of it, or before it.",
        "The Lock Control TLV of an NTAG213 is missing, so some Samsung phones cannot make the tag read-only. → To lock the tag, use nfctool. NTAG213 tags are delivered with 01 03 A0 0C 34 before the message.",
        "The Lock Control TLV is A0 10 44; for an NTAG213 it should be A0 0C 34. Phones may lock the wrong bytes. → Do not lock the tag with a phone. Such tags are delivered with 01 03 A0 0C 34 before the message.",
        "The Lock Control TLV is A0; for an NTAG213 it should be A0 0C 34. Phones may lock the wrong bytes. → Do not lock the tag with a phone. Such tags are delivered with 01 03 A0 0C 34 before the message.",
        "The tag names a write condition that iPhones do not support (access 08 in the capability container). They refuse the tag. → These bits can never be cleared. Use another tag, and set passwords with a tool that leaves these bits unchanged.",
        "The tag names a write condition that phones do not support (access 08 in the capability container). → These bits can never be cleared. Use another tag, and set passwords with a tool that leaves these bits unchanged.",
        "The tag does not allow unrestricted reading (access 88 in the capability container): phones do not read it. → These bits can never be cleared. Use another tag, and set passwords with a tool that leaves these bits unchanged.",
        "Reading needs a password (PROT is set), and phones do not ask for one. → Remove the protection, or protect only writing.",
        "Writing needs a password. Phones cannot see this, so apps will try to write, and fail. Reading works. → Leave this as it is. If the capability container named the password, iPhones would refuse the tag.",
        "Lock bits forbid writing, but the capability container says that the tag is writable: apps will try, and fail. → Run nfctool lock: it also marks the tag as read-only in the capability container.",
        "The tag is marked as read-only, but no lock bit enforces it: phones do not write it, but other tools can. → If the message must not change, also set the lock bits.",
        "The capability container has version 2.0; phones support 1.x. → This byte can never be cleared: use another tag.",
        "The capability container claims 496 bytes, but an NTAG213 has only 144. A long message written by a phone would overwrite lock bits and configuration. → This byte can never be cleared. Keep messages short and lock the tag, or use another tag.",
        "There is no NDEF area on the tag: phones find no message, and an iPhone cannot create one. → Write it once with nfctool: nfctool write --uri https://example.com",
        "This is not an NFC Forum tag: phones find no message on it. → Use an NFC Forum tag, for example an NTAG213.",
        "Core NFC does not support MIFARE Classic: assume that iPhones cannot read this tag. → Use an NFC Forum tag: an NTAG215 holds 492 bytes, an NTAG216 868.",
        "Android phones read MIFARE Classic only with an NXP NFC controller, and many have a different one. → Use an NFC Forum tag: an NTAG215 holds 492 bytes, an NTAG216 868.",
        "The NDEF file cannot be read without a key (read access 80): phones find no message. → Give the file free read access with the tool that set it up.",
        "The capability container has version 2; phones support 1.x. → Correct the version in the capability container, if the tag allows it.",
        "The tag does not allow unrestricted reading (read access 1 in the capability container): phones do not read it. → Correct the access bits in the capability container, if the tag allows it.",
        "The tag names a write condition that phones do not support (write access 2 in the capability container). → Correct the access bits in the capability container, if the tag allows it.",
        "The tag is marked as read-only, but no block is locked: phones do not write it, but other tools can. → If the message must not change, also lock the blocks, if the chip supports this.",
        "Locked blocks forbid writing, but the capability container says that the tag is writable: apps will try, and fail. → Run nfctool lock: it also marks the tag as read-only in the capability container.",
    ]

    // swift-format-ignore
    private static let savings = [
        "Write the URI again: the RTD's abbreviation table shortens its beginning to one byte.",
        "Write it without the last slash: https://example.com",
        "Write it as a URI record: --uri https://a.de",
        "Store the text as UTF-8.",
        "Store the text as UTF-16.",
        "Shorten the language to “en”: --lang en",
        "Drop the record's ID, unless another record refers to it.",
        "Drop the empty record.",
        "Drop the record: it repeats an earlier one.",
        "Write it without the last slash: https://a.de",
        "Write only the URI. Then iPhones also open it: --uri https://a.de",
        "Drop the smart poster's title.",
        "Drop the Android application record, if a URI of the app is enough. Android then does not offer to install the app.",
        "Write the message again: its records are chunked, or have longer headers than they need.",
    ]
}
