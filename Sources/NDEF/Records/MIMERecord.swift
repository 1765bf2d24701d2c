// The MIME media record (TNF 2) — NFC Forum NDEF 1.0, section 3.2.6; RFC 2046

/// Data of a media type.
///
/// TYPE contains the media type, `type/subtype`, possibly with parameters. The payload is the data.
public struct MIMERecord: Hashable, Sendable {
    /// The media type, such as `text/vcard`: printable ASCII with a slash inside, at most 255 bytes.
    public var mimeType: String
    /// The data.
    public var data: [UInt8]

    /// Creates a media record without checking the media type.
    public init(mimeType: String, data: [UInt8]) {
        self.mimeType = mimeType
        self.data = data
    }

    /// The data as text; nil unless the type is `text/…` and the data is UTF-8.
    public var text: String? {
        guard mimeType.utf8.prefix(5).elementsEqual("text/".utf8, by: { $0 | 0x20 == $1 | 0x20 }) else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    /// Parses a record with TNF 2.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .media else { throw ContentError("Not a media record.") }
        mimeType = try Self.checkedType(record.type)
        data = record.payload
    }

    /// Encodes the data as a record.
    /// - Throws: ``ContentError`` if the media type is not of the form `type/subtype` or is too long.
    public func record() throws(ContentError) -> NDEFRecord {
        let type = Array(mimeType.utf8)
        _ = try Self.checkedType(type)
        return NDEFRecord(tnf: .media, type: type, payload: data)
    }

    private static func checkedType(_ type: [UInt8]) throws(ContentError) -> String {
        guard type.count <= 255 else { throw ContentError("The media type is longer than 255 bytes.") }
        let text = try String(printableASCII: type, "The media type")
        guard type.dropFirst().dropLast().contains(UInt8(ascii: "/")) else {
            throw ContentError("The media type is not of the form type/subtype.")
        }
        return text
    }
}
