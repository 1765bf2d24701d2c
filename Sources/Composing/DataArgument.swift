// DATA in a record option: text, `@FILE`, `@-`, `hex:…` — CLI.md, Records

/// What DATA may be beside text; what is not among these is text, whatever it begins with.
public struct DataForms: OptionSet, Hashable, Sendable {
    /// `hex:…`.
    public static let hexText = DataForms(rawValue: 1)
    /// `@FILE`.
    public static let file = DataForms(rawValue: 2)
    /// `@-`; without it the name is an error where files are read.
    public static let standardInput = DataForms(rawValue: 4)
    /// What a command line may hold.
    public static let all: DataForms = [.hexText, .file, .standardInput]

    /// A bit for each form.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// Reads the DATA of options; stdin only once.
struct DataArgument {
    private var hasReadStandardInput = false

    /// The bytes that DATA stands for.
    mutating func bytes(_ data: String, of option: RecordOption) throws(RecordOptionError) -> [UInt8] {
        if option.data.contains(.file), data.utf8.first == UInt8(ascii: "@") {
            let file = InputFile(path: String(data.dropFirst()))
            if file.path == "-" {
                guard option.data.contains(.standardInput) else {
                    throw .badValue(option.name, reason: "The standard input cannot be read here. Use a file: @FILE")
                }
                guard !hasReadStandardInput else { throw .standardInputTwice }
                hasReadStandardInput = true
            }
            do {
                return try file.read()
            } catch {
                throw .input(error)
            }
        }
        guard option.data.contains(.hexText), data.utf8.starts(with: "hex:".utf8) else { return Array(data.utf8) }
        do throws(HexTextError) {
            return try HexText.bytes(data.utf8.dropFirst(4))
        } catch {
            throw .badValue(option.name, reason: "What follows hex: is not hexadecimal text: \(error)")
        }
    }

    /// What DATA names, at the start of a sentence.
    static func source(_ data: String, of option: RecordOption) -> String {
        option.data.contains(.file) && data.utf8.first == UInt8(ascii: "@")
            ? InputFile(path: String(data.dropFirst())).source : "The value of \(option.name.option)"
    }
}
