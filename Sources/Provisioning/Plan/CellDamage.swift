// Cells that lost their value before the plan was saved — Microsoft Excel, error values; Unicode 16.0, 3.9 and 23.8

import Foundation

/// A sign that a spreadsheet or an editor replaced the value of a cell, or a part of it, before the plan was saved.
enum CellDamage: Hashable {
    /// An error such as `#REF!`, in the language of the spreadsheet.
    case error(String)
    /// A long number in scientific notation, such as `1.23457E+12`. Its last digits are lost.
    case rounded(String)
    /// UTF-8 that was read as Windows-1252, such as `Ã¼` for `ü`. The second value is the text that was meant.
    case misread(String, meant: String)
    /// A replacement character, U+FFFD. A program wrote it for a character that it could not read.
    case lost

    /// Examines a cell.
    ///
    /// The result is nil if the cell looks like a value that a person entered.
    init?(_ cell: String) {
        let text = cell.trimmingPrefix(while: \.isWhitespace)
        if let error = Self.error(in: text) {
            self = .error(error)
        } else if let number = Self.rounded(in: text) {
            self = .rounded(number)
        } else if cell.unicodeScalars.contains("\u{FFFD}") {
            self = .lost
        } else if let meant = Self.meant(by: cell) {
            self = .misread(cell, meant: meant)
        } else {
            return nil
        }
    }

    /// The names of errors that are recognised in a part of a cell — Microsoft Excel, in English and German.
    private static let errors = [
        "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#BEZUG!", "#WERT!", "#ZAHL!",
        "#ÜBERLAUF!", "#N/A",
    ].map { Array($0.utf8) }

