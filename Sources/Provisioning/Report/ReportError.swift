// Errors from writing a report — one case for each way in which a caller reacts

/// An error that occurred while a report was written.
///
/// The journal is unchanged, and an existing report file is kept.
public enum ReportError: Error, Hashable, Sendable {
    /// The file's name does not end with the extension of a report format.
    case unknownFormat(name: String)
    /// The file cannot be written. `reason` is the operating system's message.
    case notWritable(path: String, reason: String)
    /// The rows together have more columns than a spreadsheet can hold.
    case tooManyColumns(limit: Int)
}

extension ReportError: CustomStringConvertible {
    /// A description in one sentence.
    public var description: String {
        switch self {
        case .unknownFormat(let name):
            "Cannot tell the format of the report \(name) from its name: it must end in .csv, .tsv, .jsonl or .html."
        case .notWritable(let path, let reason): "The report cannot be written to \(path): \(reason)."
        case .tooManyColumns(let limit):
            "The plan's rows have more than \(limit) different columns, too many for Excel and LibreOffice. Use a .jsonl report instead."
        }
    }
}
