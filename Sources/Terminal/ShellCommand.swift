// A shell command that ends with the task that runs it — POSIX, sh -c

import Subprocess
import SystemPackage

/// A command for `/bin/sh`.
package struct ShellCommand: Sendable {
    private let text: String
    /// Where its standard output goes: to this process's, or to its standard error.
    private let printsOnStandardError: Bool
    /// Bytes; its name is counted, too.
    private static let longestVariable = 100_000

    package init(_ text: String, printsOnStandardError: Bool) {
        self.text = text
        self.printsOnStandardError = printsOnStandardError
    }

    /// Runs the command and waits for its end; cancelling the task ends the command.
    ///
    /// - Parameters:
    ///   - input: its standard input.
    ///   - variables: what its environment has besides this process's. An environment holds neither NUL nor a text of 128 KiB:
    ///     values are cut.
    ///   - removed: what its environment does not have.
    /// - Returns: how the command ended, a clause; nil for success.
    /// - Throws: ``NotStarted`` when there is no shell to run it.
    package func run(
        input: String, variables: [String: String], removing removed: [String]
    ) async throws -> String? {
        var options = PlatformOptions()
        // A process group of its own: what the shell started ends with it.
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(300))
        ]
        do {
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", text], environment: environment(variables, removed),
                platformOptions: options,
                input: .fileDescriptor(try .unnamedFile(holding: input), closeAfterSpawningProcess: true),
                output: printsOnStandardError ? .currentStandardError : .currentStandardOutput,
                error: .currentStandardError)
            switch result.terminationStatus {
            case .exited(0): return nil
            case .exited(let code): return "ended with \(code)"
            case .signaled(let number): return "was ended by signal \(number)"
            }
        } catch {
            throw NotStarted(reason: "\(error)")
        }
    }

    private func environment(_ variables: [String: String], _ removed: [String]) -> Environment {
        var changes: [Environment.Key: String?] = [:]
        for (name, value) in variables {
            let bytes = value.utf8.prefix { $0 != 0 }.prefix(Self.longestVariable)
            changes[Environment.Key(stringLiteral: name)] = .some(String(decoding: bytes, as: UTF8.self))
        }
        for name in removed { changes[Environment.Key(stringLiteral: name)] = .some(nil) }
        return .inherit.updating(changes)
    }

    /// The shell could not be started.
    package struct NotStarted: Error {
        /// What the system says.
        package let reason: String
    }
}
