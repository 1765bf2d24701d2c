// Why bytes are no NDEF message, or records cannot become one — NFC Forum NDEF 1.0

/// Which field of a message broke which rule, and where.
public struct NDEFError: Error, Hashable, Sendable {
    /// The fields of an NDEF record, by the specification's names.
    public enum Field: String, Hashable, Sendable {
        /// Message Begin flag.
        case mb = "MB"
        /// Message End flag.
        case me = "ME"
        /// Chunk Flag.
        case cf = "CF"
        /// ID_LENGTH-is-present flag.
        case il = "IL"
        /// Type Name Format.
        case tnf = "TNF"
        /// Length of TYPE, in bytes.
        case typeLength = "TYPE_LENGTH"
        /// Length of PAYLOAD, in bytes.
        case payloadLength = "PAYLOAD_LENGTH"
        /// Length of ID, in bytes.
        case idLength = "ID_LENGTH"
        /// The record's type.
        case type = "TYPE"
        /// The record's identifier.
        case id = "ID"
        /// The record's payload.
        case payload = "PAYLOAD"
    }

    /// What is wrong with the field.
    public enum Problem: Hashable, Sendable {
        /// The field needs more bytes than are left.
        case missing(needed: Int, left: Int)
        /// The field has this value where another was expected.
        case value(Int, expected: String)
        /// This number of bytes follows the record that ends the message.
        case trailing(Int)
    }

    /// The field that broke the rule.
    public let field: Field
    /// Where the byte that holds or begins the field is, or would be, counted in bytes from the message's start.
    public let offset: Int
    /// What is wrong with it.
    public let problem: Problem

    init(_ field: Field, at offset: Int, _ problem: Problem) {
        self.field = field
        self.offset = offset
        self.problem = problem
    }
}

extension NDEFError: CustomStringConvertible {
    /// One sentence.
    ///
    /// For example `PAYLOAD at offset 4 needs 250 bytes; 2 are left.`
    public var description: String {
        switch problem {
        case .missing(let needed, let left):
            return "\(field.rawValue) at offset \(offset) \(Self.shortage(needed: needed, left: left))"
        case .value(let found, let expected):
            return "\(field.rawValue) at offset \(offset) is \(found); expected \(expected)."
        case .trailing(let number):
            let verb = number == 1 ? "follows" : "follow"
            return "ME ended the message, but \(Self.count(number)) \(verb) at offset \(offset)."
        }
    }

    /// The end of a sentence about a field that is interrupted.
    static func shortage(needed: Int, left: Int) -> String {
        "needs \(count(needed)); \(left) \(left == 1 ? "is" : "are") left."
    }

    private static func count(_ bytes: Int) -> String {
        bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}