    /// The error that the cell consists of, or that is a part of it, as in an address that a formula put together.
    ///
    /// A whole cell is an error in any language: `#N/A`, `#NV`, `#N/D`, or capital letters that end with `!` or `?`. A
    /// part must be one of the English or German names, because a text may contain a hashtag such as `#NFC!`.
    private static func error(in text: Substring) -> String? {
        if text.first == "#", text.wholeMatch(of: /#(?:N\/A|NV|N\/D|\p{Lu}[\p{Lu}0-9\/_]*[!?])\s*/) != nil {
            return String(text)
        }
        var rest = text.utf8[...]
        while let sign = rest.firstIndex(of: UInt8(ascii: "#")) {
            rest = rest[sign...]
            if let error = errors.first(where: { rest.starts(with: $0) }), isWordEnd(rest.dropFirst(error.count).first)
            {
                return String(decoding: error, as: UTF8.self)
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Whether a word ends before this byte.
    private static func isWordEnd(_ byte: UInt8?) -> Bool {
        guard let byte else { return true }
        return byte < 0x80 && !isDigit(byte) && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            && byte != UInt8(ascii: "-")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The rounded number that the cell consists of, or that is a part of it.
    ///
    /// A part must have a decimal separator and a positive exponent, because an article number may be `A-1E-05`, and a
    /// text may contain a small number.
    private static func rounded(in text: Substring) -> String? {
        let bytes = Array(text.utf8)
        let signs = [UInt8(ascii: "+"), UInt8(ascii: "-")]
        let exponents = bytes.indices.dropLast().filter {
            bytes[$0] == UInt8(ascii: "E") && signs.contains(bytes[$0 + 1])
        }
        guard !exponents.isEmpty else { return nil }
        if isDigit(bytes[0]) || signs.contains(bytes[0]),
            text.wholeMatch(of: /[+\-]?[0-9](?:[.,][0-9]+)?E[+\-][0-9]{2,3}\s*/) != nil
        {
            return String(text)
        }
        for exponent in exponents where bytes[exponent + 1] == UInt8(ascii: "+") {
            let digits = bytes[(exponent + 2)...].prefix(while: isDigit)
            let fraction = bytes[..<exponent].reversed().prefix(while: isDigit).count
            let start = exponent - fraction - 2
            guard (2...3).contains(digits.count), isWordEnd(bytes[digits.endIndex...].first), fraction > 0, start >= 0,
                bytes[start + 1] == UInt8(ascii: ".") || bytes[start + 1] == UInt8(ascii: ","), isDigit(bytes[start]),
                start == 0 || isWordEnd(bytes[start - 1]) && bytes[start - 1] != UInt8(ascii: ".")
            else { continue }
            return String(decoding: bytes[start..<digits.endIndex], as: UTF8.self)
        }
        return nil
    }

    /// The text as it was before its UTF-8 was read as Windows-1252, or nil if it was not misread.
    ///
    /// Each run of non-ASCII characters that is misread is replaced.
    private static func meant(by cell: String) -> String? {
        guard cell.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var (text, run, isMisread) = ("", "", false)
        for character in cell.unicodeScalars.map(Character.init) + [" "] {
            guard character.isASCII else {
                run.append(character)
                continue
            }
            let original = run.isEmpty ? nil : self.original(of: run, after: text.last, before: character)
            text += original ?? run
            isMisread = isMisread || original != nil
            run = ""
            text.append(character)
        }
        return isMisread ? String(text.dropLast()) : nil
    }

    /// The text whose UTF-8 becomes `run` in Windows-1252, or nil if `run` is probably what was meant.
    ///
    /// Text such as `é »` or `é…’` is also valid UTF-8. Therefore a run counts only if it becomes characters of Latin-1,
    /// punctuation marks and euro signs, or several letters of one script.
    private static func original(of run: String, after last: Character?, before next: Character) -> String? {
        var bytes: [UInt8] = []
        for scalar in run.unicodeScalars {
            // Programs keep the five bytes that Windows-1252 does not define as control characters.
            if (0x80...0x9F).contains(scalar.value) {
                bytes.append(UInt8(scalar.value))
            } else {
                guard let byte = String(scalar).data(using: .windowsCP1252)?.first else { return nil }
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let scalars = text.unicodeScalars
        let isWestern = scalars.allSatisfy { $0.value < 0x100 || (0x2010...0x20AC).contains($0.value) }
        // U+0100 to U+04FF are the further Latin, Greek and Cyrillic letters.
        let isOneScript = scalars.count > 1 && scalars.allSatisfy { (0x100...0x4FF).contains($0.value) }
        guard isWestern || isOneScript else { return nil }
        // A word may end with `Ã` and a punctuation mark: `MANHÃ…`.
        let isMark = bytes.count == 2 && (bytes[1] == 0x85 || (0x91...0x97).contains(bytes[1]))
        // 0xBB and 0xA0 are » and a no-break space, but also the ends of û and à. Between capitals, `Ã` is meant.
        let isQuote = bytes.count == 2 && (bytes[1] == 0xBB || bytes[1] == 0xA0) && last?.isUppercase == true
        return isMark && !next.isLetter || isQuote ? nil : text
    }

    /// The problem as a full sentence or more, for the cell in a column.
    private func message(column: String) -> String {
        let place = "The cell in column \(column) contains"
        switch self {
        case .error(let error): return "\(place) the spreadsheet error \(error) instead of a value."
        case .rounded(let number):
            return "\(place) \(number). A spreadsheet has probably rounded a long number. Format the column as text "
                + "there, enter the number again, and save the plan."
        case .misread(let cell, let meant):
            return "\(place) “\(cell)”; did you mean “\(meant)”? A program has probably read the list with the wrong "
                + "encoding and saved it again. Go back to the original list, and open it as UTF-8."
        case .lost:
            return "\(place) “\u{FFFD}”, which a program wrote in place of a character that it could not read. Enter "
                + "the character again, or go back to the original list."
        }
    }

    /// The name of the rule in JSON output.
    private var rule: String {
        switch self {
        case .error: "spreadsheetError"
        case .rounded: "roundedNumber"
        case .misread, .lost: "wrongEncoding"
        }
    }

    /// The warning for the cell in a column.
    func warning(column: String) -> RowWarning {
        RowWarning(rule: rule, column: column, message: message(column: column), isOfDamage: true)
    }

    /// Whether the cell certainly does not hold what its author wanted.
    var isCertain: Bool {
        switch self {
        case .error, .rounded: true
        case .misread, .lost: false
        }
    }
}

extension RowOrder {
    /// The warnings about damaged cells among those that go onto the tag.
    ///
    /// `isCertain` says whether the damage also explains an error in the message.
    var damages: [(warning: RowWarning, isCertain: Bool)] {
        writtenColumns.compactMap { column in
            row[column].flatMap(CellDamage.init).map { ($0.warning(column: column), $0.isCertain) }
        }
    }
}
