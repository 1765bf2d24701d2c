// Where a report of a provisioning goes — Docs/CommandLine.md, provision

import Foundation
import Provisioning

/// The file of a report: never one that it is made of.
struct ReportFile {
    private let url: URL
    private var file: ResultFile

    /// Takes the name of a report.
    ///
    /// - Parameters:
    ///   - name: a path; its extension says the format.
    ///   - sources: the plan and the journal, which a report would replace.
    ///   - showsSecrets: whether passwords are in it. Then a new file has mode 0600.
    /// - Throws: ``ReportOverSource`` for the name of a source; `ReportError.unknownFormat` for an unknown extension.
    init(_ name: String, of sources: [URL], showsSecrets: Bool) throws {
        url = URL(fileURLWithPath: name)
        file = ResultFile(name, showsSecrets ? .secret : .shared)
        _ = try ReportFormat(of: url)
        let place = Self.place(url)
        if sources.contains(where: { Self.place($0) == place }) { throw ReportOverSource(report: name) }
    }

    /// The report after it is sure that it can be written, and may replace what is there.
    ///
    /// - Parameters:
    ///   - overwrite: what allows that without a question.
    ///   - isJSON: whether the output is for a program, which answers no questions.
    ///   - option: the name of the option that allows it.
    ///   - isRepeated: whether an earlier run of the same plan may have written it: then a report needs no question.
    /// - Returns: the report with the permission to replace a file.
    /// - Throws: what ``ResultFile/claimed(overwrite:isJSON:option:)`` throws.
    func claimed(
        overwrite: Bool, isJSON: Bool, option: String = "--overwrite", isRepeated: Bool = false
    ) throws -> ReportFile {
        var claimed = self
        claimed.file = try file.claimed(
            overwrite: overwrite || isRepeated && isReport, isJSON: isJSON, option: option)
        return claimed
    }

    /// Whether the file that is there is such a report.
    private var isReport: Bool {
        guard let handle = try? FileHandle(forReadingFrom: url), let format = try? ReportFormat(of: url) else {
            return false
        }
        return format.isReport(beginning: [UInt8]((try? handle.read(upToCount: 1024)) ?? Data()))
    }

    func write(_ report: any PlanReport) throws {
        let format = try ReportFormat(of: url)
        try file.write { try report.write(format, to: $0) }
    }

    /// A file by its device and number, or by its path while there is none.
    private static func place(_ file: URL) -> String {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return file.resolvingSymlinksInPath().standardizedFileURL.path }
        return "\(status.st_dev):\(status.st_ino)"
    }
}

/// A report that is named like the plan, or the journal.
struct ReportOverSource: Failure {
    let report: String
    var name: ErrorName { .usage }
    var message: String { "The report \(report) would replace the plan or its journal. Give it another name." }
}
