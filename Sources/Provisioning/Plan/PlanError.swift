// Reasons why a plan or one of its rows cannot be used — Docs/JSON.md, `badPlan`

public import Composing
public import ReaderInterface

/// The reason why a plan cannot be used, and the place of the error.
///
/// Descriptions may contain text from the file. The caller must escape this text before printing it.
public struct PlanError: Error, Hashable, Sendable {
    /// The line of the file, counted from 1, or nil for the plan as a whole.
    public let line: Int?
    /// The column, or nil if it is not known or the error is not in a column.
    public let column: String?
    /// The reason.
    public let reason: Reason

    /// Creates an error.
    public init(line: Int? = nil, column: String? = nil, _ reason: Reason) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// The reason for an error.
    public enum Reason: Hashable, Sendable {
        /// The file cannot be opened or read.
        case unreadable(file: String, reason: String)
        /// The file is a pipe or a device, so a run that is continued later could not read it again.
        case notAFile(String)
        /// The file's name does not have the extension of a plan.
        case unknownFormat(file: String)
        /// The file contains neither a header line nor an object.
        case empty
        /// The file has nothing after the header.
        case noRows

        /// A row or an object is longer than this number of bytes.
        case tooLong(limit: Int)
        /// The file is a spreadsheet, not text.
        case workbook
        /// The bytes are not UTF-8.
        case notUTF8
        /// The bytes are not valid in the encoding that the user named or that the file's byte order mark indicates.
        case notEncoded(PlanEncoding)
        /// The byte order mark of the file belongs to a different encoding than the one that the user named.
        case otherEncoding(found: PlanEncoding, named: PlanEncoding)
        /// The user named UTF-16, but neither a byte order mark nor the first characters show the byte order.
        case noByteOrderMark
        /// The file contains a NUL.
        case nul

        /// A row has a different number of fields than the header.
        case raggedRow(expected: Int, found: Int)
        /// A row has a value in a column after the last named one. The column is counted from 1.
        case valueWithoutColumn(Int)
        /// A quote is in the middle of a field, or text follows the closing quote.
        case misplacedQuote
        /// A quote is never closed. The line is that of the opening quote.
        case unterminatedQuote
        /// A carriage return is not followed by a line feed.
        case loneCarriageReturn

        /// The line is not a JSON object. The offset is the number of bytes from the start of the line.
        case notJSON(offset: Int, expected: String)
        /// A value is an object or an array.
        case nestedValue

        /// Two columns have this name.
        case duplicateColumn(String)
        /// A column has no name. The column is counted from 1.
        case unnamedColumn(Int)
        /// A column has the name of a placeholder that the tool fills in.
        case reservedColumn(String)

        /// The text is not a range of numbers.
        case badRange(String, reason: String)
        /// The file changed while it was being read.
        case changedMeanwhile
        /// The template of this option is invalid.
        case badTemplate(RecordOption.Name, reason: String)
        /// The template of URLs that tags sign is invalid, or cannot be combined with another option.
        case badDynamic(String)
        /// A template names an unknown column.
        case unknownColumn(RecordOption.Name, placeholder: String, known: [String])
        /// A template names an unknown column. The unknown name is part of a longer one in the header, in which this
        /// character seems to separate the columns.
        case joinedColumns(placeholder: String, header: String, separator: Character)
        /// There is neither a record option nor a column named like one. The value is a column with a similar name, or
        /// nil if there is none.
        case nothingToWrite(UnusedColumn?)
        /// There is nothing to write: the first line contains this value, so that line seems to be a row instead of a
        /// header.
        case noHeader(value: String)
        /// There is nothing to write, because this character seems to separate the columns of the header.
        case otherSeparator(header: String, separator: Character)
        /// Every cell of the row is empty.
        case emptyRow
        /// A cell that the template of this option uses is empty.
        case emptyCell(RecordOption.Name)
        /// Every cell that could become a record is empty.
        case noRecord

