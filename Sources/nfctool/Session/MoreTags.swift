// The note about more tags than the reader can distinguish — Docs/CommandLine.md, Tags

import Terminal

/// The note that the field contains more tags than a command could report.
enum MoreTags {
    /// The text of the note, which is printed after the tags that were found.
    static let note = "More tags are on the reader than it can distinguish. Place fewer tags at a time."

    /// Prints the note, unless the user wants only results.
    static func tell(_ options: OutputOptions) {
        if !options.json, !options.quiet { StandardError.print("nfctool: \(note)\n") }
    }
}
