// The order of help: first the command's own options, then the shared options — Docs/CommandLine.md

import ArgumentParser

struct HelpText {
    static let shared = "Shared options"

    static let trace: ArgumentHelp = """
        Show the frames to and from tags on stderr; --trace=all adds libnfc's own lines. Passwords and keys are \
        hidden, the tag's content is not.
        """

    static let fast: ArgumentHelp = """
        Use up to 424 kbit/s with Type 4 Tags if the tag and the reader (a PN532) support it. PC/SC readers choose \
        the bit rate themselves.
        """

    static let secrets: ArgumentHelp = """
        Show Wi-Fi passwords in records (--json always does), keys of a MIFARE Classic, and passwords and keys in \
        --trace.
        """

    let text: String

    /// - Parameter text: the help by argument-parser, with empty lines between its sections.
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

    /// Returns the arguments in which a request for the help of `provision` is replaced by one for the help of `run`.
    ///
    /// `run` is the default subcommand and has the options.
    static func arguments(_ arguments: [String]) -> [String] {
        switch arguments {
        case ["provision", "--help"], ["provision", "-h"], ["help", "provision"]: ["provision", "run", "--help"]
        default: arguments
        }
    }
}
