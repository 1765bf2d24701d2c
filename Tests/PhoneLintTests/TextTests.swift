// What the findings and savings of all rows say, pinned word for word

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
        "The only record is empty: phones have nothing to open. → Fine for a tag that waits for its data; else write a URI.",
        "The first record is empty, and Android goes by the first record. → Drop it.",
        "The URI is record 2. Apple says that the first URI record counts, others that iPhones look at the first record only. → Put the URI first.",
        "The record is empty: it takes 3 bytes and no phone looks at it. → Drop it.",
        "iPhones do nothing with a text, unless an app scans for it. → Put a URI record first.",
        "Android shows a text in its tag viewer, if it has one, and opens nothing. → To open something, put a URI first.",
        "Android goes by the first record only: the URI in record 2 is not opened. → Put the URI first.",
        "The text has no language; phones choose among texts by it. → Give it one: --lang en.",
        "The text has the language “e”, which is none; phones choose among texts by it. → Give it one: --lang en.",
        "iPhones do not open myapp: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "iPhones do not open geo: from tags. → Use a map's web address: https://maps.apple.com/?ll=52.5,13.3",
        "iPhones open shortcuts: from tags, but Apple does not document it. → Try it on the iPhones you mean.",
        "The page is fetched without encryption, of which browsers warn. → Use https:// if the server does: it takes no byte more.",
        "This URI has no scheme; did you mean https://example.com? → Phones open a URI only if it begins with a scheme such as https:, tel: or mailto:.",
        "Phones do not know the scheme htps:; did you mean https://example.com? → Correct the scheme.",
        "iPhones do not open htps: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "Phones do not know the scheme mialto:; did you mean mailto:a@b.de? → Correct the scheme.",
        "iPhones do not open mialto: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "iPhones do not open mms: from tags. → Use the https:// address of a page, or of a universal link of the app (Associated Domains).",
        "This URI has no scheme; did you mean https://example.com:8080/x? → Phones open a URI only if it begins with a scheme such as https:, tel: or mailto:.",
        "“https://https://example.com” has two schemes. → Write it once: https://example.com",
        "“tel:” has nothing after its scheme. → Write the whole URI.",
        "“https://example.com/a b” holds characters that a URI must not have: blanks, letters beyond ASCII, or brackets. → Percent-encode them: a blank is %20.",
        "There are 2 URIs; phones open one, that of record 1. → Keep the others only if an app reads them, or link to them from the first one's page.",
        "iPhones look for a URI record (type U); this is an absolute URI record (TNF 3). → Write --uri https://example.com in its place.",
        "iPhones ignore Wi-Fi records. → For iPhones, print a Wi-Fi QR code next to the tag.",
        "iPhones do not pair with devices through tags. → As the first record, add the URI of a page that explains how to pair.",
        "iPhones ignore business cards on tags. → Put the card on the web as a .vcf file and write its URI before it, or in its place.",
        "text/vcard must begin with BEGIN:VCARD; phones find nothing in this data. → Write a complete card or calendar, or make a card of its fields: --vcard 'name=…;tel=…'.",
        "text/calendar must begin with BEGIN:VCALENDAR; phones find nothing in this data. → Write a complete card or calendar, or make a card of its fields: --vcard 'name=…;tel=…'.",
        "iPhones do nothing with data of this type, unless an app scans for it. → If the app has a universal link, put that URI first.",
        "Android opens image/png only if an app on the phone asks for it. → Name the app, so that Android offers to install it: --app PACKAGE, as the last record.",
        "Android opens example.com:door only if an app on the phone asks for it. → Name the app, so that Android offers to install it: --app PACKAGE, as the last record.",
        "An Android application record means nothing to an iPhone. → Put a URI record before it.",
        "The Android application record is first. Android goes by the first record, so that the app starts without its data. → Put it last.",
        "The Android application record stands before record 3. Android finds it anywhere; last is usual. → Put it last.",
        "There are 2 Android application records: the first app that is installed is started, and only the first is offered for installing. → Keep one, unless that is meant.",
        "“My App” is no package name: Android finds no such app. → Write the application ID as in its Play Store address: com.example.app",
        "“app” is no package name: Android finds no such app. → Write the application ID as in its Play Store address: com.example.app",
        "The record has no type (TNF 5): no phone knows what to do with it. → Give it one: --mime TYPE=DATA or --external DOMAIN:TYPE=DATA.",
        "The record's TNF is 7, which is reserved. → Create it again with a type: --mime TYPE=DATA.",
        "The record is broken: The text's language code needs 63 bytes; 0 are left. → Create it again; `nfctool ndef decode` shows its bytes.",
        "The message is 931 bytes long: only ST25DV16K, DESFire EV1 2K, MIFARE Classic 4K, DESFire EV1 4K, DESFire EV1 8K, ST25DV64K can hold it. → Put the data on a web page and write its URI.",
        "The message is 9031 bytes long: no usual tag can hold it. → Put the data on a web page and write its URI.",
        "iPhones look for a URI record (type U); this URI is inside a smart poster. → Write --uri https://example.com in its place or before it.",
        "The Lock Control TLV of an NTAG213 is missing: some Samsung phones then cannot make it read-only. → To lock it, use nfctool; NTAG213 tags are delivered with 01 03 A0 0C 34 before the message.",
        "The Lock Control TLV is A0 10 44; of an NTAG213 it is A0 0C 34. Phones may lock the wrong bytes. → Do not lock the tag with a phone; tags are delivered with 01 03 A0 0C 34 before the message.",
        "The Lock Control TLV is A0; of an NTAG213 it is A0 0C 34. Phones may lock the wrong bytes. → Do not lock the tag with a phone; tags are delivered with 01 03 A0 0C 34 before the message.",
        "The tag names a write condition that iPhones do not know (access 08 in the capability container), and they refuse the tag. → These bits can never be cleared: use another tag, and set passwords with a tool that leaves them alone.",
        "The tag names a write condition that phones do not know (access 08 in the capability container). → These bits can never be cleared: use another tag, and set passwords with a tool that leaves them alone.",
        "The tag denies free reading (access 88 in the capability container): phones do not read it. → These bits can never be cleared: use another tag, and set passwords with a tool that leaves them alone.",
        "Reading needs a password (PROT is set), and phones do not ask for one. → Take the protection off, or let it guard only writing.",
        "Writing needs a password, which phones cannot see: apps will try, and fail. Reading works. → Leave it so: saying it in the capability container would shut iPhones out.",
        "Lock bits forbid writing, but the capability container says that the tag is writable: apps will try, and fail. → Lock it wholly, so that it says so.",
        "The tag says that it is read-only, and no lock bit holds it: phones leave it alone, other writers need not. → Set the lock bits, too, if it is to stay as it is.",
        "The capability container names version 2.0; phones know 1.x. → This byte can never be cleared: use another tag.",
        "The capability container claims 496 bytes; an NTAG213 has 144. Phones would write locks and configuration. → This byte can never be cleared: keep messages short and lock the tag, or use another.",
        "There is no NDEF area on the tag: phones find no message, and an iPhone cannot make one. → Write it once with nfctool: nfctool write --uri https://example.com",
        "This is no NFC Forum tag: phones find no message on it. → Use an NFC Forum tag, for example an NTAG213.",
        "Core NFC has no MIFARE Classic: count on iPhones not reading this tag. → Use an NFC Forum tag: an NTAG215 holds 492 bytes, an NTAG216 868.",
        "Android phones read MIFARE Classic only with an NFC controller of NXP, and many have another. → Use an NFC Forum tag: an NTAG215 holds 492 bytes, an NTAG216 868.",
        "The NDEF file is not free to read (read access 80): phones find no message. → Give the file free read access with the tool that set it up.",
        "The capability container names version 2; phones know 1.x. → Write the capability container anew, where the tag lets you.",
        "The tag denies free reading (read access 1 in the capability container): phones do not read it. → Write the capability container anew, where the tag lets you.",
        "The tag names a write condition that phones do not know (write access 2 in the capability container). → Write the capability container anew, where the tag lets you.",
        "The tag says that it is read-only, and no block is locked: phones leave it alone, other writers need not. → Lock its blocks, too, if it is to stay as it is and the chip can do so.",
        "Locked blocks forbid writing, but the capability container says that the tag is writable: apps will try, and fail. → Lock it wholly, so that it says so.",
    ]

    // swift-format-ignore
    private static let savings = [
        "Write the URI again: its beginning is one byte by the RTD's abbreviation table.",
        "Write it without the last slash: https://example.com",
        "Write it as a URI record: --uri https://a.de",
        "Store the text as UTF-8.",
        "Store the text as UTF-16.",
        "Shorten the language to “en”: --lang en",
        "Drop the record's ID, unless another record refers to it.",
        "Drop the empty record.",
        "Drop the record: it stands there before.",
        "Write it without the last slash: https://a.de",
        "Write the URI alone, which iPhones open, too: --uri https://a.de",
        "Drop the smart poster's title.",
        "Drop the Android application record, if a URI of the app does: Android then does not offer to install it.",
        "Write the message again: its records are chunked, or have a longer head than they need.",
    ]
}
