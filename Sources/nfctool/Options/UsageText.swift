// Usage errors by argument-parser in nfctool's style — Docs/ExitCodes.md, 64

import Composing
import Foundation

struct UsageText {
    let text: String

    /// Names that options have in other programs or had in earlier versions of nfctool.
    private static let otherNames = [
        "raw": "output", "out": "output", "password": "password-file", "pwd": "password-file", "limit": "count",
        "device": "reader", "port": "reader", "verbose": "trace", "debug": "trace", "csv": "format",
        "type-text": "keyboard", "language": "lang",
    ]

    /// The reasons why an option differs from the one that users expect.
    private static let reasons = [
        "--password-file": "It takes a file, because other users can see what is on the command line."
    ]

    /// - Parameters:
    ///   - message: the error, which may start with `Error: ` and end with the usage.
    ///   - arguments: the words of the command line.
    ///   - hasOption: whether the command has an option such as `--output`.
    init(_ message: String, _ arguments: [String] = [], hasOption: (String) -> Bool = { _ in false }) {
        let told = message.hasPrefix("Error: ") ? "nfctool: " + message.dropFirst("Error: ".count) : message
        // Argument-parser also suggests very different options, and it omits the period after some sentences.
        let right = told.replacing(/(Unknown option '--?([^']+)'\.) Did you mean '--?([^']+)'\?/) { match in
            let isNear = Spelling(String(match.2)).nearest(in: [String(match.3)]) != nil
            return isNear && Self.otherNames[String(match.2)] == nil ? String(match.0) : String(match.1)
        }
        // Without a suggestion, the sentence may end without a period.
        let meant = right.replacing(/Unknown option '--([^']+)'(?:\.(?! Did)|(?!\.))/) { match in
            guard let other = Self.otherNames[String(match.1)].map({ "--" + $0 }), hasOption(other) else {
                return String(match.0)
            }
            return "Unknown option '--\(match.1)'. Did you mean '\(other)'?"
                + (Self.reasons[other].map { " " + $0 } ?? "")
        }
        let records = meant.replacing(/Unexpected argument '([^']*)'\.?/) { match in
            if arguments.dropFirst().first == "help", match.1 == "help" {
                return "Unexpected argument 'help'.\n  For help:  nfctool help \(arguments[0])"
            }
            guard hasOption("--uri") else { return String(match.0) }
            if let option = Self.optionWithoutValue(before: String(match.1), in: arguments, hasOption) {
                return "The option \(option) has no value."
            }
            if arguments.first == "provision", FileManager.default.fileExists(atPath: String(match.1)) {
                return "Unexpected argument '\(match.1)'. A run takes one plan."
            }
            let isLink = match.1.contains("://") || ["mailto:", "tel:"].contains { match.1.hasPrefix($0) }
            let option = isLink ? "it as a link:  --uri" : "text:  --text"
            return "Unexpected argument '\(match.1)'.\n  To write \(option) '\(match.1)'"
        }
        // A short list of values is on the same line. A long list is on the lines below.
        let list = /The value '([^']*)' is invalid for '([^']*)'\.[^\n]*Please provide one of ([^\n]*(?:\n  - [^\n]*)*)/
        let known = records.replacing(list) { match in
            let below = match.3.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
            let values = below.isEmpty ? match.3.matches(of: /'([^']*)'/).map { String($0.1) } : below
            let gap = below.isEmpty ? " " : "\n"
            let near = Spelling(String(match.1)).nearest(in: values.filter { $0.count > 1 })
            if let near { return "\(match.0)\(gap)Did you mean '\(near)'?" }
            let isTemplate = match.1.contains("{") && match.2.hasPrefix("--type") && hasOption("--keyboard")
            return match.0 + (isTemplate ? gap + "To type text as a keyboard:  --keyboard" : "")
        }
        text = known.replacing(/^(nfctool: [^\n]*[^.:?\n])(?=\n)/) { "\($0.1)." }
    }

    /// Returns the record option that took the name of the next option as its value, so that the value of the next
    /// option is left over.
    private static func optionWithoutValue(
        before word: String, in arguments: [String], _ hasOption: (String) -> Bool
    ) -> String? {
        guard let place = arguments.firstIndex(of: word), place >= 2 else { return nil }
        let (record, next) = (arguments[place - 2], arguments[place - 1])
        let isRecord = RecordOption.Name.allCases.contains { $0.option == record }
        return isRecord && next.hasPrefix("--") && hasOption(next) ? record : nil
    }
}
