// Rows of comma-separated values — RFC 4180

/// Reads rows from the bytes of a CSV file, piece by piece.
///
/// The first line names the columns. The separator is determined from the file's name, from a line `sep=;` before the
/// header (as in Excel), or from the header: a comma if the header has one, otherwise a semicolon (which spreadsheets
/// write in countries with a decimal comma), otherwise a tab. Spaces are part of a field. Empty lines are skipped.
struct CSVReader {
    private var buffer: RecordBuffer
    private var separator: UInt8
    private let isSeparatorGiven: Bool
    /// The names of the columns, or nil until the header is read.
    private(set) var columns: [String]?
    private var rowCount = 0
    private var fields: [Field] = []
    /// The number of columns in the header, including those without a name.
    private var headerCount = 0
    /// The number of empty columns after the last column with a name.
    private(set) var ignoredColumns = 0
    /// The lines of empty rows that were read ahead, and the entry that follows them, or nil if none was read.
    private var (emptyLines, entryAfterThem): (ArraySlice<Int>, PlanEntry?) = ([], nil)
    /// The number of rows without any value at the end, which are skipped.
    private(set) var emptyRowsAtEnd = 0

    /// Reads text.
    ///
    /// Without `separator`, the separator is detected.
    init(_ text: PlanText, separator: UInt8? = nil) {
        buffer = RecordBuffer(text)
        self.separator = separator ?? Byte.comma
        isSeparatorGiven = separator != nil
    }

    /// The text that is being read.
    ///
    /// The value also records the encoding, which notes report.
    var text: PlanText { buffer.text }

    mutating func readHeader() throws(PlanError) {
        guard columns == nil else { return }
        if let named = try namedSeparator() {
            separator = named
        } else if !isSeparatorGiven {
            separator = try headerSeparator()
        }
        guard let record = try nextRecord() else { throw PlanError(.empty) }
        if let fault = record.fault { throw fault }
        var names: [String] = []
        // Spreadsheets may leave separators after the last column.
        let named = (fields.lastIndex { $0.start < $0.end } ?? 0) + 1
        headerCount = fields.count
        ignoredColumns = headerCount - named
        for field in fields.prefix(named) {
            guard let name = text(of: field) else { throw PlanError(line: record.line, .notUTF8) }
            guard !name.isEmpty else { throw PlanError(line: record.line, .unnamedColumn(names.count + 1)) }
            guard !Template.isReserved(name) else { throw PlanError(line: record.line, .reservedColumn(name)) }
            guard !names.contains(name) else { throw PlanError(line: record.line, .duplicateColumn(name)) }
            names.append(name)
        }
        columns = names
    }

    /// Returns the next row, or nil after the last one.
    mutating func next() throws(PlanError) -> PlanEntry? {
        try readHeader()
        guard let columns else { return nil }
        if emptyLines.isEmpty, entryAfterThem == nil { try readAhead(columns) }
        guard entryAfterThem != nil else { return nil }
        rowCount += 1
        if let line = emptyLines.popFirst() {
            let fields = columns.map { PlanField(name: $0, value: "") }
            return .row(PlanRow(number: rowCount, line: line, fields: fields))
        }
        defer { entryAfterThem = nil }
        return entryAfterThem
    }

    /// Reads up to the next row with a value, or to the end, where rows without any value are skipped.
    private mutating func readAhead(_ columns: [String]) throws(PlanError) {
        while let record = try nextRecord() {
            guard record.fault == nil, fields.allSatisfy({ $0.start == $0.end }) else {
                entryAfterThem = entry(of: record, columns, number: rowCount + emptyLines.count + 1)
                return
            }
            emptyLines.append(record.line)
        }
        emptyRowsAtEnd += emptyLines.count
        emptyLines = []
    }

