// The three formats of a report — Docs/CommandLine.md, provision

public import Foundation

/// The format of a report, selected by the file's name.
public enum ReportFormat: CaseIterable, Hashable, Sendable {
    /// One line per row of the plan — RFC 4180.
    case csv
    /// One JSON object per line: the plan, its rows, the refused tags.
    case jsonLines
    /// One page for people that needs no other file.
    case html

    /// The format for the extension of a file's name.
    ///
    /// - Throws: ``ReportError/unknownFormat(name:)``.
    public init(of file: URL) throws(ReportError) {
        switch file.pathExtension.lowercased() {
        case "csv": self = .csv
        case "jsonl": self = .jsonLines
        case "html", "htm": self = .html
        default: throw .unknownFormat(name: file.lastPathComponent)
        }
    }

    /// Whether a file is a report in this format, judged by its first kilobyte.
    public func isReport(beginning bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return switch self {
        case .csv: text.hasPrefix(CSVReport.columns.joined(separator: ","))
        case .jsonLines: text.hasPrefix(JSONLinesReport.beginning)
        case .html: text.contains(HTMLReport.generator)
        }
    }
}
