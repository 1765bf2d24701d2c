// More tags than the reader can distinguish — Docs/CommandLine.md, Tags

import Terminal

/// The note that there are more tags in the field than a command could report.
enum MoreTags {
    /// The note to the user, printed after the tags that were found.
    static let note = "More tags are on the reader than it can distinguish. Place fewer tags at a time."

    /// Prints the note, unless the user wants results only.
    static func tell(_ options: OutputOptions) {
        if !options.json, !options.quiet { StandardError.print("nfctool: \(note)\n") }
    }
}
