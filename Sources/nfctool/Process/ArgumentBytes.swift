// Command-line arguments that are not text — Unicode 16.0, 3.9 (replacement characters); POSIX, execve()

import Foundation
import Hexadecimal

/// The bytes of the command line.
enum ArgumentBytes {
    /// Refuses an argument that is not UTF-8.
    ///
    /// Swift would replace its invalid bytes by U+FFFD, and a tag would get another text than the one that was given.
    ///
    /// - Throws: ``ArgumentNotUTF8``.
    static func check() throws(ArgumentNotUTF8) {
        for index in 1..<max(Int(CommandLine.argc), 1) {
            guard let start = CommandLine.unsafeArgv[index] else { return }
            let bytes = UnsafeRawBufferPointer(start: start, count: strlen(start))
            if String(validating: bytes, as: UTF8.self) == nil { throw ArgumentNotUTF8(bytes: Array(bytes)) }
        }
    }
}

/// An argument that is not UTF-8.
struct ArgumentNotUTF8: Failure, AdvisedError {
    let bytes: [UInt8]
    var name: ErrorName { .usage }
    var message: String { "The argument \"\(String(decoding: bytes, as: UTF8.self))\" is not UTF-8 text." }
    var advice: String? {
        "Convert it, or use a terminal with UTF-8 (`locale charmap` shows the encoding). For other bytes, name a file: --mime TYPE=@FILE."
    }
}
