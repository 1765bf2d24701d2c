// White space that a spreadsheet does not show, and that would become part of a URI — RFC 3986, section 2.1

extension Template {
    /// Returns the columns that are used in a URI and whose cells contain a control character such as a line break, or
    /// white space at either end.
    ///
    /// Spreadsheets do not show these characters, and an address with `%20` at its end is a different address.
    func strayBlanks(in row: PlanRow) -> [String] {
        guard isOfURI else { return [] }
        return columns.filter { column in
            guard let cell = row[column]?.unicodeScalars, let first = cell.first, let last = cell.last else {
                return false
            }
            return Self.isStray(first) || Self.isStray(last) || cell.contains(where: Self.isControl)
        }
    }

    /// Whether the character is a control character: C0, DEL or C1.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Whether the character is white space (including no-break and zero-width spaces) or a byte order mark.
    private static func isStray(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }
}
