// A table with tabs and a byte order mark, which spreadsheets open in columns — IANA, text/tab-separated-values

/// Turns a table that is separated by commas into one that is separated by tabs, piece by piece.
///
/// Cells with tabs are quoted in both.
struct TabbedTable {
    /// U+FEFF in UTF-8, from which spreadsheets recognise the encoding.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    static let separator = UInt8(ascii: "\t")

    private var isBegun = false
    private var isQuoted = false

    /// The next piece of the table, after the mark if it is the first.
    mutating func convert(_ piece: [UInt8]) -> [UInt8] {
        var bytes = isBegun ? [] : Self.mark
        isBegun = true
        bytes.reserveCapacity(bytes.count + piece.count)
        for byte in piece {
            // A quotation mark in a cell is doubled, so it does not end the cell.
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            bytes.append(byte == UInt8(ascii: ",") && !isQuoted ? Self.separator : byte)
        }
        return bytes
    }
}
