// A report of provisioning, written to a file in one step

import DurableFiles
import SystemPackage
public import Foundation

/// A report of the result of a plan.
///
/// Rows are written one at a time, so a report of a million rows needs no more memory than one of ten. Passwords of
/// tags and networks are hidden unless requested. No report contains the recipe, which may hold a network's password.
public struct ProvisionReport {
    private let record: any ProvisioningRecord
    private let showsSecrets: Bool
    private let written: Date
    private let timeZone: TimeZone

    /// Creates the report of a record.
    ///
    /// - Parameters:
    ///   - record: the record of the plan.
    ///   - showsSecrets: whether the report contains passwords. If so, only the owner can read the file.
    ///   - written: the time of the report.
    ///   - timeZone: the time zone of times in an HTML report. Times for programs are in UTC.
    public init(
        _ record: any ProvisioningRecord, showsSecrets: Bool = false, written: Date = Date(),
        timeZone: TimeZone = .current
    ) {
        self.record = record
        self.showsSecrets = showsSecrets
        self.written = written
        self.timeZone = timeZone
    }

    /// Writes the report to a file, in the format given by its name.
    ///
    /// An older file is kept until the new one is complete on disk.
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

    /// Passes the report to a receiver in pieces.
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
            try HTMLReport(stream: stream, clock: clock).write(record, written: written)
        }
        try stream.flush()
    }
}
