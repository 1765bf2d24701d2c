// Columns without an effect, and their likely meaning — Docs/CommandLine.md, provision

import Composing

/// A column that no template, record or setting uses.
public struct UnusedColumn: Hashable, Sendable {
    /// The column's name in the plan.
    public let name: String
    /// The effective name that is probably meant, or nil if the column seems to be meant only for the plan's owner.
    public let meant: String?

    /// Common names of columns, and the effective name that each of them means.
    private static let synonyms = [
        "url": "uri", "urls": "uri", "link": "uri", "website": "uri", "email": "mail", "e-mail": "mail", "phone": "tel",
        "telephone": "tel", "message": "text", "ssid": "wifi", "pwd": "password", "kennwort": "password",
        "readonly": "lock", "chip": "require", "language": "lang",
    ]

    /// Looks up which effective name a column's name may mean.
    ///
    /// `names` are the names that have an effect in this plan, except those that the plan already uses.
    init(_ name: String, among names: [String]) {
        self.name = name
        let word = name.lowercased()
        if let meant = Self.synonyms[word] {
            self.meant = names.contains(meant) ? meant : nil
        } else {
            // Short names are often similar only by accident: `id` does not mean `uri`.
            meant = word.utf8.count > 2 || names.contains(word) ? Spelling(name).nearest(in: names) : nil
        }
    }

    /// Whether a column is named `password`, or has a name that probably means `password`.
    public static func meansPassword(_ name: String) -> Bool {
        name == "password" || UnusedColumn(name, among: ["password"]).meant == "password"
    }

    /// Returns all unused columns on one line, such as `Columns not used: locked (did you mean lock?), box.`, or nil if
    /// there are none.
    public static func text(_ columns: [UnusedColumn]) -> String? {
        guard !columns.isEmpty else { return nil }
        let list = columns.map { $0.name + ($0.meant.map { " (did you mean \($0)?)" } ?? "") }
        return "\(columns.count == 1 ? "Column" : "Columns") not used: \(list.joined(separator: ", "))."
    }
}

extension RowRecipe {
    /// Returns the columns that have no effect.
    public func unused(of columns: [String]) -> [UnusedColumn] {
        let open = effectiveColumns.filter { !columns.contains($0) }
        return columns.filter { !uses($0) }.map { UnusedColumn($0, among: open) }
    }

    /// Returns the cells of a row that have an effect on its tag, in the order of the columns.
    func cells(of row: PlanRow) -> [PlanField] { row.fields.filter { uses($0.name) } }

    /// Whether a column has an effect.
    private func uses(_ column: String) -> Bool {
        usedColumns.contains(column) || effectiveColumns.contains(column) || Template.isReserved(column)
    }
}
