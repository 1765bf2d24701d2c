// Rows as JSON objects, one per line — RFC 8259; jsonlines.org

/// Reads rows from the bytes of a JSON Lines file, piece by piece.
///
/// Each line is an object of strings, numbers (kept as written), `true`, `false` and `null` (an empty cell). Lines with
/// only white space are skipped.
struct JSONLinesReader {
    private var buffer: RecordBuffer
    private var rowCount = 0

    init(_ text: PlanText) { buffer = RecordBuffer(text) }

    /// The text that is being read.
    ///
    /// It also records the encoding, so that notes can mention it.
    var text: PlanText { buffer.text }

    /// Returns the next row, or nil after the last one.
    mutating func next() throws(PlanError) -> PlanEntry? {
        while true {
            let rest = buffer.bytes[buffer.start...]
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? (buffer.isAtEnd ? rest.endIndex : nil) else {
                try buffer.readOn()
                continue
            }
            guard !rest.isEmpty else { return nil }
            guard end - buffer.start <= RecordBuffer.maximumRecordLength else {
                throw PlanError(line: buffer.line, .tooLong(limit: RecordBuffer.maximumRecordLength))
            }
            let (start, line) = (buffer.start, buffer.line)
            buffer.start = min(end + 1, buffer.bytes.count)
            buffer.line += 1
            if let entry = entry(in: start..<end, line: line) { return entry }
        }
    }

    /// Returns the entry in a line, or nil if the line contains only white space.
    private mutating func entry(in line: Range<Int>, line number: Int) -> PlanEntry? {
        let object = buffer.bytes.withUnsafeBufferPointer { bytes -> Result<[PlanField]?, PlanError> in
            var scan = JSONScan(UnsafeBufferPointer(rebasing: bytes[line]), line: number)
            do throws(PlanError) {
                return .success(try scan.object())
            } catch {
                return .failure(error)
            }
        }
        switch object {
        case .success(nil): return nil
        case .success(let fields?):
            rowCount += 1
            return .row(PlanRow(number: rowCount, line: number, fields: fields))
        case .failure(let error):
            rowCount += 1
            return .bad(error)
        }
    }
}

/// A single pass over the bytes of one line.
private struct JSONScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let line: Int
    private var position = 0
    /// The name of the member whose value is being read, or nil outside a value.
    private var column: String?

    init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) {
        self.bytes = bytes
        self.line = line
    }

    /// Returns the members of the object as fields, or nil if the line contains only white space.
    mutating func object() throws(PlanError) -> [PlanField]? {
        guard peek() != nil else { return nil }
        try take("{", "{")
        var fields: [PlanField] = []
        var names: Set<String> = []
        if peek() == UInt8(ascii: "}") {
            position += 1
        } else {
            repeat {
                let name = try name(after: fields.count)
                guard names.insert(name).inserted else { throw PlanError(line: line, .duplicateColumn(name)) }
                column = name
                try take(":", "a colon")
                fields.append(PlanField(name: name, value: try value()))
                column = nil
            } while try takesComma()
        }
        guard peek() == nil else { throw fault("the end of the line") }
        return fields
    }

    private mutating func name(after count: Int) throws(PlanError) -> String {
        guard peek() == UInt8(ascii: "\"") else { throw fault("a name in quotes") }
        let name = try string()
        guard !name.isEmpty else { throw PlanError(line: line, .unnamedColumn(count + 1)) }
        guard !Template.isReserved(name) else { throw PlanError(line: line, .reservedColumn(name)) }
        return name
    }

    private mutating func takesComma() throws(PlanError) -> Bool {
        guard let byte = peek(), byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") else { throw fault(", or }") }
        position += 1
        return byte == UInt8(ascii: ",")
    }

    private mutating func value() throws(PlanError) -> String {
        switch peek() {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "{"), UInt8(ascii: "["): throw PlanError(line: line, column: column, .nestedValue)
        case UInt8(ascii: "t"): return try word("true", meaning: "true")
        case UInt8(ascii: "f"): return try word("false", meaning: "false")
        case UInt8(ascii: "n"): return try word("null", meaning: "")
        default: return try number()
        }
    }

    private mutating func word(_ word: String, meaning: String) throws(PlanError) -> String {
        guard bytes[position...].starts(with: word.utf8) else { throw fault("a value") }
        position += word.utf8.count
        return meaning
    }

    // The grammar of a number: -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
    private mutating func number() throws(PlanError) -> String {
        let start = position
        _ = takes("-")
        guard next.map(Self.isDigit) == true else { throw fault("a value") }
        if !takes("0") { skipDigits() }
        if takes(".") { try digits() }
        if takes("e") || takes("E") {
            if !takes("+") { _ = takes("-") }
            try digits()
        }
        guard next.map(Self.isDigit) != true else { throw fault("a number without leading zeros") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(PlanError) {
        guard next.map(Self.isDigit) == true else { throw fault("a digit") }
        skipDigits()
    }

    private mutating func skipDigits() {
        while let byte = next, Self.isDigit(byte) { position += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Reads a string, starting at its opening quote.
    private mutating func string() throws(PlanError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw PlanError(line: line, column: column, .notUTF8)
                }
                return string
            case UInt8(ascii: "\\"): text += try escape()
            case 0: throw PlanError(line: line, column: column, .nul)
            case 1..<0x20:
                position -= 1
                throw fault("an escape sequence for the control character")
            default: text.append(byte)
            }
        }
        throw fault("a closing quote")
    }

    private mutating func escape() throws(PlanError) -> [UInt8] {
        guard let byte = next else { throw fault("a closing quote") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
        default:
            position -= 1
            throw fault("a JSON escape sequence")
        }
    }

    /// Returns the character for one `\uXXXX`, or for two that form a surrogate pair.
    private mutating func scalar() throws(PlanError) -> Character {
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), takes("\\"), takes("u") { units.append(try codeUnit()) }
        guard let text = String(validating: units, as: UTF16.self), let character = text.first else {
            throw fault("the other half of a surrogate pair")
        }
        guard units != [0] else { throw PlanError(line: line, column: column, .nul) }
        return character
    }

    private mutating func codeUnit() throws(PlanError) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits") }
        position += 4
        return unit
    }

    /// The next byte, which may be white space, or nil at the end.
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips white space, and returns the byte after it, or nil at the end.
    private mutating func peek() -> UInt8? {
        while let byte = next, [0x20, 0x09, 0x0D, 0x0A].contains(byte) { position += 1 }
        return next
    }

    private mutating func takes(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func take(_ byte: Unicode.Scalar, _ expected: String) throws(PlanError) {
        guard peek() == UInt8(ascii: byte) else { throw fault(expected) }
        position += 1
    }

    private func fault(_ expected: String) -> PlanError {
        PlanError(line: line, column: column, .notJSON(offset: position, expected: expected))
    }
}
