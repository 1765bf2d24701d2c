// A shell command for each tag: it gets the event on stdin and facts in its environment, and its text never contains
// tag data — Docs/CommandLine.md

import SafeTag
import TagFeed
import Terminal

struct TagCommand {
    private let command: ShellCommand

    /// Prepares a shell command.
    ///
    /// With `printsOnStandardError`, its output goes to stderr. With `--json` and `--format csv`, stdout contains only
    /// events.
    init(_ text: String, printsOnStandardError: Bool) {
        command = ShellCommand(text, printsOnStandardError: printsOnStandardError)
    }

    /// Runs the command with `/bin/sh -c`, and waits until it ends.
    ///
    /// If the task is cancelled, the command is terminated.
    ///
    /// - Parameters:
    ///   - reading: the tag.
    ///   - event: the event that is written to the command's stdin.
    ///   - variables: the environment variables that the command gets in addition to the facts about the tag.
    /// - Returns: how the command failed, as a clause, or nil if it succeeded.
    /// - Throws: `ShellCommand.NotStarted` if there is no shell to run it.
    func run(with reading: TagReading, event: some Encodable, variables: [String: String]) async throws -> String? {
        // The log level in the environment of this process applies only to libnfc in this process.
        try await command.run(
            input: try JSONLine.string(event) + "\n", variables: variables.merging(Self.facts(reading)) { $1 },
            removing: ["LIBNFC_LOG_LEVEL"])
    }

    private static func facts(_ reading: TagReading) -> [String: String] {
        let tag = TagSummary(reading)
        return [
            "NFC_UID": tag.uid, "NFC_CHIP": tag.chip, "NFC_URI": tag.uri, "NFC_TEXT": tag.text, "NFC_TYPE": tag.type,
        ]
    }
}

extension ShellCommand.NotStarted: Failure {
    var name: ErrorName { .internal }
    var message: String { "The command could not be started: \(reason)" }
}
