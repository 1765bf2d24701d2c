// Usage errors of argument-parser in nfctool's style — Docs/ExitCodes.md, 64

import Composing

/// Rewrites a usage error of argument-parser like nfctool's other errors.
struct UsageText {
    let text: String

    /// - Parameter message: the message, with or without a leading `Error: ` and the usage after it.
    init(_ message: String) {
        let told = message.hasPrefix("Error: ") ? "nfctool: " + message.dropFirst("Error: ".count) : message
        // Argument-parser suggests even very different options, and ends some sentences without a full stop.
        let right = told.replacing(/(Unknown option '--?([^']+)'\.) Did you mean '--?([^']+)'\?/) { match in
            let isNear = Spelling(String(match.2)).nearest(in: [String(match.3)]) != nil
            return isNear ? String(match.0) : String(match.1)
        }
        text = right.replacing(/^(nfctool: [^\n]*[^.:?\n])(?=\n)/) { "\($0.1)." }
    }
}
