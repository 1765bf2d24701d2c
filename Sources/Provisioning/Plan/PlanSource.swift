// Where the rows of a plan come from

import DurableFiles
import Foundation

/// A plan's rows: those of a file, or numbers.
public enum PlanSource: Hashable, Sendable {
    /// A file; without an encoding, it is detected from the bytes.
    case file(String, PlanEncoding? = nil)
    /// Numbers, without a file.
    case range(PlanRange)

    /// The file as it was named, or the options that name the range.
    public var name: String {
        switch self {
        case .file(let path, _): path
        case .range(let range): range.options
        }
    }

    /// What the journal is named after: the file, or one in the current folder that need not be there.
    public var journalStem: String {
        switch self {
        case .file(let path, _): URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        case .range(let range): range.fileName
        }
    }

    /// Whether its rows can be read here; a station may know a plan by its name only.
    public var isThere: Bool {
        switch self {
        case .file(let path, _): FileManager.default.fileExists(atPath: path)
        case .range: true
        }
    }

    /// The columns that all rows have; nil where each row has its own.
    public func columns() throws(PlanError) -> [String]? { try open().columns() }

    func open() throws(PlanError) -> any PlanReading {
        switch self {
        case .file(let path, let encoding): try PlanFile(path: path, encoding: encoding)
        case .range(let range): RangeRows(range)
        }
    }
}

/// Rows, read one by one.
protocol PlanReading: AnyObject {
    /// The columns that all rows have; nil where each row has its own.
    func columns() throws(PlanError) -> [String]?
    /// The next row, or the reason why it is invalid; nil after the last.
    func next() throws(PlanError) -> PlanEntry?
    /// By what the plan is known again; reads what is left of it.
    func digest() throws(PlanError) -> SHA256Digest
    /// How it was read; complete after the last row.
    var notes: [PlanNote] { get }
}
