// Rows of a plan with the same error, in one line

package import Provisioning

/// Rows of a plan that cannot be written for the same reason.
package struct BadRowGroup {
    /// The error of the first row.
    ///
    /// The errors of the other rows may quote other cells.
    private let first: PlanError
    private var lines = RowNumbers()
    package private(set) var count = 1

    private init(_ error: PlanError) {
        first = error
        if let line = error.line { lines.add(line) }
    }

    /// Returns the groups, in the order of their first rows.
    package static func all(of rows: [PlanError]) -> [BadRowGroup] {
        var groups: [BadRowGroup] = []
        var places: [String: Int] = [:]
        for row in rows {
            let key = "\(row.column ?? "")\n\(withoutQuotes(row.reason.message))"
            guard let line = row.line, let place = places[key] else {
                if row.line != nil { places[key] = groups.count }
                groups.append(BadRowGroup(row))
                continue
            }
            groups[place].lines.add(line)
            groups[place].count += 1
        }
        return groups
    }

    /// The lines and the error of the first row, such as `Lines 3 to 9, column name: The bytes are not UTF-8.`.
    package var text: String {
        guard count > 1 else { return first.text }
        let column = first.column.map { ", column \($0)" } ?? ""
        let place = lines.text(of: "line")
        let message = PlanError(first.reason).text
        return "\(place.prefix(1).uppercased())\(place.dropFirst())\(column): \(message)"
    }

    /// Returns a message without the cells that it quotes.
    private static func withoutQuotes(_ message: String) -> String {
        var (result, isQuoted) = ("", false)
        for character in message {
            if character == "“" { isQuoted = true }
            if !isQuoted { result.append(character) }
            if character == "”" { isQuoted = false }
        }
        return result
    }
}
