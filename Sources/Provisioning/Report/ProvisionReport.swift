// A report of provisioning, written to a file atomically

import DurableFiles
import SystemPackage
public import Foundation

/// A report of how far a plan has been carried out.
///
/// Rows are written one at a time, so a report of a million rows needs no more memory than one of ten. Passwords of
/// tags and networks are hidden unless they are requested. No report contains the recipe, because it may include a
/// network's password.
public struct ProvisionReport {
    private let record: any ProvisioningRecord
    private let showsSecrets: Bool
    private let written: Date
    private let timeZone: TimeZone
    private let title: String?
    private let isSummary: Bool

    /// Creates the report of a record.
    ///
    /// - Parameters:
    ///   - record: the record of the plan.
    ///   - showsSecrets: whether the report contains passwords. If so, only the file's owner can read it.
    ///   - written: the time when the report is written.
    ///   - timeZone: the time zone for times in an HTML report. Times in the other formats are in UTC.
    ///   - title: the heading of an HTML report, or nil for the name of the plan.
    ///   - isSummary: whether an HTML report is a short one for a customer, without technical details.
    public init(
        _ record: any ProvisioningRecord, showsSecrets: Bool = false, written: Date = Date(),
        timeZone: TimeZone = .current, title: String? = nil, isSummary: Bool = false
    ) {
        self.record = record
        self.showsSecrets = showsSecrets
        self.written = written
        self.timeZone = timeZone
        self.title = title
        self.isSummary = isSummary
    }

    /// Writes the report to a file, in the format that the file's name specifies.
    ///
    /// An existing file is kept until the new one is completely stored on disk.
    ///
    /// - Throws: ``ReportError``, or what the record throws.
    public func write(to file: URL) throws {
        let format = try ReportFormat(of: file)
        func attempt<Value>(_ step: () throws(Errno) -> Value) throws(ReportError) -> Value {
            do { return try step() } catch {
                throw .notWritable(path: file.path, reason: error.description)
            }
        }
        let replacement = try attempt { () throws(Errno) in
            try FileReplacement(
                of: file.resolvingSymlinksInPath(), suffix: FileReplacement.newSuffix(),
                permissions: showsSecrets ? 0o600 : 0o644)
        }
        try write(format) { bytes in try attempt { () throws(Errno) in try replacement.append(bytes) } }
        try attempt { () throws(Errno) in try replacement.commit() }
    }

    /// Passes the report to a receiver, piece by piece.
    ///
    /// - Throws: ``ReportError/tooManyColumns(limit:)``, or what the record or the receiver throws.
    public func write(_ format: ReportFormat, to receiver: @escaping ([UInt8]) throws -> Void) throws {
        let stream = ReportStream(of: format, receiver)
        let record = showsSecrets ? record : RecordWithoutSecrets(record)
        switch format {
        case .csv, .tsv: try CSVReport(stream: stream).write(record)
        case .jsonLines: try JSONLinesReport(stream: stream).write(record, written: written)
        case .html:
            let clock = ReportClock(timeZone: timeZone, at: record.begun)
            if isSummary {
                try HTMLSummary(stream: stream, clock: clock, title: title).write(record, written: written)
            } else {
                try HTMLReport(stream: stream, clock: clock, title: title).write(record, written: written)
            }
        }
        try stream.flush()
    }
}
