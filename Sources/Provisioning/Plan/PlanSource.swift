// The source of a plan's rows

import DurableFiles
import Foundation

/// The source of a plan's rows: a file or a range of numbers.
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

    /// The path from which the journal's name is derived: that of the plan's file or, for a range, a name in the
    /// current folder.
    public var journalStem: String {
        switch self {
        case .file(let path, _): URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        case .range(let range): range.fileName
        }
    }

    /// Whether the rows can be read on this machine.
    ///
    /// A station may know only the name of a plan.
    public var isThere: Bool {
        switch self {
        case .file(let path, _): FileManager.default.fileExists(atPath: path)
        case .range: true
        }
    }

    /// Whether a plan was read from this source: the names of their files are equal, or their contents are.
    ///
    /// A corrected file has the plan's name, and a renamed one its content. Folders are not compared.
    ///
    /// - Throws: a `PlanError` if the name differs and the file cannot be read.
    public func isSource(of plan: PlanIdentity) throws(PlanError) -> Bool {
        let names = [name, journalStem].map { URL(fileURLWithPath: $0).lastPathComponent }
        if names.contains(URL(fileURLWithPath: plan.file).lastPathComponent) { return true }
        return try open().digest().hex == plan.sha256
    }

    /// Whether the bytes of this source differ from those that a plan was read from.
    ///
    /// False if they cannot be read.
    public func differs(from plan: PlanIdentity) -> Bool {
        guard let digest = try? open().digest().hex else { return false }
        return digest != plan.sha256
    }

    /// Returns the columns that all rows have, or nil if each row has its own.
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
    /// Returns the columns that all rows have, or nil if each row has its own.
    func columns() throws(PlanError) -> [String]?
    /// Returns the next row, or the reason why it is invalid. Returns nil after the last row.
    func next() throws(PlanError) -> PlanEntry?
    /// Reads the rest of the plan, and returns the digest by which the plan is recognised.
    func digest() throws(PlanError) -> SHA256Digest
    /// Notes about the way the plan was read. They are complete after the last row.
    var notes: [PlanNote] { get }
}
