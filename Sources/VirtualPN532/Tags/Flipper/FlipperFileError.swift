// Why a Flipper `.nfc` file cannot be loaded

/// What is wrong in a `.nfc` file, and where.
public struct FlipperFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The key does not occur.
        case missing
        /// The line is neither a comment nor a key with a value.
        case notKeyAndValue
        /// The value is not one that can be simulated.
        case unsupported(String)
        /// The value is not bytes in hexadecimal, separated by spaces, as many as there must be.
        case notBytes(expected: Int?)
        /// The value is not a number from 0 to the given one.
        case notNumber(upTo: Int)
    }

    /// The line, counted from 1; nil when a key is missing.
    public let line: Int?
    /// The key, or the whole line when it has none.
    public let key: String
    /// What is wrong.
    public let reason: Reason

    /// Whether the file may be whole, and of a tag that is not simulated.
    var isBeyondSimulation: Bool { if case .unsupported = reason { true } else { false } }

    /// A sentence with line and key.
    public var description: String {
        let place = line.map { "Line \($0), \"\(key)\": " } ?? "\"\(key)\": "
        switch reason {
        case .missing: return place + "the file does not have this key."
        case .notKeyAndValue: return place + "neither a comment nor a key with a value."
        case .unsupported(let value): return place + "\"\(value)\" cannot be simulated."
        case .notBytes(let expected?): return place + "not \(expected) bytes in hexadecimal."
        case .notBytes(nil): return place + "not bytes in hexadecimal."
        case .notNumber(let limit): return place + "not a number from 0 to \(limit)."
        }
    }
}
