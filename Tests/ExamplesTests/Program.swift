// Runs the built examples, and the compiler

import Foundation
import Subprocess
import SystemPackage

enum Program {
    /// The folder of the build products, which also contains the test program itself.
    static let products = FilePath(CommandLine.arguments[0]).removingLastComponent()
    static let package = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
    private static let limit = 1 << 20

    struct Outcome: Sendable {
        let status: TerminationStatus
        let output: String
        let errors: String
    }

    /// Runs a built example to its end, with `NFCTOOL_READER` set to the reader.
    static func run(_ name: String, _ arguments: [String] = [], input: String = "", reader: String) async throws
        -> Outcome
    {
        try await run(.path(products.appending(name)), arguments, input: input, reader: reader)
    }

    static func run(
        _ program: Executable, _ arguments: [String], input: String = "", reader: String? = nil
    ) async throws -> Outcome {
        try await withFolder { state in
            let result = try await Subprocess.run(
                program, arguments: Arguments(arguments), environment: environment(reader, state: state),
                input: .string(input), output: .string(limit: limit), error: .string(limit: limit))
            return Outcome(
                status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
        }
    }

    /// Starts a built example, ends it when it has printed its first line, and returns this line.
    static func firstLine(of name: String, reader: String) async throws -> String? {
        try await withFolder { state in
            try await Subprocess.run(
                .path(products.appending(name)), environment: environment(reader, state: state), input: .none,
                output: .sequence, error: .discarded
            ) { execution in
                var lines = execution.standardOutput.strings(separatedBy: .lineBreaks).makeAsyncIterator()
                let line = try await lines.next()
                kill(execution.processIdentifier.value, SIGKILL)
                return line?.trimmingCharacters(in: .newlines)
            }.closureResult
        }
    }

    /// Starts a built example, passes its first line and its process to the body, and returns the rest of its output.
    static func start(
        _ name: String, reader: String, _ body: (String?, pid_t) async throws -> Void
    ) async throws -> Outcome {
        try await withFolder { state in
            let result = try await Subprocess.run(
                .path(products.appending(name)), environment: environment(reader, state: state), input: .none,
                output: .sequence, error: .string(limit: limit)
            ) { execution in
                var lines = execution.standardOutput.strings(separatedBy: .lineBreaks).makeAsyncIterator()
                try await body(lines.next()?.trimmingCharacters(in: .newlines), execution.processIdentifier.value)
                var rest = ""
                while let line = try await lines.next() { rest += line }
                return rest
            }
            return Outcome(
                status: result.terminationStatus, output: result.closureResult, errors: result.standardError)
        }
    }

    /// Returns this process's environment with this reader.
    ///
    /// The example looks for its reader's process as it does for a user. The folder `state` is where the program keeps
    /// its journals.
    private static func environment(_ reader: String?, state: FilePath) -> Environment {
        .inherit.updating(["NFCTOOL_READER": reader, "NFCTOOL_HOST": nil, "XDG_STATE_HOME": state.string])
    }

    /// Creates a folder for one test, and removes it when the test ends.
    static func withFolder<Value>(_ body: (FilePath) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(FilePath(folder.path))
    }
}
