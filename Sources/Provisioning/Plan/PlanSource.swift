// The source of a plan's rows

import DurableFiles
import Foundation

/// The rows of a plan: from a file or a range of numbers.
public enum PlanSource: Hashable, Sendable {
    /// A file. Without an encoding, the encoding is detected from the bytes.
    case file(String, PlanEncoding? = nil)
    /// A range of numbers, without a file.
    case range(PlanRange)

    /// The file's name as the user gave it, or the options for the range.
    public var name: String {
        switch self {
        case .file(let path, _): path
        case .range(let range): range.options
        }
    }

    /// The path that the journal's name is derived from: the plan's file, or for a range a name in the current folder.
    public var journalStem: String {
        switch self {
        case .file(let path, _): URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        case .range(let range): range.fileName
        }
    }

    /// Whether the rows can be read here.
    ///
    /// A station may have only the name of a plan.
    public var isThere: Bool {
        switch self {
        case .file(let path, _): FileManager.default.fileExists(atPath: path)
        case .range: true
        }
    }

    /// The columns that all rows have, or nil if each row has its own.
    public func columns() throws(PlanError) -> [String]? { try open().columns() }

    func open() throws(PlanError) -> any PlanReading {
        switch self {
        case .file(let path, let encoding): try PlanFile(path: path, encoding: encoding)
        case .range(let range): RangeRows(range)
        }
    }
}

/// A source of rows that are read one at a time.
protocol PlanReading: AnyObject {
    /// The columns that all rows have, or nil if each row has its own.
    func columns() throws(PlanError) -> [String]?
    /// The next row, or the reason why it is invalid. Nil after the last one.
    func next() throws(PlanError) -> PlanEntry?
    /// The digest by which the plan is recognised. Reads the rest of the plan.
    func digest() throws(PlanError) -> SHA256Digest
    /// Notes on how the plan was read. Complete after the last row.
    var notes: [PlanNote] { get }
}