    private mutating func entry(of record: Record, _ columns: [String], number: Int) -> PlanEntry {
        if let fault = record.fault {
            let name = record.faultField.flatMap { $0 < columns.count ? columns[$0] : nil }
            return .bad(PlanError(line: fault.line, column: name, fault.reason))
        }
        let more = fields.dropFirst(columns.count)
        if let value = more.firstIndex(where: { $0.start < $0.end }), value < headerCount {
            return .bad(PlanError(line: record.line, .valueWithoutColumn(value + 1)))
        }
        guard fields.count >= columns.count, more.allSatisfy({ $0.start == $0.end }) else {
            return .bad(PlanError(line: record.line, .raggedRow(expected: columns.count, found: fields.count)))
        }
        ignoredColumns = max(ignoredColumns, more.count)
        var row: [PlanField] = []
        row.reserveCapacity(columns.count)
        for (name, field) in zip(columns, fields) {
            guard let value = text(of: field) else {
                return .bad(PlanError(line: record.line, column: name, .notUTF8))
            }
            row.append(PlanField(name: name, value: value))
        }
        return .row(PlanRow(number: number, line: record.line, fields: row))
    }
}

/// The position of a field in the buffer, without its quotes.
private struct Field {
    var start: Int
    var end: Int
    /// Whether the field contains doubled quotes.
    var hasQuotes = false
}

/// A record that was found in the buffer.
///
/// The record's fields are stored separately.
private struct Record {
    let line: Int
    var fault: PlanError?
    var faultField: Int?
}

private enum Byte {
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}

extension CSVReader {
    /// Returns the next record that is not an empty line, or nil at the end.
    private mutating func nextRecord() throws(PlanError) -> Record? {
        while true {
            var scan = Scan(buffer: buffer, separator: separator)
            var found = fields
            fields = []
            found.removeAll(keepingCapacity: true)
            let isWhole = buffer.bytes.withUnsafeBufferPointer { scan.record(in: $0, fields: &found) }
            fields = found
            guard isWhole else {
                try buffer.readOn()
                continue
            }
            let length = scan.position - buffer.start
            guard length <= RecordBuffer.maximumRecordLength else {
                throw PlanError(line: buffer.line, .tooLong(limit: RecordBuffer.maximumRecordLength))
            }
            let record = Record(line: buffer.line, fault: scan.fault, faultField: scan.faultField)
            let isEmptyLine =
                fields.count == 1 && scan.fault == nil && !scan.isQuoted && fields[0].start == fields[0].end
            // Fields keep their positions in the buffer until the next record is read.
            buffer.start = scan.position
            buffer.line = scan.line
            if length == 0 { return nil }
            if !isEmptyLine { return record }
        }
    }

    /// Returns the separator that a line `sep=;` names, or nil if there is no such line.
    ///
    /// The line may be in quotes, and is skipped.
    private mutating func namedSeparator() throws(PlanError) -> UInt8? {
        let begin: [UInt8] = Array("sep=".utf8)
        // `sep=` is followed by the separator and a line end, and the text may be in quotes: up to 5 more bytes.
        try buffer.fill(to: begin.count + 5)
        var rest = buffer.bytes[buffer.start...]
        let isQuoted = rest.first == Byte.quote
        if isQuoted { rest = rest.dropFirst() }
        guard rest.prefix(begin.count).map({ $0 | 0x20 }) == begin.map({ $0 | 0x20 }),
            case let sign? = rest.dropFirst(begin.count).first, Self.maySeparate(sign)
        else { return nil }
        rest = rest.dropFirst(begin.count + 1)
        if isQuoted { guard rest.popFirst() == Byte.quote else { return nil } }
        if rest.first == Byte.carriageReturn { rest = rest.dropFirst() }
        guard rest.isEmpty || rest.popFirst() == Byte.lineFeed else { return nil }
        buffer.start = rest.startIndex
        buffer.line += 1
        return sign
    }

    private static func maySeparate(_ byte: UInt8) -> Bool {
        byte == Byte.tab
            || (0x20..<0x7F).contains(byte) && byte != Byte.quote
                && !Character(Unicode.Scalar(byte)).isLetter && !Character(Unicode.Scalar(byte)).isNumber
    }

    /// Returns the separator that occurs in the header outside quotes: a comma, a semicolon or a tab, in this order of
    /// preference.
    ///
    /// If none occurs, returns the comma.
    private mutating func headerSeparator() throws(PlanError) -> UInt8 {
        while true {
            var (isQuoted, hasText) = (false, false)
            var found: Set<UInt8> = []
            let best = { (found: Set<UInt8>) in found.contains(Byte.semicolon) ? Byte.semicolon : found.first }
            for byte in buffer.bytes[buffer.start...] {
                switch byte {
                case Byte.quote: isQuoted.toggle()
                case Byte.comma where !isQuoted: return byte
                case Byte.semicolon where !isQuoted, Byte.tab where !isQuoted: found.insert(byte)
                case Byte.lineFeed where !isQuoted && hasText: return best(found) ?? Byte.comma
                default: break
                }
                hasText = hasText || (byte != Byte.lineFeed && byte != Byte.carriageReturn)
            }
            if buffer.isAtEnd { return best(found) ?? Byte.comma }
            try buffer.readOn()
        }
    }

