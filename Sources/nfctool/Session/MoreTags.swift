// More tags than the reader tells apart — Docs/CommandLine.md, Tags

import Terminal

/// The note that a field holds more tags than a command could report.
enum MoreTags {
    /// What a person is told after the tags that were found.
    static let note = "More tags are on the reader than it can tell apart. Place fewer tags at a time."

    /// Prints the note, unless the user wants results only.
    static func tell(_ options: OutputOptions) {
        if !options.json, !options.quiet { StandardError.print("nfctool: \(note)\n") }
    }
}
