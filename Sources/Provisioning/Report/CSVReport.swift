// A report for spreadsheets and scripts — RFC 4180; IANA, text/tab-separated-values

import Hexadecimal
import SpreadsheetText

/// Writes one line per row of the plan: the result, then the cells of the row.
///
/// The names of the plan's columns get the prefix `plan.`.
///
/// Text cells are escaped by `SpreadsheetCell`. Numbers, times, states and bytes are not escaped: they come from this
/// tool and never look like formulas.
struct CSVReport {
    /// The maximum number of columns in Excel and LibreOffice.
    private static let columnLimit = 16_384
    static let columns = [
        "row", "line", "state", "uid", "chip", "reader", "messageLength", "sha256", "signature", "seconds", "changed",
        "reason", "locked", "protected", begunColumn,
    ]

    private static let station = "station"

    /// The additional column for plans whose tags get keys.
    private static let keyVersion = "keyVersion"

    let stream: ReportStream

    func write(_ record: any ProvisioningRecord) throws {
        let planColumns = try Self.planColumns(of: record)
        let keyVersion = record.plan.keyVersion
        let begun = ReportClock.utc(record.begun)
        let rule = SealRule(of: record.plan)
        let additions = (record.hasStations ? [Self.station] : []) + (keyVersion == nil ? [] : [Self.keyVersion])
        stream.append(cells: Self.columns + additions)
        stream.append(planHeader: planColumns)
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            append(row, rule, begun: begun)
            if record.hasStations { append(next: row.station) }
            if let keyVersion { append(next: row.proof == nil ? nil : "\(keyVersion)") }
            stream.append(row.row, planColumns)
            try stream.endPart()
        }
    }

    /// Returns the columns of all rows, in the order of their first appearance.
    ///
    /// In JSON Lines, each row may have its own columns.
    static func planColumns(of record: any ProvisioningRecord) throws -> [String] {
        var columns: [String] = []
        var known: Set<String> = []
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            guard !Self.has(row.row, exactly: columns) else { return }
            for field in row.row.fields where known.insert(field.name).inserted { columns.append(field.name) }
            guard columns.count + Self.columns.count <= Self.columnLimit else {
                throw ReportError.tooManyColumns(limit: Self.columnLimit - Self.columns.count)
            }
        }
        return columns
    }

    static func has(_ row: PlanRow, exactly columns: [String]) -> Bool {
        row.fields.count == columns.count && zip(row.fields, columns).allSatisfy { $0.name == $1 }
    }

    private func append(_ row: JournalRow, _ rule: SealRule, begun: String) {
        let seal = rule.carriedOut(on: row)
        stream.append(cells: ["\(row.row.number)", "\(row.row.line)", row.state.rawValue, (row.tag?.uid ?? []).hex])
        append(next: row.tag?.chip)
        append(next: row.tag?.reader)
        append(next: row.proof.map { "\($0.messageLength)" })
        append(next: row.proof?.sha256)
        append(next: row.proof?.signature)
        append(next: row.proof.flatMap { Figure.thousandths($0.seconds) })
        append(next: row.changed.map(ReportClock.utc))
        append(next: rule.reason(for: row))
        append(next: seal.map { "\($0.lock)" })
        append(next: seal.map { "\($0.protect)" })
        append(next: begun)
    }

    private func append(next text: String?) { stream.append(next: text) }

    /// Returns the cell `begun` of the first row in a report, or nil if the file is not a report or has no rows.
    static func begun(inReport bytes: ArraySlice<UInt8>, separator: UInt8) -> String? {
        let lines = firstLines(2, of: bytes, separator)
        guard lines.count == 2, lines[0].starts(with: columns), lines[1].count >= columns.count,
            let column = columns.firstIndex(of: begunColumn)
        else { return nil }
        return lines[1][column]
    }

    private static let begunColumn = "begun"

    /// Returns the cells of the first complete lines, without quotation marks.
    ///
    /// The last line may end after the report's own columns, because the cells of the plan can be long.
    private static func firstLines(_ count: Int, of bytes: ArraySlice<UInt8>, _ separator: UInt8) -> [[String]] {
        var lines: [[String]] = []
        var (cells, cell): ([String], [UInt8]) = ([], [])
        var isQuoted = false
        for byte in bytes {
            switch byte {
            // A quotation mark within a cell is doubled. It toggles this flag twice, so it does not end the cell.
            case UInt8(ascii: "\""): isQuoted.toggle()
            case separator where !isQuoted, UInt8(ascii: "\n") where !isQuoted:
                cells.append(String(decoding: cell, as: UTF8.self))
                cell = []
                if lines.count == count - 1, cells.count == columns.count { return lines + [cells] }
                guard byte == UInt8(ascii: "\n") else { continue }
                lines.append(cells)
                cells = []
                if lines.count == count { return lines }
            case UInt8(ascii: "\r") where !isQuoted: break
            default: cell.append(byte)
            }
        }
        return lines
    }
}

extension ReportStream {
    /// Appends the names of the plan's columns after the report's own columns, and ends the line.
    func append(planHeader columns: [String]) {
        for column in columns { append(next: "plan." + column) }
        append("\r\n")
    }

    /// Appends a row's values for the plan's columns after the report's own cells, and ends the line.
    func append(_ row: PlanRow, _ planColumns: [String]) {
        if CSVReport.has(row, exactly: planColumns) {
            for field in row.fields { append(next: field.value) }
        } else {
            let values = Dictionary(row.fields.map { ($0.name, $0.value) }) { first, _ in first }
            for column in planColumns { append(next: values[column]) }
        }
        append("\r\n")
    }

    /// Appends a cell.
    ///
    /// If `text` is nil, the cell is empty.
    func append(next text: String?) {
        append(byte: separator)
        if let text { append(SpreadsheetCell.text(text)) }
    }

    /// Appends the first cells of a line.
    ///
    /// They must need no escaping.
    func append(cells: [String]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { append(byte: separator) }
            append(cell)
        }
    }
}
