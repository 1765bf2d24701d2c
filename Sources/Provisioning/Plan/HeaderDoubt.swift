// Signs that a plan's first line is not a header, or uses another separator — Docs/CommandLine.md, provision

import Foundation

/// A probable error in the names of a plan's columns.
enum HeaderDoubt: Hashable {
    /// This name looks like a value, so the first line is probably a row.
    case value(String)
    /// The header has only one name. It contains this character, which probably separates the columns.
    case separator(Character)

    private static let separators: Set<Character> = ["|", ";", ",", "\t", ":", "^", "~"]

    /// Checks the names of the columns.
    ///
    /// The result is nil if they look like names.
    init?(_ columns: [String]) {
        if let value = Self.value(among: columns) {
            self = .value(value)
        } else if columns.count == 1, let separator = columns[0].first(where: Self.separators.contains) {
            self = .separator(separator)
        } else {
            return nil
        }
    }

    /// Returns the first name if it is a number, otherwise the first name that contains a URI, or nil if there is none.
    private static func value(among columns: [String]) -> String? {
        if let first = columns.first, !first.isEmpty, first.allSatisfy({ $0.isASCII && $0.isNumber }) { return first }
        return columns.first { $0.contains("://") }
    }

    /// Searches for a name in column names that seem to consist of several names with another separator between them.
    ///
    /// In `id;Price (EUR, net)`, the header is read with commas, so `id` is in the column `id;Price (EUR`.
    static func column(containing name: String, among columns: [String]) -> (column: String, separator: Character)? {
        for column in columns {
            for sign in separators where column.contains(sign) {
                // Spaces around the separator are not part of a name.
                let names = column.split(separator: sign).map { $0.trimmingCharacters(in: .whitespaces) }
                if names.contains(name) { return (column, sign) }
            }
        }
        return nil
    }
}
