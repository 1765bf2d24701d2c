// Duplicate rows in a plan, usually the result of a copied line

import DurableFiles
import NDEF

/// Finds rows with the same values, or with the same message.
public struct DuplicateRows: Sendable {
    /// The kind of data that duplicate rows have in common.
    public enum Kind: String, Hashable, Sendable {
        /// The values of all columns.
        case values
        /// The message for the tag.
        case message
    }

    /// A row, and the later rows that duplicate it.
    public struct Group: Hashable, Sendable {
        /// The data that the rows have in common.
        public let kind: Kind
        /// The number of the first row.
        public let original: Int
        /// The numbers of the later rows.
        public internal(set) var copies: RowNumbers
        /// The line of the file on which the first row begins.
        public let originalLine: Int
        /// The lines on which the later rows begin.
        public internal(set) var copyLines: RowNumbers

        /// A sentence, such as `Rows 3 and 9 (lines 4 and 10) have the same values as row 1 (line 2)`.
        ///
        /// Lines are left out if their numbers equal those of the rows, as in a range or in JSON Lines.
        public var text: String {
            let isOne = copies.count == 1
            let verb =
                kind == .values
                ? (isOne ? "has the same values as" : "have the same values as")
                : (isOne ? "makes the same message as" : "make the same message as")
            let places = copyLines == copies ? "" : " (\(copyLines.text(of: "line")))"
            let place = originalLine == original ? "" : " (line \(originalLine))"
            return "\(copies.capitalizedText)\(places) \(verb) row \(original)\(place)."
        }
    }

    /// The maximum number of groups that are kept.
    private static let limit = 1000

    /// The first row with each content, by the first 8 bytes of the content's SHA-256.
    ///
    /// In a million rows, the probability that two different rows are mistaken for duplicates is 3 in 100 million.
    private var originals: [Kind: [UInt64: (number: Int, line: Int)]] = [.values: [:], .message: [:]]
    private var places: [Kind: [Int: Int]] = [.values: [:], .message: [:]]

    /// The groups of duplicate rows, in the order in which they were found.
    public private(set) var groups: [Group] = []

    /// The number of rows in ``groups`` that duplicate an earlier one.
    public var copyCount: Int { groups.reduce(0) { $0 + $1.copies.count } }

    /// Returns one sentence per group.
    ///
    /// The rows of groups beyond `limit` are only counted.
    public func lines(limit: Int) -> [String] {
        let more = groups.dropFirst(limit).reduce(0) { $0 + $1.copies.count }
        let rest = more == 1 ? "1 more row that repeats an earlier one" : "\(more) more rows that repeat earlier ones"
        return groups.prefix(limit).map(\.text) + (more > 0 ? ["… and \(rest)"] : [])
    }

    /// Creates an empty set of duplicates.
    public init() {}

    /// Compares a row with all earlier ones.
    public mutating func add(_ row: CheckedRow) {
        var values: [UInt8] = []
        for field in row.order.row.withoutTokens.fields {
            values += Array(field.name.utf8) + [0] + Array(field.value.utf8) + [0]
        }
        if isCopy(row, of: values, .values) { return }
        // Messages with the tag's UID or random digits always differ.
        guard !row.order.isOfUID, !row.order.hasTokens, let message = try? row.message.message.encoded() else { return }
        _ = isCopy(row, of: message, .message)
    }

    private mutating func isCopy(_ row: CheckedRow, of bytes: [UInt8], _ kind: Kind) -> Bool {
        let (number, line) = (row.order.row.number, row.order.row.line)
        let key = SHA256Digest(of: bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard let original = originals[kind]?[key] else {
            originals[kind]?[key] = (number, line)
            return false
        }
        if let place = places[kind]?[original.number] {
            groups[place].copies.add(number)
            groups[place].copyLines.add(line)
        } else if groups.count < Self.limit {
            places[kind]?[original.number] = groups.count
            groups.append(
                Group(
                    kind: kind, original: original.number, copies: RowNumbers([number]),
                    originalLine: original.line, copyLines: RowNumbers([line])))
        }
        return true
    }
}
