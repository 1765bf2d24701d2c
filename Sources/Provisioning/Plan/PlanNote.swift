// Notes on how a plan's file was read, where that may surprise its owner

/// A note on how a plan's file was read.
public enum PlanNote: Hashable, Sendable {
    /// The text is not in UTF-8, but in this encoding.
    case encoding(PlanEncoding)
    /// The file was read as Windows-1252 but is also valid UTF-8: `ü` may have become `Ã¼`.
    case alsoUTF8
    /// This number of columns at the end has neither names nor values.
    case ignoredColumns(Int)
    /// The first line was read as the header, but has this value, which does not look like a name.
    case headerOfValues(String)
    /// The rows have passwords, but the plan does not say which tags to protect.
    case idlePasswords

    /// The note in one or two sentences.
    public var text: String {
        switch self {
        case .encoding(let encoding): "The plan was read as \(encoding.name)."
        case .alsoUTF8:
            "The plan is also valid UTF-8. Check non-ASCII characters with --dry-run: if UTF-8 is read as Windows-1252, ü becomes Ã¼."
        case .headerOfValues(let value):
            "The first line is used as the header, but looks like a row: \(value). It is not written to any tag. If it is a row, add a header line before it."
        case .idlePasswords:
            "The rows have passwords, but no tag will be protected. To protect them, add --protect or a column named protect."
        case .ignoredColumns(1): "The last column has no name and no values. It is ignored."
        case .ignoredColumns(let count): "The last \(count) columns have no name and no values. They are ignored."
        }
    }
}
