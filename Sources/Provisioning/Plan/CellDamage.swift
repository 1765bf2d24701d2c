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

    /// The error that the cell consists of, or that is a part of it, as in an address that a formula put together.
    ///
    /// A whole cell is an error in any language: `#N/A`, `#NV`, `#N/D`, or capital letters that end with `!` or `?`. A
    /// part must be one of the English or German names, because a text may contain a hashtag such as `#NFC!`.
    private static func error(in text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return nil }
        let whole = /#(?:N\/A|NV|N\/D|\p{Lu}[\p{Lu}0-9\/_]*[!?])\s*/
        if let match = text.wholeMatch(of: whole) { return String(match.output) }
        let part = /#(?:REF!|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!|N\/A)/
        return text.firstMatch(of: part).map { String($0.output) }
    }

    /// The rounded number that the cell consists of, or that is a part of it.
    ///
    /// A part must have a decimal separator, because an article number may be `A-1E-05`.
    private static func rounded(in text: Substring) -> String? {
        let bytes = text.utf8
        guard zip(bytes, bytes.dropFirst()).contains(where: { $0 == UInt8(ascii: "E") && ($1 == 0x2B || $1 == 0x2D) })
        else { return nil }
        if let match = text.wholeMatch(of: /[+\-]?[0-9](?:[.,][0-9]+)?E[+\-][0-9]{2,3}\s*/) {
            return String(match.output)
        }
        let part = /(?:^|[^0-9A-Za-z.,])([0-9][.,][0-9]+E[+\-][0-9]{2,3})(?![0-9A-Za-z])/
        return text.firstMatch(of: part).map { String($0.1) }
    }

    /// The text as it was before its UTF-8 was read as Windows-1252, or nil if it was not misread.
    ///
    /// Each run of non-ASCII characters that is valid UTF-8 in Windows-1252 is replaced.
    private static func meant(by cell: String) -> String? {
        guard cell.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var (text, run, isMisread) = ("", "", false)
        for character in cell.unicodeScalars.map(Character.init) + [" "] {
            guard character.isASCII else {
                run.append(character)
                continue
            }
            let original = run.isEmpty ? nil : self.original(of: run)
            text += original ?? run
            isMisread = isMisread || original != nil
            run = ""
            text.append(character)
        }
        return isMisread ? String(text.dropLast()) : nil
    }

    /// The text whose UTF-8 becomes `run` in Windows-1252, or nil if `run` is probably what was meant.
    ///
    /// Two characters can be meant, such as `Ü“` at the end of a quotation. They count only if they begin with `Â` or
    /// `Ã`, as all misread characters of Latin-1 do.
    private static func original(of run: String) -> String? {
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
        guard bytes.count > 2 || bytes.first == 0xC2 || bytes.first == 0xC3 else { return nil }
        return String(validating: bytes, as: UTF8.self)
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
    func warning(column: String) -> RowWarning { RowWarning(rule: rule, message: message(column: column)) }
}

extension RowOrder {
    /// The warning about the first damaged cell among those that go onto the tag, or nil if there is none.
    var damage: RowWarning? {
        for column in writtenColumns {
            if let cell = row[column], let damage = CellDamage(cell) { return damage.warning(column: column) }
        }
        return nil
    }
}
