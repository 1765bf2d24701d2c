// The reason why a Flipper `.nfc` file cannot be loaded

/// A problem in a `.nfc` file, with its location.
public struct FlipperFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problem.
    public enum Reason: Hashable, Sendable {
        /// The key is missing.
        case missing
        /// The line is neither a comment nor a key with a value.
        case notKeyAndValue
        /// The value describes something that cannot be simulated.
        case unsupported(String)
        /// The value is not the expected number of bytes in hexadecimal, separated by spaces.
        ///
        /// `expected` is nil if any number of bytes is permitted.
        case notBytes(expected: Int?)
        /// The value is not a number from 0 to `upTo`.
        case notNumber(upTo: Int)
        /// The file does not contain a value that the tag would have to return.
        case unknown
    }

    /// The line, counted from 1; nil if the problem is not in a particular line.
    public let line: Int?
    /// The key, or the whole line if the line has no key.
    public let key: String
    /// The kind of problem.
    public let reason: Reason

    /// Whether the file may be intact, but describes a tag that cannot be simulated.
    var isBeyondSimulation: Bool { if case .unsupported = reason { true } else { false } }

    /// A sentence that describes the problem and names the key and, if known, the line.
    public var description: String {
        let place = line.map { "Line \($0), \"\(key)\": " } ?? "\"\(key)\": "
        switch reason {
        case .missing: return place + "the file does not have this key."
        case .notKeyAndValue: return place + "neither a comment nor a key with a value."
        case .unsupported(let value): return place + "\"\(value)\" cannot be simulated."
        case .notBytes(let expected?): return place + "not \(expected) bytes in hexadecimal."
        case .notBytes(nil): return place + "not bytes in hexadecimal."
        case .unknown: return place + "the content is unknown, so the tag cannot be simulated."
        case .notNumber(let limit): return place + "not a number from 0 to \(limit)."
        }
    }
}
