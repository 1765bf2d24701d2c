// A table separated by tabs, with a byte order mark, so that spreadsheets show it in columns — IANA,
// text/tab-separated-values

/// Converts a comma-separated table to a tab-separated one, piece by piece.
///
/// Cells that contain tabs are quoted in both tables.
struct TabbedTable {
    /// The byte order mark U+FEFF in UTF-8, by which spreadsheets recognise the encoding.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    static let separator = UInt8(ascii: "\t")

    private var isBegun = false
    private var isQuoted = false

    /// Converts the next piece of the table, and puts the byte order mark before the first piece.
    mutating func convert(_ piece: [UInt8]) -> [UInt8] {
        var bytes = isBegun ? [] : Self.mark
        isBegun = true
        bytes.reserveCapacity(bytes.count + piece.count)
        for byte in piece {
            // A quotation mark within a cell is doubled, so it toggles the state twice and does not end the cell.
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            bytes.append(byte == UInt8(ascii: ",") && !isQuoted ? Self.separator : byte)
        }
        return bytes
    }
}
