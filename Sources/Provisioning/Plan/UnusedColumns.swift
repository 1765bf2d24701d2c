// Columns that do nothing, and what may be meant — Docs/CommandLine.md, provision

import Composing

/// A column that no template, record or setting uses.
public struct UnusedColumn: Hashable, Sendable {
    /// As it stands in the plan.
    public let name: String
    /// The name that would do something; nil when the column looks like data of the plan's owner.
    public let meant: String?

    /// Words that people use for a column, and the one they mean.
    private static let synonyms = [
        "url": "uri", "urls": "uri", "link": "uri", "website": "uri", "email": "mail", "e-mail": "mail", "phone": "tel",
        "telephone": "tel", "message": "text", "ssid": "wifi", "pwd": "password", "kennwort": "password",
        "readonly": "lock", "chip": "require", "language": "lang",
    ]

    /// Looks what a column may have been meant to be.
    ///
    /// `names` are those that do something in this plan, without the columns that it has.
    init(_ name: String, among names: [String]) {
        self.name = name
        let word = name.lowercased()
        if let meant = Self.synonyms[word] {
            self.meant = names.contains(meant) ? meant : nil
        } else {
            // Short names are near to each other by accident: `id` does not mean `uri`.
            meant = word.utf8.count > 2 || names.contains(word) ? Spelling(name).nearest(in: names) : nil
        }
    }

    /// Whether a column is called `password`, or so that it is probably meant.
    public static func meansPassword(_ name: String) -> Bool {
        name == "password" || UnusedColumn(name, among: ["password"]).meant == "password"
    }

    /// All of them in a line, for example `Columns not used: locked (did you mean lock?), box.`; nil without any.
    public static func text(_ columns: [UnusedColumn]) -> String? {
        guard !columns.isEmpty else { return nil }
        let list = columns.map { $0.name + ($0.meant.map { " (did you mean \($0)?)" } ?? "") }
        return "\(columns.count == 1 ? "Column" : "Columns") not used: \(list.joined(separator: ", "))."
    }
}

extension RowRecipe {
    /// The columns that do nothing.
    public func unused(of columns: [String]) -> [UnusedColumn] {
        let effective = effectiveColumns
        let open = effective.filter { !columns.contains($0) }
        return columns.filter { !usedColumns.contains($0) && !effective.contains($0) && !Template.isReserved($0) }
            .map { UnusedColumn($0, among: open) }
    }
}
