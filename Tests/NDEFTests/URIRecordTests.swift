import NDEF
import Testing

/// NFC Forum URI RTD 1.0, abbreviation table, with which ndeflib 0.3.3 agrees in all rows.
private let prefixTable: [(code: UInt8, prefix: String)] = [
    (0x00, ""), (0x01, "http://www."), (0x02, "https://www."), (0x03, "http://"), (0x04, "https://"), (0x05, "tel:"),
    (0x06, "mailto:"), (0x07, "ftp://anonymous:anonymous@"), (0x08, "ftp://ftp."), (0x09, "ftps://"),
    (0x0A, "sftp://"), (0x0B, "smb://"), (0x0C, "nfs://"), (0x0D, "ftp://"), (0x0E, "dav://"), (0x0F, "news:"),
    (0x10, "telnet://"), (0x11, "imap:"), (0x12, "rtsp://"), (0x13, "urn:"), (0x14, "pop:"), (0x15, "sip:"),
    (0x16, "sips:"), (0x17, "tftp:"), (0x18, "btspp://"), (0x19, "btl2cap://"), (0x1A, "btgoep://"),
    (0x1B, "tcpobex://"), (0x1C, "irdaobex://"), (0x1D, "file://"), (0x1E, "urn:epc:id:"), (0x1F, "urn:epc:tag:"),
    (0x20, "urn:epc:pat:"), (0x21, "urn:epc:raw:"), (0x22, "urn:epc:"), (0x23, "urn:nfc:"),
]

@Suite struct URIRecordTests {
    @Test(arguments: prefixTable)
    func everyPrefixIsWrittenAsItsCodeAndReadBack(code: UInt8, prefix: String) throws {
        for rest in ["", "x", "ü", "\u{301}x"] {
            let record = NDEFRecord.of(.wellKnown, type: hex("55"), [code] + Array(rest.utf8))
            let content = URIRecord(uri: prefix + rest)
            #expect(try Array(URIRecord(record: record).uri.utf8) == Array((prefix + rest).utf8))
            #expect(content.record() == record)
            #expect(record.content == .uri(content))
        }
    }

    @Test func reservedCodesStandForNoPrefix() throws {
        for code in UInt8(0x24)...0xFF {
            let record = NDEFRecord.of(.wellKnown, type: hex("55"), [code] + Array("a:b".utf8))
            #expect(record.content == .uri(URIRecord(uri: "a:b")))
        }
    }

    /// CTS testCreateUri, and one row from ndeflib.
    @Test(arguments: [
        ("http://www.nfc.com", "01 6E 66 63 2E 63 6F 6D"),
        ("tel:+35891234567", "05 2B 33 35 38 39 31 32 33 34 35 36 37"),
        ("foo", "00 66 6F 6F"),
        ("\u{A2}", "00 C2 A2"),
        ("https://www.example.com/a?b=c", "02 65 78 61 6D 70 6C 65 2E 63 6F 6D 2F 61 3F 62 3D 63"),
    ])
    func uriIsWrittenAsOthersWriteIt(uri: String, payload: String) {
        #expect(URIRecord(uri: uri).record() == .of(.wellKnown, type: hex("55"), hex(payload)))
    }

    @Test(arguments: [("", "The URI's payload is empty."), ("01 C3", "The URI is not UTF-8.")])
    func brokenURIIsMalformedWithAReason(payload: String, reason: String) {
        #expect(NDEFRecord.of(.wellKnown, type: hex("55"), hex(payload)).content == .malformed(reason: reason))
    }
}
