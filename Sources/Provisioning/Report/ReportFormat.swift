// The formats of a report — Docs/CommandLine.md, provision

public import Foundation

/// The format of a report, selected by the extension of the file's name.
public enum ReportFormat: CaseIterable, Hashable, Sendable {
    /// One line per row of the plan — RFC 4180.
    case csv
    /// The same table as `csv`, but separated by tabs and with a byte order mark, so that spreadsheets in every
    /// locale open it correctly.
    case tsv
    /// One JSON object per line: first the plan, then its rows, then the tags without a row.
    case jsonLines
    /// A self-contained HTML page for people.
    case html

    /// Determines the format from the extension of a file's name.
    ///
    /// - Throws: ``ReportError/unknownFormat(name:)``.
    public init(of file: URL) throws(ReportError) {
        switch file.pathExtension.lowercased() {
        case "csv": self = .csv
        case "tsv": self = .tsv
        case "jsonl": self = .jsonLines
        case "html", "htm": self = .html
        default: throw .unknownFormat(name: file.lastPathComponent)
        }
    }

    /// The separator of cells.
    ///
    /// Only formats that are tables use it.
    var separator: UInt8 { UInt8(ascii: self == .tsv ? "\t" : ",") }

    /// The bytes before the report: for a table separated by tabs, the byte order mark U+FEFF in UTF-8, from which
    /// spreadsheets recognise the encoding.
    ///
    /// There are none for the other formats.
    var mark: [UInt8] { self == .tsv ? [0xEF, 0xBB, 0xBF] : [] }

    /// The number of bytes at the beginning of a file that ``isReport(beginning:of:)`` needs.
    ///
    /// The number is large because the names of plans and columns can be long.
    public static let beginningLength = 65_536

    /// Whether a file is an earlier report of the given record, in this format.
    ///
    /// The record is identified by the time when its journal was created. This time does not change when rows are
    /// added to the plan.
    ///
    /// - Parameters:
    ///   - bytes: the first ``beginningLength`` bytes of the file.
    ///   - record: the record that the file must belong to.
    /// - Returns: whether the file is such a report. The result is also false if the file does not identify its
    ///   journal.
    public func isReport(beginning bytes: [UInt8], of record: any ProvisioningRecord) -> Bool {
        let begun = ReportClock.utc(record.begun)
        switch self {
        case .csv, .tsv:
            guard bytes.starts(with: mark) else { return false }
            return CSVReport.begun(inReport: bytes.dropFirst(mark.count), separator: separator) == begun
        case .jsonLines: return JSONLinesReport.isReport(bytes, begun: begun)
        case .html: return String(decoding: bytes, as: UTF8.self).contains(HTMLReport.mark(begun: begun))
        }
    }
}
