// The Absolute URI record (TNF 3) — NFC Forum NDEF 1.0, section 3.2.6

/// A record whose type is a URI.
///
/// TYPE contains the URI, which describes the type of the payload. The payload is usually empty. In that case, the URI
/// itself is the content.
public struct AbsoluteURIRecord: Hashable, Sendable {
    /// The URI, 1 to 255 bytes of UTF-8.
    public var uri: String
    /// The payload.
    public var data: [UInt8]

    /// Creates an absolute URI record without checking its parts.
    public init(uri: String, data: [UInt8] = []) {
        self.uri = uri
        self.data = data
    }

    /// Parses a record with TNF 3.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .absoluteURI else { throw ContentError("Not an absolute URI record.") }
        guard !record.type.isEmpty else { throw ContentError("The absolute URI is empty.") }
        uri = try String(utf8: record.type, "The absolute URI")
        data = record.payload
    }

    /// Encodes the URI as a record.
    /// - Throws: ``ContentError`` if the URI is not 1 to 255 bytes long.
    public func record() throws(ContentError) -> NDEFRecord {
        guard (1...255).contains(uri.utf8.count) else { throw ContentError("An absolute URI must be 1 to 255 bytes.") }
        return NDEFRecord(tnf: .absoluteURI, type: Array(uri.utf8), payload: data)
    }
}
