// The reason why the content of a record cannot be read or written

/// An error about a record that does not contain the requested content, or about content that no record can contain.
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the part of the content and the problem.
    public let reason: String

    /// Creates an error with this reason, which must be a full sentence.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason, as a sentence.
    public var description: String { reason }
}

extension String {
    /// Decodes a field that must be UTF-8.
    ///
    /// `field` is the subject of the error message.
    init(utf8 bytes: some Collection<UInt8>, _ field: String) throws(ContentError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ContentError("\(field) is not UTF-8.") }
        self = text
    }

    /// Decodes a field that must be printable ASCII (20h to 7Eh).
    ///
    /// `field` is the subject of the error message.
    init(printableASCII bytes: some Collection<UInt8>, _ field: String) throws(ContentError) {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw ContentError("\(field) is not printable ASCII.")
        }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
