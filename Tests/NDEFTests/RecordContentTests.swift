import NDEF
import Testing

@Suite struct RecordContentTests {
    @Test(arguments: [
        (NDEFRecord.none, RecordContent.empty),
        (.of(.unknown, [1, 2]), .unknown([1, 2])),
        (.of(.reserved, [1, 2]), .other([1, 2])),
        (.of(.unchanged, [1, 2]), .other([1, 2])),
        (.of(.wellKnown, type: Array("Xx".utf8), [1, 2]), .other([1, 2])),
        // Well-known types are case-sensitive
        (.of(.wellKnown, type: Array("t".utf8), [1, 2]), .other([1, 2])),
        (.of(.wellKnown, type: Array("u".utf8), [1, 2]), .other([1, 2])),
        (
            .of(.media, type: Array("text/plain; charset=us-ascii".utf8), [0x41]),
            .mime(MIMERecord(mimeType: "text/plain; charset=us-ascii", data: [0x41]))
        ),
        // CTS testCreateMime
        (.of(.media, type: Array("   ^@#/*   ".utf8)), .mime(MIMERecord(mimeType: "   ^@#/*   ", data: []))),
        // CTS testCreateExternal
        (
            .of(.external, type: Array("a.b:c!".utf8), [1]),
            .external(ExternalRecord(domain: "a.b", type: "c!", data: [1]))
        ),
        (.of(.external, type: Array("a.b:c:d".utf8)), .external(ExternalRecord(domain: "a.b", type: "c:d", data: []))),
        // CTS testCreateApplicationRecord
        (
            .of(.external, type: Array("android.com:pkg".utf8), Array("com.foo.bar".utf8)),
            .app(AndroidApplicationRecord(package: "com.foo.bar"))
        ),
        // CTS testToUri. ndeflib fails on the next two (field notes).
        (
            .of(.absoluteURI, type: Array("http://www.android.com".utf8)),
            .absoluteURI(AbsoluteURIRecord(uri: "http://www.android.com"))
        ),
        (
            .of(.absoluteURI, type: Array("urn:x:y".utf8), [1]),
            .absoluteURI(AbsoluteURIRecord(uri: "urn:x:y", data: [1]))
        ),
        (.of(.absoluteURI, type: Array("mailto:a@b.c".utf8)), .absoluteURI(AbsoluteURIRecord(uri: "mailto:a@b.c"))),
    ])
    func contentIsReadAndWrittenBackUnchanged(record: NDEFRecord, content: RecordContent) throws {
        #expect(record.content == content)
        switch content {
        case .mime(let mime): #expect(try mime.record() == record)
        case .external(let external): #expect(try external.record() == record)
        case .app(let app): #expect(try app.record() == record)
        case .absoluteURI(let uri): #expect(try uri.record() == record)
        default: break
        }
    }

    @Test func mediaAndExternalTypesAreToldApartWithoutRegardToCase() {
        #expect(
            NDEFRecord.of(.external, type: Array("Android.COM:Pkg".utf8), [0x61]).content
                == .app(AndroidApplicationRecord(package: "a")))
        #expect(
            NDEFRecord.of(.media, type: Array("Application/VND.wfa.WSC".utf8)).content
                == .wifi(WiFiRecord(networks: [])))
    }

    @Test(arguments: [
        (NDEFRecord.of(.media), "The media type is not of the form type/subtype."),
        (.of(.media, type: Array("/".utf8)), "The media type is not of the form type/subtype."),
        (.of(.media, type: Array("a/".utf8)), "The media type is not of the form type/subtype."),
        (.of(.media, type: Array("/b".utf8)), "The media type is not of the form type/subtype."),
        (.of(.media, type: hex("61 2F 1B")), "The media type is not printable ASCII."),
        (.of(.external, type: Array("abc".utf8)), "The external type is not of the form domain:type."),
        (.of(.external, type: Array(":c".utf8)), "The external type is not of the form domain:type."),
        (.of(.external, type: Array("a:".utf8)), "The external type is not of the form domain:type."),
        (.of(.external, type: hex("FF 3A 61")), "The external type's domain is not printable ASCII."),
        (.of(.external, type: hex("61 3A 00")), "The external type's name is not printable ASCII."),
        (.of(.external, type: Array("android.com:pkg".utf8)), "The application's package name is empty."),
        (.of(.external, type: Array("android.com:pkg".utf8), [0xFF]), "The application's package name is not UTF-8."),
        (.of(.absoluteURI), "The absolute URI is empty."),
        (.of(.absoluteURI, type: [0xFF]), "The absolute URI is not UTF-8."),
    ])
    func brokenContentIsMalformedWithAReasonAndLeavesTheMessageWhole(record: NDEFRecord, reason: String) throws {
        let message = try NDEFMessage(bytes: NDEFMessage(records: [.none, record, .none]).encoded())
        #expect(message.records.map(\.content) == [.empty, .malformed(reason: reason), .empty])
    }

    @Test func contentThatFitsNoRecordIsNotWritten() {
        let long = String(repeating: "x", count: 256)
        #expect(throws: ContentError.self) { try MIMERecord(mimeType: "a/" + long, data: []).record() }
        #expect(throws: ContentError.self) { try MIMERecord(mimeType: "plain", data: []).record() }
        #expect(throws: ContentError.self) { try ExternalRecord(domain: "a", type: long, data: []).record() }
        #expect(throws: ContentError.self) { try ExternalRecord(domain: "", type: "c", data: []).record() }
        #expect(throws: ContentError.self) { try ExternalRecord(domain: "a:b", type: "c", data: []).record() }
        #expect(throws: ContentError.self) { try AndroidApplicationRecord(package: "").record() }
        #expect(throws: ContentError.self) { try AbsoluteURIRecord(uri: "").record() }
        #expect(throws: ContentError.self) { try AbsoluteURIRecord(uri: long).record() }
    }

    @Test func recordOfAnotherTypeIsNotTakenForTheContent() {
        let record = NDEFRecord.of(.unknown, [0])
        #expect(throws: ContentError("Not a Text record.")) { try TextRecord(record: record) }
        #expect(throws: ContentError("Not a URI record.")) { try URIRecord(record: record) }
        #expect(throws: ContentError("Not a Smart Poster record.")) { try SmartPosterRecord(record: record) }
        #expect(throws: ContentError("Not a media record.")) { try MIMERecord(record: record) }
        #expect(throws: ContentError("Not an external record.")) { try ExternalRecord(record: record) }
        #expect(throws: ContentError("Not an absolute URI record.")) { try AbsoluteURIRecord(record: record) }
        #expect(throws: ContentError("Not a Wi-Fi record.")) { try WiFiRecord(record: record) }
        #expect(throws: ContentError("Not an Android Application Record.")) {
            try AndroidApplicationRecord(record: record)
        }
    }

    @Test func dataIsTextOnlyUnderATextTypeAndInUTF8() {
        #expect(MIMERecord(mimeType: "Text/vCard", data: hex("C3 BC")).text == "ü")
        #expect(MIMERecord(mimeType: "text/plain", data: hex("C3")).text == nil)
        #expect(MIMERecord(mimeType: "image/svg+xml", data: hex("41")).text == nil)
    }
}
