// The external type record (TNF 4) — NFC Forum Record Type Definition 1.0

/// Data of a type that the owner of a domain has defined.
///
/// TYPE: `domain:name`. Payload: the data.
public struct ExternalRecord: Hashable, Sendable {
    /// The domain, such as `example.com`.
    ///
    /// Android recognises domains only in lower case.
    public var domain: String
    /// The name of the type within the domain.
    ///
    /// Android recognises names only in lower case.
    public var type: String
    /// The data.
    public var data: [UInt8]

    /// Creates an external record without checking its parts.
    public init(domain: String, type: String, data: [UInt8]) {
        self.domain = domain
        self.type = type
        self.data = data
    }

    /// Parses a record with TNF 4.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .external else { throw ContentError("Not an external record.") }
        let parts = record.type.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ContentError("The external type is not of the form domain:type.")
        }
        domain = try String(printableASCII: parts[0], "The external type's domain")
        type = try String(printableASCII: parts[1], "The external type's name")
        data = record.payload
    }

    /// Encodes the data as a record.
    /// - Throws: ``ContentError`` if `domain:type` is longer than 255 bytes, or could not be parsed to the same domain
    ///   and type.
    public func record() throws(ContentError) -> NDEFRecord {
        let record = NDEFRecord(tnf: .external, type: Array("\(domain):\(type)".utf8), payload: data)
        guard record.type.count <= 255 else { throw ContentError("The external type is longer than 255 bytes.") }
        guard try ExternalRecord(record: record) == self else {
            throw ContentError("The external type's domain contains a colon.")
        }
        return record
    }
}
