// A report for spreadsheets and scripts — RFC 4180

import SpreadsheetText

/// Writes one line for each row of the plan: what became of it, then its own columns, named `plan.` and their name.
///
/// Text cells are those of `SpreadsheetCell`. Numbers, times, states and bytes are our own and never look like formulas.
struct CSVReport {
    /// The width of a sheet in Excel and LibreOffice.
    private static let columnLimit = 16_384
    static let columns = [
        "row", "line", "state", "uid", "chip", "reader", "messageLength", "sha256", "signature", "seconds", "changed",
        "reason",
    ]

    let stream: ReportStream

    func write(_ record: any ProvisioningRecord) throws {
        let planColumns = try self.planColumns(of: record)
        stream.append(Self.columns.joined(separator: ","))
        for column in planColumns {
            stream.append(byte: UInt8(ascii: ","))
            append(cell: "plan." + column)
        }
        stream.append("\r\n")
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            append(row, planColumns)
            try stream.endPart()
        }
    }

    /// The columns of all rows in the order in which they turn up: in JSON Lines each row may have its own.
    private func planColumns(of record: any ProvisioningRecord) throws -> [String] {
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

    private static func has(_ row: PlanRow, exactly columns: [String]) -> Bool {
        row.fields.count == columns.count && zip(row.fields, columns).allSatisfy { $0.name == $1 }
    }

    private func append(_ row: JournalRow, _ planColumns: [String]) {
        stream.append("\(row.row.number),\(row.row.line),\(row.state.rawValue),")
        stream.append(hex: row.tag?.uid ?? [])
        append(next: row.tag?.chip)
        append(next: row.tag?.reader)
        stream.append(row.proof.map { ",\($0.messageLength)" } ?? ",")
        append(next: row.proof?.sha256)
        append(next: row.proof?.signature)
        stream.append("," + (row.proof.flatMap { Figure.thousandths($0.seconds) } ?? ""))
        stream.append("," + (row.changed.map(ReportClock.utc) ?? ""))
        append(next: row.reason)
        if Self.has(row.row, exactly: planColumns) {
            for field in row.row.fields { append(next: field.value) }
        } else {
            let values = Dictionary(row.row.fields.map { ($0.name, $0.value) }) { first, _ in first }
            for column in planColumns { append(next: values[column]) }
        }
        stream.append("\r\n")
    }

    private func append(next text: String?) {
        stream.append(byte: UInt8(ascii: ","))
        if let text { append(cell: text) }
    }

    private func append(cell text: String) { stream.append(SpreadsheetCell.text(text)) }
}
