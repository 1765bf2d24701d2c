// Notes for the user about anything unexpected in the way a plan's file was read

/// A note about the way a plan's file was read.
public enum PlanNote: Hashable, Sendable {
    /// The text is not in UTF-8, but in this encoding.
    case encoding(PlanEncoding)
    /// The file was read as Windows-1252 but is also valid UTF-8, so `ü` may have become `Ã¼`.
    case alsoUTF8
    /// This number of columns at the end has neither names nor values.
    case ignoredColumns(Int)
    /// This number of rows at the end has no values.
    case emptyRowsAtEnd(Int)
    /// The first line was read as the header, but contains this value, which does not look like a name.
    case headerOfValues(String)
    /// The rows have passwords, but the plan does not say which tags to protect.
    case idlePasswords
    /// Tags that hold their row's message are accepted, but each row of this new journal gets other random digits.
    case newDigits
}
