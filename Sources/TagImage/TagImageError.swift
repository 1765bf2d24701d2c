// The errors that occur when a dump file cannot be read, or when an image cannot be written to one

/// An error from reading or writing a dump file.
public enum TagImageError: Error, Hashable, Sendable {
    /// The format of the file is not known. `reason` is a clause.
    case unknownFormat(reason: String)
    /// The format is known, but the version or the kind of tag in the file is not supported.
    case unsupported(Place, String)
    /// A value violates the format or contradicts another value.
    ///
    /// `found` and `expected` are phrases for the description.
    case malformed(Place, found: String, expected: String)
    /// The format cannot hold this image. `reason` is a clause.
    case notExpressible(TagImage.Format, reason: String)

    /// The place of a value in a file.
    public struct Place: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// The name of the field.
        public var field: String
        /// The number of the line in a text file, counted from 1; `nil` if the value has no line.
        public var line: Int?

        /// Creates the place of a field in a line.
        public static func line(_ line: Int, _ field: String) -> Place { Place(field: field, line: line) }
        /// Creates the place of a field that has no line number.
        public static func field(_ field: String) -> Place { Place(field: field, line: nil) }

        private init(field: String, line: Int?) {
            self.field = field
            self.line = line
        }

        /// Creates the place of a field that has no line number.
        public init(stringLiteral value: String) { self.init(field: value, line: nil) }
    }
}

extension TagImageError: CustomStringConvertible {
    /// A description of the problem in one sentence.
    public var description: String {
        switch self {
        case .unknownFormat(let reason): "It is not a dump in a known format: \(reason)."
        case .unsupported(let place, let value): "\(place) is \(value), which is not supported."
        case .malformed(let place, let found, let expected): "\(place) is \(found); expected \(expected)."
        case .notExpressible(let format, let reason): "A .\(format.rawValue) file cannot hold this: \(reason)."
        }
    }
}

extension TagImageError.Place: CustomStringConvertible {
    /// The place, as the start of a sentence.
    public var description: String { line.map { "Line \($0), \(field)," } ?? "The value of \(field)" }
}