        /// The value of a setting is not among the permitted ones.
        case badSetting(value: String, expected: String)
        /// The password is invalid. Messages never contain it.
        case badPassword
        /// The row's tag must be protected, but there is no password.
        case noPassword
        /// The values of the row do not form a message.
        case record(RecordOptionError)
        /// `ndef check` reports these errors in the row's message, each as a full sentence.
        case faulty([String])
        /// The message is longer than the chip's capacity.
        case tooLarge(needed: Int, capacity: Int, chip: String)
        /// The password is the default that every tag has on delivery.
        case deliveredPassword
        /// The tags get a password, but a column that seems to hold passwords is not used.
        case unusedPassword
        /// The name differs only in case, or in surrounding white space, from this name, which has an effect.
        case otherCase(String)
    }
}

extension PlanError: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind {
        switch reason {
        case .unreadable, .notAFile: .badFile
        case .badTemplate, .badDynamic, .nothingToWrite, .noHeader, .otherSeparator, .badRange: .usage
        case .unknownFormat, .empty, .noRows, .tooLong, .workbook, .notUTF8, .notEncoded, .otherEncoding,
            .noByteOrderMark, .nul, .raggedRow, .valueWithoutColumn, .misplacedQuote, .unterminatedQuote,
            .loneCarriageReturn, .notJSON, .nestedValue, .duplicateColumn, .unnamedColumn, .reservedColumn,
            .changedMeanwhile, .unknownColumn, .joinedColumns, .emptyRow, .emptyCell, .noRecord, .badSetting,
            .badPassword, .noPassword, .record, .faulty, .tooLarge, .deliveredPassword, .unusedPassword, .otherCase:
            .badPlan
        }
    }

    /// The place of the error, what is wrong in the plan, and what to do about it, in full sentences.
    public var description: String {
        switch (line, column) {
        case (let line?, let column?): "Line \(line), column \(column): \(reason.message)"
        case (let line?, nil): "Line \(line): \(reason.message)"
        case (nil, let column?): "Column \(column): \(reason.message)"
        case (nil, nil): reason.message
        }
    }
}

