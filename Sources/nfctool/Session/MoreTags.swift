// The note that more tags are in the field than a command could report — Docs/CommandLine.md, Tags

import Terminal

enum MoreTags {
    static let note = "More tags are on the reader than it can distinguish. Place fewer tags at a time."

    static func tell(_ options: OutputOptions) {
        if !options.json, !options.quiet { StandardError.print("nfctool: \(note)\n") }
    }
}
