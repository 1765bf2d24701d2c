// Why a plan, or one of its rows, cannot be used — Docs/JSON.md, `badPlan`

public import Composing
public import ReaderInterface

/// Why a plan cannot be used, and where.
///
/// Texts may hold what stands in the file; who prints them escapes it.
public struct PlanError: Error, Hashable, Sendable {
    /// The line of the file, from 1; nil for the plan as a whole.
    public let line: Int?
    /// The column; nil where it is not known, or no column is to blame.
    public let column: String?
    /// What is wrong.
    public let reason: Reason

    /// Makes an error of its facts.
    public init(line: Int? = nil, column: String? = nil, _ reason: Reason) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The file cannot be opened or read.
        case unreadable(file: String, reason: String)
        /// It is a pipe or a device: what is read once cannot be read again by a run that goes on.
        case notAFile(String)
        /// Its name does not end as that of a plan.
        case unknownFormat(file: String)
        /// It has no header line, or no object.
        case empty
        /// There is nothing after the header.
        case noRows

        /// A row, or an object, goes on after this many bytes.
        case tooLong(limit: Int)
        /// The file is a spreadsheet, not text.
        case workbook
        /// The bytes are not UTF-8.
        case notUTF8
        /// The bytes are none of the encoding that was named, or that the file begins with.
        case notEncoded(PlanEncoding)
        /// The file begins with the byte order mark of another encoding than the one that was named.
        case otherEncoding(found: PlanEncoding, named: PlanEncoding)
        /// UTF-16 was named, but neither a byte order mark nor the first characters show the order of the bytes.
        case noByteOrderMark
        /// There is a NUL among the bytes.
        case nul

        /// A row has other fields than the header.
        case raggedRow(expected: Int, found: Int)
        /// A row has a value after the last column with a name; counted from 1.
        case valueWithoutColumn(Int)
        /// A quote stands in the middle of a field, or something follows the closing one.
        case misplacedQuote
        /// A quote is never closed; the line is where it was opened.
        case unterminatedQuote
        /// A carriage return is not followed by a line feed.
        case loneCarriageReturn

        /// The line is not a JSON object; the offset is counted in bytes of the line.
        case notJSON(offset: Int, expected: String)
        /// A value is an object or an array.
        case nestedValue

        /// Two columns have this name.
        case duplicateColumn(String)
        /// A column has no name; counted from 1.
        case unnamedColumn(Int)
        /// A column is named as something that the tool fills in.
        case reservedColumn(String)

        /// A range of numbers is none.
        case badRange(String, reason: String)
        /// The file changed while it was read.
        case changedMeanwhile
        /// A template of this option is not one.
        case badTemplate(RecordOption.Name, reason: String)
        /// The template of URLs that tags sign is invalid, or cannot be combined with another option.
        case badDynamic(String)
        /// A template names a column that there is not.
        case unknownColumn(RecordOption.Name, placeholder: String, known: [String])
        /// There is neither a record option nor a column named like one.
        /// The column is one that may be meant to be.
        case nothingToWrite(UnusedColumn?)
        /// Every cell of the row is empty.
        case emptyRow
        /// The cell is empty that a template of this option names.
        case emptyCell(RecordOption.Name)
        /// Every cell that could make a record is empty.
        case noRecord

        /// A setting has another value than it takes.
        case badSetting(value: String, expected: String)
        /// A password that is none; it is never repeated.
        case badPassword
        /// The row is to be protected, and there is no password.
        case noPassword
        /// What the row says makes no message.
        case record(RecordOptionError)
        /// What the row says makes a message that `ndef check` calls wrong: an error each, as a full sentence.
        case faulty([String])
        /// The message is longer than the chip holds.
        case tooLarge(needed: Int, capacity: Int, chip: String)
        /// The password is the one that every tag has when it is delivered.
        case deliveredPassword
        /// The tags get a password, and a column that seems to be meant to hold it is not used.
        case unusedPassword
        /// The name differs only by case, or by blanks around it, from one that does something.
        case otherCase(String)
    }
}

