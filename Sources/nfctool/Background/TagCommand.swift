// A shell command per tag: event on stdin, facts in the environment, no tag data in its text — Docs/CommandLine.md

import SafeTag
import TagFeed
import Terminal

/// A command to run for a tag.
struct TagCommand {
    private let command: ShellCommand

    /// Prepares a shell command.
    ///
    /// `printsOnStandardError` sends its output to stderr: with `--json` and `--format csv`, stdout carries only
    /// events.
    init(_ text: String, printsOnStandardError: Bool) {
        command = ShellCommand(text, printsOnStandardError: printsOnStandardError)
    }

    /// Runs the command with `/bin/sh -c` and waits until it ends; cancelling the task ends the command.
    ///
    /// - Parameters:
    ///   - reading: the tag.
    ///   - event: the event that the command reads from stdin.
    ///   - variables: its environment variables besides the facts of the tag.
    /// - Returns: how the command ended, as a clause; nil for success.
    /// - Throws: `ShellCommand.NotStarted` if there is no shell to run it.
    func run(with reading: TagReading, event: some Encodable, variables: [String: String]) async throws -> String? {
        // The log level in this process's environment is only for its own libnfc.
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
