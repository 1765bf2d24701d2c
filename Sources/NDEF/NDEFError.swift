// The reason why bytes are not an NDEF message, or why records cannot form one — NFC Forum NDEF 1.0

/// An error in a message: the field that broke a rule, the offset of the field, and the problem.
public struct NDEFError: Error, Hashable, Sendable {
    /// The fields of an NDEF record, with their names in the specification.
    public enum Field: String, Hashable, Sendable {
        /// The Message Begin flag.
        case mb = "MB"
        /// The Message End flag.
        case me = "ME"
        /// The Chunk Flag.
        case cf = "CF"
        /// The flag that announces ID_LENGTH.
        case il = "IL"
        /// The Type Name Format, which defines the meaning of TYPE.
        case tnf = "TNF"
        /// The length of TYPE, in bytes.
        case typeLength = "TYPE_LENGTH"
        /// The length of PAYLOAD, in bytes.
        case payloadLength = "PAYLOAD_LENGTH"
        /// The length of ID, in bytes.
        case idLength = "ID_LENGTH"
        /// The type of the record.
        case type = "TYPE"
        /// The identifier of the record.
        case id = "ID"
        /// The payload of the record.
        case payload = "PAYLOAD"
    }

    /// The problem with a field.
    public enum Problem: Hashable, Sendable {
        /// The field needs more bytes than are left.
        case missing(needed: Int, left: Int)
        /// The field has this value instead of the expected one.
        case value(Int, expected: String)
        /// After the last record, this number of bytes follows.
        case trailing(Int)
    }

    /// The field that broke the rule.
    public let field: Field
    /// The number of bytes from the start of the message to the field, or to the place where the field should be.
    public let offset: Int
    /// The problem with the field.
    public let problem: Problem

    init(_ field: Field, at offset: Int, _ problem: Problem) {
        self.field = field
        self.offset = offset
        self.problem = problem
    }
}

extension NDEFError: CustomStringConvertible {
    /// The error as a sentence.
    ///
    /// Example: `PAYLOAD at offset 4 needs 250 bytes; 2 are left.`
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

    /// Returns the end of a sentence about a field that is not complete.
    static func shortage(needed: Int, left: Int) -> String {
        "needs \(count(needed)); \(left) \(left == 1 ? "is" : "are") left."
    }

    private static func count(_ bytes: Int) -> String {
        bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}
