// Prompts, hints and failures go to stderr; where that is closed or full, there is nobody left to tell

import Foundation

/// Where prompts and errors are printed.
package enum StandardError {
    /// Prints the text as it is.
    package static func print(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
