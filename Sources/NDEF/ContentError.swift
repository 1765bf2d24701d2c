// Why a record's content cannot be read or written

/// Why a record does not hold the content asked for, or why a content fits no record.
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence naming the part of the content and what is wrong with it.
    public let reason: String

    /// Makes an error with a reason: a full sentence.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}

extension String {
    /// The text of a field that must be UTF-8; `field` begins the sentence of the error.
    init(utf8 bytes: some Collection<UInt8>, _ field: String) throws(ContentError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ContentError("\(field) is not UTF-8.") }
        self = text
    }

    /// The text of a field that must be printable ASCII (20h to 7Eh).
    init(printableASCII bytes: some Collection<UInt8>, _ field: String) throws(ContentError) {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw ContentError("\(field) is not printable ASCII.")
        }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
