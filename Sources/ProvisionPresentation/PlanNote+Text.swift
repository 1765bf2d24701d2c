// Notes on how a plan was read, as text

package import Provisioning

extension PlanNote {
    package var text: String {
        switch self {
        case .encoding(let encoding): "The plan was read as \(encoding.name)."
        case .alsoUTF8:
            "The plan is also valid UTF-8. Check non-ASCII characters with --dry-run: if UTF-8 is read as Windows-1252, ü becomes Ã¼."
        case .headerOfValues(let value):
            "The first line is used as the header, but looks like a row: \(value). It is not written to any tag. If it is a row, add a header line before it."
        case .idlePasswords:
            "The rows have passwords, but no tag will be protected. To protect them, add --protect or a column named protect."
        case .newDigits:
            "With --overwrite same, tags of an earlier journal are not recognised: this journal gives each row other random digits."
        case .emptyRowsAtEnd(1): "The last row has no values. It is ignored."
        case .emptyRowsAtEnd(let count): "The last \(count) rows have no values. They are ignored."
        case .ignoredColumns(1): "The last column has no name and no values. It is ignored."
        case .ignoredColumns(let count): "The last \(count) columns have no name and no values. They are ignored."
        }
    }
}