extension PlanError.Reason {
    /// The error and what to do about it in the plan, in full sentences.
    public var message: String {
        switch self {
        case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
        case .notAFile(let file):
            "\(file) is not a regular file. A continued run reads the plan again, so save it to a file and use that file."
        case .unknownFormat(let file):
            "Cannot tell the format of \(file) from its name. Name it .csv, .tsv, or .jsonl (.ndjson, .json) for one JSON object per line."
        case .empty: "The plan is empty. It must begin with a header line or a JSON object."
        case .noRows: "The plan has a header, but no row."
        case .tooLong(let limit):
            "The row is longer than \(limit) bytes. Look for a missing quote or line ending."
        case .workbook:
            "The plan is a spreadsheet file, not text. Save it as CSV. Excel: File > Save As > CSV UTF-8 (Comma delimited). LibreOffice: File > Save As > Text CSV."
        case .notUTF8: "The bytes are not UTF-8."
        case .notEncoded(let encoding): "The bytes are not \(encoding.name). Save the plan as UTF-8."
        case .otherEncoding(let found, let named):
            "The file begins like \(found.name), so it is not \(named.name)."
        case .noByteOrderMark:
            "The file has no byte order mark, so its byte order is unknown."
        case .nul: "The file contains a NUL byte. Save the plan as UTF-8."
        case .raggedRow(let expected, let found):
            "The row has \(found) \(found == 1 ? "field" : "fields") but the header has \(expected). "
                + (found > expected
                    ? "Quote fields that contain the separator." : "Add the missing fields, which may be empty.")
        case .valueWithoutColumn(let number):
            "Column \(number) has a value here but no name in the header. Name it, or remove the value."
        case .misplacedQuote:
            "A quote is in the wrong place. Quote a field that contains a quote, and write that quote twice."
        case .unterminatedQuote: "The quote that opens here is never closed."
        case .loneCarriageReturn:
            "There is a carriage return without a line feed. Save the plan with LF or CRLF line endings."
        case .notJSON(let offset, let expected):
            "The line is not a JSON object. Expected at offset \(offset): \(expected)."
        case .nestedValue: "The value is an object or an array. Give a string, a number, true, false or null."
        case .duplicateColumn(let name): "Two columns are named \(name). Rename one."
        case .unnamedColumn(let number): "Column \(number) has no name. Give it one."
        case .reservedColumn(let name):
            "A column cannot be named \(name): {\(name)} is filled in by the tool. Rename the column."
        case .badRange(let range, let reason): "--range \(range): \(reason)"
        case .changedMeanwhile: "The plan was changed while it was being read. Run the same command again."
        case .badTemplate(let option, let reason): "\(option.option): \(reason)"
        case .badDynamic(let reason): "\(DynamicRecipe.option): \(reason)"
        case .unknownColumn(let option, let placeholder, let known):
            "\(option.option): {\(placeholder)} is not a column. \(Self.advice(for: placeholder, among: known + Template.toolPlaceholders))\(Self.rawAdvice(for: option, placeholder))"
        case .joinedColumns(let placeholder, let header, let separator):
            "{\(placeholder)} is not a column, but the name of a column contains it: \(header). "
                + Self.advice(for: separator)
        case .nothingToWrite(let column):
            "There is nothing to write."
                + (column.map { " The column \($0.name) is not used. Did you mean \($0.meant ?? "")?" } ?? "")
        case .noHeader(let value):
            "There is nothing to write. The first line must be a header, but looks like a row: \(value). Add a "
                + "header line with column names such as uri or text."
        case .otherSeparator(let header, let separator):
            "There is nothing to write. The header has only one column: \(header). \(Self.advice(for: separator))"
        case .emptyRow: "Every cell of the row is empty. Remove the line."
        case .emptyCell(let option): "The cell is empty, and \(option.option) uses it. Fill it in, or remove the line."
        case .noRecord: "The row has nothing to write: no column such as uri or text has a value."
        case .badSetting(let value, let expected): "“\(value)” is not \(expected)."
        case .badPassword: "The value is not a password. Give \(PasswordText.form)."
        case .noPassword: "The row is to be protected, but there is no password."
        case .record(let error): error.description
        case .faulty(let errors): errors.joined(separator: " ")
        case .tooLarge(let needed, let capacity, let chip):
            "The message has \(needed) bytes, but \(chip) holds \(capacity)."
        case .deliveredPassword: "This is a factory password, so it protects nothing."
        case .unusedPassword:
            "The column is not used, so the tags would get a different password. Name it password, or remove it."
        case .otherCase(let name):
            "The name differs from “\(name)” only in capital letters or spaces. Name it \(name), or something else."
        }
    }

    private static func advice(for separator: Character) -> String {
        "If \(separator == "\t" ? "a tab" : "\(separator)") separates the columns, write a line before the header: "
            + "sep=\(separator)"
    }

    /// Returns advice on how to use a column with full URLs.
    ///
    /// It is empty for options that do not percent-encode cells.
    private static func rawAdvice(for option: RecordOption.Name, _ placeholder: String) -> String {
        guard option == .uri || option == .smartPoster, !placeholder.hasSuffix(Template.raw) else { return "" }
        return ". For a column with full URLs: \(option.option) '{COLUMN:raw}'"
    }

    static func advice(for placeholder: String, among names: [String]) -> String {
        let suffix = placeholder.hasSuffix(Template.raw) ? Template.raw : ""
        let meant =
            Spelling(String(placeholder.dropLast(suffix.count))).nearest(in: names)
            .map { "Did you mean {\($0)\(suffix)}? " } ?? ""
        return meant + "Known placeholders: " + names.map { "{\($0)}" }.joined(separator: " ")
    }
}
