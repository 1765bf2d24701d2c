import NDEF
import Testing

/// Written by ndeflib 0.3.3.
let smartPosterBytes = hex(
    """
    D1 02 63 53 70
    91 01 0E 55 04 6E 66 63 2D 66 6F 72 75 6D 2E 6F 72 67
    11 01 0C 54 02 65 6E 4E 46 43 20 46 6F 72 75 6D
    11 01 11 54 02 64 65 4E 46 43 2D 46 6F 72 75 6D 20 65 2E 56 2E
    11 03 01 61 63 74 01
    12 09 04 69 6D 61 67 65 2F 70 6E 67 89 50 4E 47
    11 01 04 73 00 00 04 00
    51 01 09 74 74 65 78 74 2F 68 74 6D 6C
    """)

@Suite struct SmartPosterRecordTests {
    private let poster = SmartPosterRecord(
        uri: "https://nfc-forum.org",
        titles: [TextRecord(text: "NFC Forum"), TextRecord(text: "NFC-Forum e.V.", language: "de")],
        action: .save, mimeType: "text/html", size: 1024,
        icons: [MIMERecord(mimeType: "image/png", data: hex("89 50 4E 47"))])

    @Test func fullPosterRoundTripsByteForByte() throws {
        let message = try NDEFMessage(bytes: smartPosterBytes)
        #expect(message.records.map(\.content) == [.smartPoster(poster)])
        #expect(try NDEFMessage(records: [poster.record()]).encoded() == smartPosterBytes)
    }

    @Test(arguments: [
        ("D1 01 02 55 00 61", SmartPosterRecord(uri: "a")),
        ("D3 03 00 61 3A 62", SmartPosterRecord(uri: "a:b")),
        ("91 03 01 61 63 74 09 51 01 02 55 00 61", SmartPosterRecord(uri: "a")),
        ("91 01 02 55 00 61 51 03 01 61 63 74 00", SmartPosterRecord(uri: "a", action: .execute)),
        ("91 01 02 55 00 61 51 03 01 61 63 74 02", SmartPosterRecord(uri: "a", action: .edit)),
        (
            "91 01 02 55 00 61 52 03 01 61 2F 62 07",
            SmartPosterRecord(uri: "a", others: [.of(.media, type: hex("61 2F 62"), [7])])
        ),
        (
            "91 01 02 55 00 61 52 07 01 56 49 44 45 4F 2F 78 07",
            SmartPosterRecord(uri: "a", icons: [MIMERecord(mimeType: "VIDEO/x", data: [7])])
        ),
    ])
    func partsAreReadInAnyOrderAndKeptWhenNotKnown(payload: String, poster: SmartPosterRecord) throws {
        #expect(try SmartPosterRecord(record: sp(payload)) == poster)
        #expect(try SmartPosterRecord(record: poster.record()) == poster)
    }

    @Test(arguments: [
        ("", "In the poster's message: MB at offset 0 needs 1 byte; 0 are left."),
        ("D1 01 02 55 00", "In the poster's message: PAYLOAD at offset 4 needs 2 bytes; 1 is left."),
        ("D1 01 03 54 02 65 6E", "The poster holds 0 URI records; expected 1."),
        ("91 01 01 55 00 51 01 01 55 00", "The poster holds 2 URI records; expected 1."),
        ("D1 01 00 55", "The URI's payload is empty."),
        ("91 01 01 55 00 51 01 00 54", "The text's payload is empty."),
        ("91 01 01 55 00 51 03 00 61 63 74", "The poster's action is not 1 byte."),
        ("91 01 01 55 00 51 01 01 73 00", "The poster's size is not 4 bytes."),
        ("91 01 01 55 00 51 01 01 74 FF", "The poster's media type is not UTF-8."),
    ])
    func brokenPosterIsMalformedWithAReason(payload: String, reason: String) {
        #expect(sp(payload).content == .malformed(reason: reason))
    }

    @Test func posterCutShortIsMalformed() throws {
        let payload = try NDEFMessage(bytes: smartPosterBytes).records[0].payload
        for count in payload.indices {
            guard case .malformed = NDEFRecord.of(.wellKnown, type: hex("53 70"), Array(payload.prefix(count))).content
            else {
                Issue.record("\(count) of \(payload.count) bytes were accepted")
                continue
            }
        }
    }

    @Test func postersInPostersAreKeptAsTheyAre() throws {
        var nested = try SmartPosterRecord(uri: "a").record()
        for _ in 0..<1000 { nested = try SmartPosterRecord(uri: "a", others: [nested]).record() }
        let poster = try SmartPosterRecord(record: nested)
        #expect(poster.uri == "a")
        #expect(poster.others.count == 1)
        #expect(try poster.record() == nested)
    }

    @Test func posterWithAPartThatCannotBeWrittenIsNotWritten() {
        let poster = SmartPosterRecord(uri: "a", others: [.of(.unchanged)])
        let error = #expect(throws: ContentError.self) { try poster.record() }
        #expect(
            error?.reason
                == "In the poster's message: TNF at offset 6 is 6; expected 0 to 5 or 7 where a record begins.")
    }

    private func sp(_ payload: String) -> NDEFRecord {
        .of(.wellKnown, type: hex("53 70"), hex(payload))
    }
}
