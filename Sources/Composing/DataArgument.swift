// DATA in a record option: text, `@FILE`, `@-`, `hex:…` — CLI.md, Records

/// Reads the DATA of options; stdin only once.
struct DataArgument {
    private var hasReadStandardInput = false

    /// The bytes that DATA stands for.
    mutating func bytes(_ data: String, for name: RecordOption.Name) throws(RecordOptionError) -> [UInt8] {
        if data.hasPrefix("@") {
            let file = InputFile(path: String(data.dropFirst()))
            if file.path == "-" {
                guard !hasReadStandardInput else { throw .standardInputTwice }
                hasReadStandardInput = true
            }
            do {
                return try file.read()
            } catch {
                throw .input(error)
            }
        }
        guard data.hasPrefix("hex:") else { return Array(data.utf8) }
        do throws(HexTextError) {
            return try HexText.bytes(data.utf8.dropFirst(4))
        } catch {
            throw .badValue(name, reason: "What follows hex: is not hexadecimal text: \(error)")
        }
    }

    /// What DATA names, at the start of a sentence.
    static func source(_ data: String, for name: RecordOption.Name) -> String {
        data.hasPrefix("@") ? InputFile(path: String(data.dropFirst())).source : "The value of \(name.option)"
    }
}
