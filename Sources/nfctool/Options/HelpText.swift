// Help as people look for it: a command's own options first, the ones it shares with others last — Docs/CommandLine.md

import ArgumentParser

/// The help of a command, rearranged: argument-parser puts options with a heading of their own before the others.
struct HelpText {
    /// The heading of the options that many commands have.
    static let shared = "Shared options"

    /// What `--trace` does.
    static let trace: ArgumentHelp = """
        Show the frames to and from tags on stderr; --trace=all adds libnfc's own lines. Passwords and keys are hidden, what \
        the tag holds is not.
        """

    let text: String

    /// - Parameter text: as argument-parser makes it; sections have an empty line between them.
    init(_ text: String) {
        var sections = text.split(separator: "\n\n").map { section in
            String(section.last == "\n" ? section.dropLast() : section)
        }
        let heading = Self.shared.uppercased() + ":"
        let shared = sections.filter { $0.hasPrefix(heading) }
        sections.removeAll { $0.hasPrefix(heading) }
        let options = sections.firstIndex { $0.hasPrefix("OPTIONS:") }
        sections.insert(contentsOf: shared, at: options.map { $0 + 1 } ?? sections.count)
        self.text = sections.map { $0.replacing(" SUBCOMMANDS:\n", with: ":\n", maxReplacements: 1) }
            .joined(separator: "\n\n")
    }

    /// The arguments, with the default command of `provision` named where its help is wanted: the options are there.
    static func arguments(_ arguments: [String]) -> [String] {
        switch arguments {
        case ["provision", "--help"], ["provision", "-h"], ["help", "provision"]: ["provision", "run", "--help"]
        default: arguments
        }
    }
}
