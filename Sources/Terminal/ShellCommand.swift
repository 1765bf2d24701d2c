// A shell command that ends with the task that runs it — POSIX, sh -c

import Subprocess
import SystemPackage

package struct ShellCommand: Sendable {
    private let text: String
    /// Whether the command's standard output goes to this process's standard error.
    private let printsOnStandardError: Bool
    /// The maximum length of an environment variable in bytes, including its name.
    private static let longestVariable = 100_000

    package init(_ text: String, printsOnStandardError: Bool) {
        self.text = text
        self.printsOnStandardError = printsOnStandardError
    }

    /// Runs the command and waits until it ends.
    ///
    /// If the task is cancelled, the command is terminated.
    ///
    /// - Parameters:
    ///   - input: the command's standard input.
    ///   - variables: environment variables in addition to this process's. Values are truncated, because an environment
    ///     can contain neither NUL nor a value of 128 KiB.
    ///   - removed: the environment variables to remove.
    /// - Returns: how the command ended, as a clause, or nil for success.
    /// - Throws: ``NotStarted`` if the shell cannot be started.
    package func run(
        input: String, variables: [String: String], removing removed: [String]
    ) async throws -> String? {
        var options = PlatformOptions()
        // Use a separate process group, so that programs started by the shell also end.
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
            case .exited(let code): return "ended with exit code \(code)"
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

    package struct NotStarted: Error {
        package let reason: String
    }
}
