// What is wrong with a command line, in nfctool's words — Docs/ExitCodes.md, 64

import Composing

/// A message of argument-parser's about usage, told like every other failure.
struct UsageText {
    let text: String

    /// - Parameter message: with or without the `Error: ` at its beginning and the usage behind it.
    init(_ message: String) {
        let told = message.hasPrefix("Error: ") ? "nfctool: " + message.dropFirst("Error: ".count) : message
        // Argument-parser always finds a nearest option, however far, and ends some sentences without a full stop.
        let right = told.replacing(/(Unknown option '--?([^']+)'\.) Did you mean '--?([^']+)'\?/) { match in
            let isNear = Spelling(String(match.2)).nearest(in: [String(match.3)]) != nil
            return isNear ? String(match.0) : String(match.1)
        }
        text = right.replacing(/^(nfctool: [^\n]*[^.:?\n])(?=\n)/) { "\($0.1)." }
    }
}
