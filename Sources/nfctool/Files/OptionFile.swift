// The file that an option names — Docs/ExitCodes.md, 64 and 65

import Composing
import Foundation

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
            if resemblesSecret, access(path, F_OK) != 0, errno == ENOENT { throw SecretAsFile(option: option) }
            throw UnreadableOptionFile(option: option, error: .unreadable(source: source, reason: reason))
        }
    }

    /// Whether the path looks like a password or a key.
    private var resemblesSecret: Bool {
        // A password, a key of a MIFARE Classic, a password with PACK, or an AES key.
        [8, 12, 13, 32].contains(path.count) && path.allSatisfy { $0.isHexDigit || $0 == ":" }
    }
}

/// A password or key was given in place of the file that contains it.
///
/// The message never repeats it.
struct SecretAsFile: Failure, AdvisedError {
    let option: String
    var name: ErrorName { .usage }
    var message: String {
        "\(option) takes the name of a file that contains the password or key, not the password or key itself."
    }
    var advice: String? {
        "Other users of this computer can see the arguments of a command. Write the password or key into a file."
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
