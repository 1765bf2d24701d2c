// A report of a provisioning, written into a file in one step

import DurableFiles
import SystemPackage
public import Foundation

/// What became of a plan, for those who want to know.
///
/// Rows go through one by one: a report of a million rows needs no more memory than one of ten. Passwords of tags and of
/// networks are hidden unless they are asked for; the recipe, which may hold a network's password, is in no report.
public struct ProvisionReport {
    private let record: any ProvisioningRecord
    private let showsSecrets: Bool
    private let written: Date
    private let timeZone: TimeZone

    /// Makes the report of a record.
    ///
    /// - Parameters:
    ///   - record: what became of the plan.
    ///   - showsSecrets: whether passwords are in it; its file is then for its owner alone.
    ///   - written: now.
    ///   - timeZone: that of the times on the page for people, while for programs they are in UTC.
    public init(
        _ record: any ProvisioningRecord, showsSecrets: Bool = false, written: Date = Date(),
        timeZone: TimeZone = .current
    ) {
        self.record = record
        self.showsSecrets = showsSecrets
        self.written = written
        self.timeZone = timeZone
    }

    /// Writes the report to a file, in the format given by its name; until all of it is on the disk, an older one stays.
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

    /// Hands the report on, piece by piece.
    ///
    /// - Throws: ``ReportError/tooManyColumns(limit:)``, or what the record or the receiver throws.
    public func write(_ format: ReportFormat, to receiver: @escaping ([UInt8]) throws -> Void) throws {
        let stream = ReportStream(receiver)
        let record = showsSecrets ? record : RecordWithoutSecrets(record)
        switch format {
        case .csv: try CSVReport(stream: stream).write(record)
        case .jsonLines: try JSONLinesReport(stream: stream).write(record, written: written)
        case .html:
            let clock = ReportClock(timeZone: timeZone, at: record.begun)
            try HTMLReport(stream: stream, clock: clock).write(record, written: written)
        }
        try stream.flush()
    }
}
