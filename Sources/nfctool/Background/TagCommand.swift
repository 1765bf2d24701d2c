// A shell command per tag: event on stdin, facts in the environment, no tag data in its text — Docs/CommandLine.md

import NDEF
import SafeTag
import TagRules
import TagTypes
import Terminal

/// A command to run for a tag.
struct TagCommand {
    private let command: ShellCommand

    /// Under `--json` stdout is for events alone.
    init(_ text: String, output: OutputOptions) {
        command = ShellCommand(text, printsOnStandardError: output.json)
    }

    /// Runs the command with `/bin/sh -c` and waits for its end; cancelling the task ends the command.
    ///
    /// - Returns: how the command ended, a clause; nil for success.
    /// - Throws: `ShellCommand.NotStarted` when there is no shell to run it.
    func run(with reading: TagReading) async throws -> String? {
        try await run(with: reading, event: reading, variables: [:])
    }

    /// Runs the command with another event on its stdin, and more variables.
    func run(with reading: TagReading, event: some Encodable, variables: [String: String]) async throws -> String? {
        // The log level is libnfc's, set by this process.
        try await command.run(
            input: try JSONLine.string(event) + "\n", variables: variables.merging(Self.facts(reading)) { $1 },
            removing: ["LIBNFC_LOG_LEVEL"])
    }

    private static func facts(_ reading: TagReading) -> [String: String] {
        let texts = reading.message.records.lazy.compactMap { record in
            if case .text(let content) = record.content { content.text } else { nil }
        }
        return [
            "NFC_UID": reading.uid, "NFC_CHIP": reading.name, "NFC_URI": reading.message.firstURI ?? "",
            "NFC_TEXT": texts.first ?? "",
            "NFC_TYPE": TagDetection.tagType(of: reading.target).type.map { TagTypeReport(type: $0).text } ?? "",
        ]
    }
}

extension ShellCommand.NotStarted: Failure {
    var name: ErrorName { .internal }
    var message: String { "The command could not be started: \(reason)" }
}
