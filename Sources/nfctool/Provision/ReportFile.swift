// Where a report of a provisioning goes — CLI.md, provision

import Foundation
import Provisioning

/// The file of a report: never one that it is made of.
struct ReportFile {
    private let file: URL

    /// Takes the name of a report.
    ///
    /// - Parameter sources: the plan and the journal, which a report would replace.
    init(_ name: String, of sources: [URL]) throws {
        file = URL(fileURLWithPath: name)
        _ = try ReportFormat(of: file)
        let place = Self.place(file)
        if sources.contains(where: { Self.place($0) == place }) { throw ReportOverSource(report: name) }
    }

    func write(_ record: any ProvisioningRecord) throws { try ProvisionReport(record).write(to: file) }

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
