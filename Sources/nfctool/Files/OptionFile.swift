// The file that an option names — Docs/ExitCodes.md, 64 and 65

import Composing

/// A file whose name is the value of an option, which errors name.
struct OptionFile {
    /// The option, such as `--key-file`.
    let option: String
    /// The path of the file, or `-` for standard input.
    let path: String

    /// Runs work that reads the file.
    ///
    /// - Throws: ``UnreadableOptionFile`` if the file cannot be read; any other error of the work.
    func reading<Content>(_ work: (InputFile) throws -> Content) throws -> Content {
        do { return try work(InputFile(path: path)) } catch InputError.unreadable(let source, let reason) {
            throw UnreadableOptionFile(option: option, error: .unreadable(source: source, reason: reason))
        }
    }
}

/// The file that an option names cannot be read.
struct UnreadableOptionFile: Failure, AdvisedError {
    let option: String
    let error: InputError
    var name: ErrorName { error.name }
    var message: String { "\(option): \(error.message)" }
    var advice: String? { FileAdvice.text(for: error) }
}
