// The options that pass scanned tags on to other programs — Docs/CommandLine.md, scan

import ArgumentParser
import Foundation
import TagFeed

struct FeedOptions: ParsableArguments {
    /// How tags are printed if `--json` is not given.
    enum Format: String, CaseIterable, ExpressibleByArgument, Sendable {
        case text, csv
    }

    @Option(help: ArgumentHelp("How to print tags: text, or csv with one line per tag.", valueName: "format"))
    var format: Format = .text

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Append a line for each tag to this file: .csv or .jsonl.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Type this text for each tag, like a keyboard: '{uid}\\n'.", valueName: "template"))
    var keyboard: String?

    @Flag(help: "With --keyboard, print what would be typed, and type nothing.")
    var dryRun = false

    func check(_ options: OutputOptions) throws {
        if options.json, format == .csv { throw ValidationError("Give --json or --format csv, not both.") }
        if dryRun, keyboard == nil { throw ValidationError("--dry-run requires --keyboard.") }
        if dryRun, format == .csv {
            throw ValidationError("--dry-run prints what would be typed: leave out --format csv.")
        }
        if output != nil, isTable(options) == nil {
            throw ValidationError(
                "Cannot tell the format of --output from its name. Use .csv or .jsonl, or add --format csv or --json.")
        }
        do { _ = try template() } catch { throw ValidationError("--keyboard: \(error.reason)") }
    }

    /// Whether the file is a table, not JSON Lines, according to its name or the printed format.
    ///
    /// Nil if neither of them determines this.
    func isTable(_ options: OutputOptions) -> Bool? {
        switch URL(fileURLWithPath: output ?? "").pathExtension.lowercased() {
        case "csv": true
        case "json", "jsonl", "ndjson": false
        default: options.json ? false : format == .csv ? true : nil
        }
    }

    func template() throws(KeyTemplate.Problem) -> KeyTemplate? {
        guard let keyboard else { return nil }
        return try KeyTemplate(keyboard)
    }
}
