// The URI record (`U`) — NFC Forum URI Record Type Definition 1.0

/// A URI.
///
/// In the payload, one byte stands for a common prefix of the URI.
///
/// The payload is `URI identifier code (1), rest of the URI (UTF-8)`.
public struct URIRecord: Hashable, Sendable {
    static let type = Array("U".utf8)

    /// The prefixes for the URI identifier codes 00h to 23h (URI RTD 1.0, abbreviation table).
    ///
    /// Codes 24h to FFh are reserved.
    static let prefixes = [
        "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:", "ftp://anonymous:anonymous@",
        "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:",
        "rtsp://", "urn:", "pop:", "sip:", "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://",
        "irdaobex://", "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:", "urn:nfc:",
    ]

    /// The complete URI.
    public var uri: String

    /// Creates the content of a URI record without checking that the text is a URI.
    public init(uri: String) {
        self.uri = uri
    }

    /// Parses a record with TNF 1 and type `U`.
    ///
    /// A reserved code stands for no prefix, as the RTD requires.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, record.type == Self.type else { throw ContentError("Not a URI record.") }
        guard let code = record.payload.first else { throw ContentError("The URI's payload is empty.") }
        let prefix = Self.prefixes.indices.contains(Int(code)) ? Self.prefixes[Int(code)] : ""
        uri = try prefix + String(utf8: record.payload.dropFirst(), "The URI")
    }

    /// Encodes the URI as a record, with the code of the longest matching prefix.
    public func record() -> NDEFRecord {
        // Compare bytes, because Swift characters could combine the last letter of the prefix with a combining mark
        // after it.
        let fitting = Self.prefixes.indices.filter { uri.utf8.starts(with: Self.prefixes[$0].utf8) }
        let code = fitting.max { Self.prefixes[$0].utf8.count < Self.prefixes[$1].utf8.count } ?? 0
        let rest = uri.utf8.dropFirst(Self.prefixes[code].utf8.count)
        return NDEFRecord(tnf: .wellKnown, type: Self.type, payload: [UInt8(truncatingIfNeeded: code)] + rest)
    }
}