    private func text(of field: Field) -> String? {
        guard !field.hasQuotes else {
            var bytes: [UInt8] = []
            var isSecond = false
            for byte in buffer.bytes[field.start..<field.end] {
                isSecond = byte == Byte.quote && !isSecond
                if !isSecond { bytes.append(byte) }
            }
            return String(validating: bytes, as: UTF8.self)
        }
        return buffer.bytes.withUnsafeBufferPointer {
            String(validating: UnsafeBufferPointer(rebasing: $0[field.start..<field.end]), as: UTF8.self)
        }
    }
}

/// A single pass over the bytes of one record.
private struct Scan {
    var position: Int
    var line: Int
    var fault: PlanError?
    var faultField: Int?
    var isQuoted = false
    private let separator: UInt8
    private let isAtEnd: Bool

    init(buffer: RecordBuffer, separator: UInt8) {
        position = buffer.start
        line = buffer.line
        isAtEnd = buffer.isAtEnd
        self.separator = separator
    }

    /// Finds the fields of the record that begins at ``position``.
    ///
    /// Returns false if the end of the record is not in the buffer yet.
    mutating func record(in bytes: UnsafeBufferPointer<UInt8>, fields: inout [Field]) -> Bool {
        while true {
            isQuoted = position < bytes.count && bytes[position] == Byte.quote
            var field = Field(start: position, end: position)
            if isQuoted {
                guard closeQuote(in: bytes, &field, number: fields.count) else { return false }
                if fault?.reason == .unterminatedQuote {
                    fields.append(field)
                    return true
                }
                if position < bytes.count, !isFieldEnd(bytes[position]) { note(.misplacedQuote, fields.count) }
            }
            // Skip the rest of the field: the whole field if it is not quoted, or nothing if it is quoted correctly.
            while position < bytes.count, bytes[position] != separator, bytes[position] != Byte.lineFeed {
                if bytes[position] == Byte.quote { note(.misplacedQuote, fields.count) }
                if bytes[position] == 0 { note(.nul, fields.count) }
                if bytes[position] == Byte.carriageReturn {
                    guard position + 1 < bytes.count || isAtEnd else { return false }
                    if position + 1 < bytes.count, bytes[position + 1] == Byte.lineFeed { break }
                    note(.loneCarriageReturn, fields.count)
                }
                position += 1
            }
            guard position < bytes.count || isAtEnd else { return false }
            if !isQuoted { field.end = position }
            fields.append(field)
            guard position < bytes.count else { return true }
            if bytes[position] == separator {
                position += 1
                continue
            }
            position += bytes[position] == Byte.carriageReturn ? 2 : 1
            line += 1
            return true
        }
    }

    private func isFieldEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == Byte.lineFeed || byte == Byte.carriageReturn
    }

    /// Moves past the closing quote.
    ///
    /// Returns false if the bytes end before it.
    private mutating func closeQuote(
        in bytes: UnsafeBufferPointer<UInt8>, _ field: inout Field, number: Int
    ) -> Bool {
        let firstLine = line
        position += 1
        field.start = position
        while position < bytes.count {
            switch bytes[position] {
            case Byte.quote:
                guard position + 1 < bytes.count || isAtEnd else { return false }
                guard position + 1 < bytes.count, bytes[position + 1] == Byte.quote else {
                    field.end = position
                    position += 1
                    return true
                }
                field.hasQuotes = true
                position += 1
            case Byte.lineFeed: line += 1
            case 0: note(.nul, number)
            default: break
            }
            position += 1
        }
        guard isAtEnd else { return false }
        fault = PlanError(line: firstLine, .unterminatedQuote)
        faultField = number
        field.end = position
        return true
    }

    /// Records a fault unless the record already has one.
    private mutating func note(_ reason: PlanError.Reason, _ field: Int) {
        guard fault == nil else { return }
        fault = PlanError(line: line, reason)
        faultField = field
    }
}
