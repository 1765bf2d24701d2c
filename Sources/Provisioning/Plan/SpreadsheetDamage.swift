// Cells in which a spreadsheet left an error or a rounded number instead of the value — Microsoft Excel, error values

/// A sign that a spreadsheet replaced the value of a cell before the plan was saved.
enum SpreadsheetDamage: Hashable {
    /// An error such as `#REF!`, in the language of the spreadsheet.
    case error
    /// A long number in scientific notation, such as `1.23457E+12`. Its last digits are lost.
    case rounded

    /// Examines a cell.
    ///
    /// The result is nil if the cell looks like a value that a person entered.
    init?(_ cell: String) {
        let text = cell.drop(while: \.isWhitespace)
        if text.hasPrefix("#"), Self.isError(text.dropFirst()) {
            self = .error
        } else if text.utf8.contains(UInt8(ascii: "E")),
            text.wholeMatch(of: /[+\-]?[0-9](?:[.,][0-9]+)?E[+\-][0-9]{2,3}\s*/) != nil
        {
            self = .rounded
        } else {
            return nil
        }
    }

    /// Whether the text after `#` is the name of an error: `N/A`, `NV`, `N/D`, or capital letters that end with `!` or
    /// `?`, as in `DIV/0!` and `BEZUG!`.
    private static func isError(_ text: Substring) -> Bool {
        text.wholeMatch(of: /(?:N\/A|NV|N\/D|\p{Lu}[\p{Lu}0-9\/_]*[!?])\s*/) != nil
    }
}

extension RowOrder {
    /// The first damaged cell among those that go onto the tag, or nil if there is none.
    var damage: (column: String, cell: String, SpreadsheetDamage)? {
        for column in writtenColumns {
            if let cell = row[column], let damage = SpreadsheetDamage(cell) { return (column, cell, damage) }
        }
        return nil
    }
}

extension RowWarning {
    init(column: String, cell: String, _ damage: SpreadsheetDamage) {
        switch damage {
        case .error:
            self.init(
                rule: "spreadsheetError",
                message: "The cell in column \(column) contains the spreadsheet error \(cell) instead of a value.")
        case .rounded:
            self.init(
                rule: "roundedNumber",
                message: "The cell in column \(column) contains \(cell). A spreadsheet has probably rounded a long "
                    + "number. Format the column as text there, enter the number again, and save the plan.")
        }
    }
}