extension PlanError: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind {
        switch reason {
        case .badTemplate, .badDynamic, .nothingToWrite, .badRange: .usage
        default: .badFile
        }
    }

    /// What is wrong and what to do, in full sentences, after the place.
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
    /// What is wrong and what to do, in full sentences.
    public var message: String {
        switch self {
        case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
        case .notAFile(let file):
            "\(file) is not a file on a disk. A run that continues later reads the plan again: save it, and name the "
                + "file."
        case .unknownFormat(let file):
            "\(file) is not named as a plan. Name it .csv, .tsv, or .jsonl (.ndjson, .json) for a JSON object on each line."
        case .empty: "The plan is empty. It begins with a header line, or with a JSON object."
        case .noRows: "The plan has a header, but no row."
        case .tooLong(let limit):
            "The row is longer than \(limit) bytes. Look for a missing quote or line end."
        case .workbook:
            "The plan is a spreadsheet file, not text. Save it as CSV. Excel: File > Save As > CSV UTF-8 (Comma delimited). LibreOffice: File > Save As > Text CSV."
        case .notUTF8: "The bytes are not UTF-8. Save the plan as UTF-8, or name its encoding: --encoding windows-1252."
        case .notEncoded(let encoding): "The bytes are not \(encoding.name). Save the plan as UTF-8."
        case .otherEncoding(let found, let named):
            "The file begins like \(found.name), so it is not \(named.name). Leave --encoding out."
        case .noByteOrderMark:
            "The file has no byte order mark, so the order of its bytes is not known. Name it: --encoding utf-16le, as Windows writes it, or utf-16be."
        case .nul: "There is a NUL byte. Save the plan as UTF-8 text."
        case .raggedRow(let expected, let found):
            "The row has \(found) \(found == 1 ? "field" : "fields") but the header has \(expected). Quote fields that contain the separator."
        case .valueWithoutColumn(let number):
            "Column \(number) has a value here but no name in the header. Name it, or remove the value."
        case .misplacedQuote:
            "A quote is in the wrong place. Quote a field that contains a quote, and write that quote twice."
        case .unterminatedQuote: "The quote that opens here is never closed."
        case .loneCarriageReturn:
            "There is a carriage return without a line feed. Save the plan with line ends LF or CRLF."
        case .notJSON(let offset, let expected):
            "The line is not a JSON object. Expected at offset \(offset): \(expected)."
        case .nestedValue: "The value is an object or an array. Give a string, a number, true, false or null."
        case .duplicateColumn(let name): "Two columns are named \(name). Rename one."
        case .unnamedColumn(let number): "Column \(number) has no name. Give it one."
        case .reservedColumn(let name):
            "A column cannot be named \(name): {\(name)} is filled in by the tool. Rename the column."
        case .badRange(let range, let reason): "--range \(range): \(reason)"
        case .changedMeanwhile: "The plan was changed while it was read. Run the same command again."
        case .badTemplate(let option, let reason): "\(option.option): \(reason)"
        case .badDynamic(let reason): "\(DynamicRecipe.option): \(reason)"
        case .unknownColumn(let option, let placeholder, let known):
            "\(option.option): {\(placeholder)} is not a column. \(Self.advice(for: placeholder, among: known + Template.toolPlaceholders))"
        case .nothingToWrite(let column):
            (column.map { "The column \($0.name) is not used; did you mean \($0.meant ?? "")? " } ?? "")
                + "There is nothing to write. Give record options, such as --uri 'https://example.com/{id}', or name "
                + "columns like the options: uri, text, …"
        case .emptyRow: "Every cell of the row is empty. Remove the line."
        case .emptyCell(let option): "The cell is empty, and \(option.option) uses it. Fill it in, or remove the line."
        case .noRecord: "The row has nothing to write: no column such as uri or text has a value."
        case .badSetting(let value, let expected): "“\(value)” is not \(expected)."
        case .badPassword: "The value is not a password. Give \(PasswordText.form)."
        case .noPassword:
            "The row is to be protected, but there is no password. Give --password-file, or a column password."
        case .record(let error): error.message
        case .faulty(let errors): errors.joined(separator: " ")
        case .tooLarge(let needed, let capacity, let chip):
            "The message has \(needed) bytes, but \(chip) holds \(capacity)."
        case .deliveredPassword: "The password is the one that every tag is delivered with: it protects nothing."
        case .unusedPassword:
            "The column is not used, so the tags would get a different password. Name it password, or remove it."
        case .otherCase(let name):
            "The name differs from “\(name)” only in capital letters or spaces. Name it \(name), or something else."
        }
    }

    static func advice(for placeholder: String, among names: [String]) -> String {
        let meant = Spelling(placeholder).nearest(in: names).map { "Did you mean {\($0)}? " } ?? ""
        return meant + "There are: " + names.map { "{\($0)}" }.joined(separator: " ")
    }
}
