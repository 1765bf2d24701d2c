// The file of a report about a plan — Docs/CommandLine.md, provision

import Foundation
import Provisioning

struct ReportFile {
    private let url: URL
    private var file: ResultFile

    /// Creates the file of a report.
    ///
    /// - Parameters:
    ///   - name: a path, whose extension selects the format.
    ///   - sources: the plan and the journal, which the report must not replace.
    ///   - showsSecrets: whether the report contains passwords. If so, a new file has mode 0600.
    /// - Throws: ``ReportOverSource`` if the path is that of a source; `ReportError.unknownFormat` if the extension is
    ///   unknown.
    init(_ name: String, of sources: [URL], showsSecrets: Bool) throws {
        url = URL(fileURLWithPath: name)
        file = ResultFile(name, showsSecrets ? .secret : .shared)
        _ = try ReportFormat(of: url)
        let place = Self.place(url)
        if sources.contains(where: { Self.place($0) == place }) { throw ReportOverSource(report: name) }
    }

    /// Returns the report file after checking that it can be written and may replace an existing file.
    ///
    /// - Parameters:
    ///   - overwrite: whether the file may replace an existing file without a question.
    ///   - isJSON: whether the output is for a program, which cannot answer questions.
    ///   - option: the option that allows replacement.
    ///   - record: the record whose earlier report may be replaced without a question, or nil for none.
    /// - Returns: the report file with permission to replace an existing file.
    /// - Throws: the errors of ``ResultFile/claimed(overwrite:isJSON:option:)``.
    func claimed(
        overwrite: Bool, isJSON: Bool, option: String = "--overwrite",
        repeating record: (any ProvisioningRecord)? = nil
    ) throws -> ReportFile {
        var claimed = self
        claimed.file = try file.claimed(
            overwrite: overwrite || record.map { isReport(of: $0) } == true, isJSON: isJSON, option: option)
        return claimed
    }

    /// Whether the existing file is an earlier report about this record, in the format that its extension selects.
    private func isReport(of record: any ProvisioningRecord) -> Bool {
        var status = stat()
        // Do not open a named pipe: this would wait for a program that writes to it.
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let handle = try? FileHandle(forReadingFrom: url), let format = try? ReportFormat(of: url)
        else {
            return false
        }
        let bytes = (try? handle.read(upToCount: ReportFormat.beginningLength)) ?? Data()
        return format.isReport(beginning: [UInt8](bytes), of: record)
    }

    func write(_ report: any PlanReport) throws {
        let format = try ReportFormat(of: url)
        try file.write { try report.write(format, to: $0) }
    }

    /// Returns what identifies a file: its device and inode or, if it does not exist, its path.
    private static func place(_ file: URL) -> String {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return file.resolvingSymlinksInPath().standardizedFileURL.path }
        return "\(status.st_dev):\(status.st_ino)"
    }
}

extension [ReportFile] {
    /// Writes a report to all files.
    ///
    /// If one of them cannot be written, the others are still written.
    ///
    /// - Throws: the error of the first file that could not be written.
    func write(_ report: any PlanReport) throws {
        var failure: (any Error)?
        for file in self {
            do { try file.write(report) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}

/// The path of a report is that of the plan or its journal.
struct ReportOverSource: Failure {
    let report: String
    var name: ErrorName { .usage }
    var message: String { "The report \(report) would replace the plan or its journal. Give it another name." }
}
