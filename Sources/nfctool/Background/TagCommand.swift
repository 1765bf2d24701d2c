// A shell command per tag: event on stdin, facts in the environment, no tag data in its text — Docs/CommandLine.md

import NDEF
import SafeTag
import Subprocess
import SystemPackage
import TagRules
import TagTypes
import Terminal

/// A command to run for a tag.
struct TagCommand {
    private let text: String
    /// Under `--json` stdout is for events alone.
    private let printsOnStandardError: Bool
    /// Bytes; its name is counted, too.
    private static let longestVariable = 100_000

    init(_ text: String, output: OutputOptions) {
        self.text = text
        printsOnStandardError = output.json
    }

    /// Runs the command with `/bin/sh -c` and waits for its end; cancelling the task ends the command.
    ///
    /// - Returns: how the command ended, a clause; nil for success.
    /// - Throws: ``CommandNotStarted`` when there is no shell to run it.
    func run(with reading: TagReading) async throws -> String? {
        try await run(with: reading, event: reading, variables: [:])
    }

    /// Runs the command with another event on its stdin, and more variables.
    func run(
        with reading: TagReading, event: some Encodable, variables: [String: String]
    ) async throws -> String? {
        var options = PlatformOptions()
        // A process group of its own: what the shell started ends with it.
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(300))
        ]
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", text], environment: environment(for: reading, variables),
                platformOptions: options,
                input: .fileDescriptor(
                    try .unnamedFile(holding: try JSONLine.string(event) + "\n"), closeAfterSpawningProcess: true),
                output: printsOnStandardError ? .currentStandardError : .currentStandardOutput,
                error: .currentStandardError)
            switch result.terminationStatus {
            case .exited(0): return nil
            case .exited(let code): return "ended with \(code)"
            case .signaled(let number): return "was ended by signal \(number)"
            }
        } catch {
            throw CommandNotStarted(reason: "\(error)")
        }
    }

    private func environment(for reading: TagReading, _ more: [String: String]) -> Environment {
        var variables = Dictionary(uniqueKeysWithValues: more.map { (Environment.Key(stringLiteral: $0), $1) })
        let facts: [Environment.Key: String] = [
            "NFC_UID": reading.uid, "NFC_CHIP": reading.name, "NFC_URI": reading.message.firstURI ?? "", "NFC_TEXT": "",
            "NFC_TYPE": TagDetection.tagType(of: reading.target).type.map { TagTypeReport(type: $0).text } ?? "",
        ]
        variables.merge(facts) { $1 }
        // The first counts.
        for record in reading.message.records.reversed() {
            if case .text(let content) = record.content { variables["NFC_TEXT"] = content.text }
        }
        // An environment holds neither NUL nor a text of 128 KiB, and a tag can. The log level is libnfc's, set by this process.
        let changes = variables.mapValues { value in
            String(decoding: value.utf8.prefix { $0 != 0 }.prefix(Self.longestVariable), as: UTF8.self) as String?
        }
        return .inherit.updating(changes).updating(["LIBNFC_LOG_LEVEL": nil])
    }
}

/// The shell could not be started.
struct CommandNotStarted: Failure {
    let reason: String
    var name: ErrorName { .internal }
    var message: String { "The command could not be started: \(reason)" }
}
