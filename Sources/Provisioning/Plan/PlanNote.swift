// What was taken of a plan's file in a way that its owner may not expect

/// How a plan's file was read.
public enum PlanNote: Hashable, Sendable {
    /// It is not UTF-8.
    case encoding(PlanEncoding)
    /// It was read as Windows-1252, and is text in UTF-8, too: `ü` may have become `Ã¼`.
    case alsoUTF8
    /// This number of columns at the end have no name and no value.
    case ignoredColumns(Int)
    /// The rows have passwords, and nothing says which tags are to ask for them.
    case idlePasswords

    /// A sentence or two.
    public var text: String {
        switch self {
        case .encoding(let encoding): "The plan was read as \(encoding.name)."
        case .alsoUTF8:
            "The plan is valid UTF-8, too. Check its letters with --dry-run: read as Windows-1252, ü becomes Ã¼."
        case .idlePasswords:
            "The rows have passwords, but no tag will be protected. To protect them, add --protect or a column protect."
        case .ignoredColumns(1): "The last column has no name and no values. It is ignored."
        case .ignoredColumns(let count): "The last \(count) columns have no name and no values. They are ignored."
        }
    }
}
