// A report for spreadsheets and scripts — RFC 4180; OWASP, CSV Injection

/// Writes one line for each row of the plan: what became of it, then its own columns, named `plan.` and their name.
///
/// A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@` or white space like TAB for a formula, also in quotes.
/// Text cells that begin so get a `'` before them, as do those that begin with `'` already: a script that takes away one
/// leading `'` of a text cell has exactly what stood there. Numbers, times, states and bytes are our own and never begin so.
struct CSVReport {
    /// The width of a sheet in Excel and LibreOffice.
    private static let columnLimit = 16_384
    static let columns = [
        "row", "line", "state", "uid", "chip", "reader", "messageLength", "sha256", "signature", "seconds", "changed",
        "reason",
    ]

    let stream: ReportStream

    func write(_ record: any ProvisioningRecord) throws {
        let planColumns = try Self.planColumns(of: record)
        stream.append(Self.columns.joined(separator: ","))
        stream.append(planHeader: planColumns)
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            append(row, planColumns)
            try stream.endPart()
        }
    }

    /// The columns of all rows in the order in which they turn up: in JSON Lines each row may have its own.
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
        stream.append(row.row, planColumns)
    }

    private func append(next text: String?) { stream.append(next: text) }
}

extension ReportStream {
    /// The names of the plan's columns behind the report's own, and the end of the line.
    func append(planHeader columns: [String]) {
        for column in columns { append(next: "plan." + column) }
        append("\r\n")
    }

    /// The plan's columns of a row behind the report's own, and the end of the line.
    func append(_ row: PlanRow, _ planColumns: [String]) {
        if CSVReport.has(row, exactly: planColumns) {
            for field in row.fields { append(next: field.value) }
        } else {
            let values = Dictionary(row.fields.map { ($0.name, $0.value) }) { first, _ in first }
            for column in planColumns { append(next: values[column]) }
        }
        append("\r\n")
    }

    /// One more cell; nil leaves it empty.
    func append(next text: String?) {
        append(byte: UInt8(ascii: ","))
        if let text { append(cell: text) }
    }

    private func append(cell text: String) {
        let cell = Self.looksLikeFormula(text) ? "'" + text : text
        guard cell.utf8.contains(where: Self.wantsQuotes) || cell.utf8.first == UInt8(ascii: " ") else {
            return append(cell)
        }
        append("\"" + cell.replacing("\"", with: "\"\"") + "\"")
    }

    /// By OWASP's list, with the full-width forms, which East Asian spreadsheets take for the same.
    private static func looksLikeFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\0", "'", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    /// RFC 4180's three, and what spreadsheets of other countries part cells at.
    private static func wantsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"),
            UInt8(ascii: "\t"):
            true
        default: false
        }
    }
}
