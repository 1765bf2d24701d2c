// What can go wrong with a report — cases differ by what the caller does next

/// An error of a report; the journal is untouched, and a report that was there before is still there.
public enum ReportError: Error, Hashable, Sendable {
    /// The name asks for no form of report there is.
    case unknownFormat(name: String)
    /// The file cannot be written. `reason` is the system's.
    case notWritable(path: String, reason: String)
    /// The rows have more columns, taken together, than a spreadsheet can hold.
    case tooManyColumns(limit: Int)
}

extension ReportError: CustomStringConvertible {
    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .unknownFormat(let name):
            "Cannot tell the format of the report \(name) from its name: it must end in .csv, .jsonl or .html."
        case .notWritable(let path, let reason): "The report cannot be written to \(path): \(reason)."
        case .tooManyColumns(let limit):
            "The plan's rows have more than \(limit) different columns, too many for CSV; a .jsonl report holds them."
        }
    }
}
