// Rows of comma-separated values — RFC 4180

/// Reads rows from the bytes of a CSV file, piece by piece.
///
/// The first line names the columns. Fields are separated by commas, or by semicolons where the header has those and no
/// comma (spreadsheets of countries with a decimal comma write so). Spaces are part of a field; empty lines are passed over.
struct CSVReader {
    private var buffer: RecordBuffer
    private var separator = UInt8(ascii: ",")
    /// The names of the columns; nil until the header is read.
    private(set) var columns: [String]?
    private var rowCount = 0
    private var fields: [Field] = []

    init(source: @escaping () throws(PlanError) -> [UInt8]) { buffer = RecordBuffer(source: source) }

    /// Reads the header.
    mutating func readHeader() throws(PlanError) {
        guard columns == nil else { return }
        try buffer.dropByteOrderMark()
        separator = try headerSeparator()
        guard let record = try nextRecord() else { throw PlanError(.empty) }
        if let fault = record.fault { throw fault }
        var names: [String] = []
        for field in fields {
            guard let name = text(of: field) else { throw PlanError(line: record.line, .notUTF8) }
            guard !name.isEmpty else { throw PlanError(line: record.line, .unnamedColumn(names.count + 1)) }
            guard !Template.isReserved(name) else { throw PlanError(line: record.line, .reservedColumn(name)) }
            guard !names.contains(name) else { throw PlanError(line: record.line, .duplicateColumn(name)) }
            names.append(name)
        }
        columns = names
    }

    /// The next row; nil behind the last.
    mutating func next() throws(PlanError) -> PlanEntry? {
        try readHeader()
        guard let columns, let record = try nextRecord() else { return nil }
        rowCount += 1
        if let fault = record.fault {
            let name = record.faultField.flatMap { $0 < columns.count ? columns[$0] : nil }
            return .bad(PlanError(line: fault.line, column: name, fault.reason))
        }
        guard fields.count == columns.count else {
            return .bad(PlanError(line: record.line, .raggedRow(expected: columns.count, found: fields.count)))
        }
        var row: [PlanField] = []
        row.reserveCapacity(columns.count)
        for (name, field) in zip(columns, fields) {
            guard let value = text(of: field) else {
                return .bad(PlanError(line: record.line, column: name, .notUTF8))
            }
            row.append(PlanField(name: name, value: value))
        }
        return .row(PlanRow(number: rowCount, line: record.line, fields: row))
    }
}

/// Where a field stands in the buffer, without its quotes.
private struct Field {
    var start: Int
    var end: Int
    /// Quotes in it stand there twice.
    var hasQuotes = false
}

/// A record that was found; its fields are kept beside it.
private struct Record {
    let line: Int
    var fault: PlanError?
    var faultField: Int?
}

private enum Byte {
    static let quote = UInt8(ascii: "\"")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
}

extension CSVReader {
    /// The next record that is not an empty line.
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
            // Fields stay where they are in the buffer until the next record is looked for.
            buffer.start = scan.position
            buffer.line = scan.line
            if length == 0 { return nil }
            if !isEmptyLine { return record }
        }
    }

    /// `;` where the header has one and no comma outside quotes.
    private mutating func headerSeparator() throws(PlanError) -> UInt8 {
        while true {
            var (isQuoted, hasSemicolon, hasText) = (false, false, false)
            for byte in buffer.bytes[buffer.start...] {
                switch byte {
                case Byte.quote: isQuoted.toggle()
                case UInt8(ascii: ",") where !isQuoted: return byte
                case UInt8(ascii: ";") where !isQuoted: hasSemicolon = true
                case Byte.lineFeed where !isQuoted && hasText: return UInt8(ascii: hasSemicolon ? ";" : ",")
                default: break
                }
                hasText = hasText || (byte != Byte.lineFeed && byte != Byte.carriageReturn)
            }
            if buffer.isAtEnd { return UInt8(ascii: hasSemicolon ? ";" : ",") }
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

/// One way over the bytes of a record.
private struct Scan {
    var position: Int
    var line: Int
    var fault: PlanError?
    var faultField: Int?
    /// Whether the last field stood between quotes.
    var isQuoted = false
    private let separator: UInt8
    private let isAtEnd: Bool

    init(buffer: RecordBuffer, separator: UInt8) {
        position = buffer.start
        line = buffer.line
        isAtEnd = buffer.isAtEnd
        self.separator = separator
    }

    /// Finds the fields of the record that begins here; false when its end is not there yet.
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
            // The rest of the field: all of it without quotes, nothing behind quotes.
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

    /// Goes behind the closing quote; false when the end of the bytes comes before.
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

    /// Keeps the first fault of the record.
    private mutating func note(_ reason: PlanError.Reason, _ field: Int) {
        guard fault == nil else { return }
        fault = PlanError(line: line, reason)
        faultField = field
    }
}
