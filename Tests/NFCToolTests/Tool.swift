// Runs the built nfctool, and other programs, as a user would

import Chance
import Foundation
import Subprocess
import SystemPackage

struct Outcome: Sendable {
    /// The exit code, or the negative number of the signal that ended the program.
    let status: Int32
    let output: String
    let errors: String

    /// Returns the object on a line of the output.
    func json(line: Int = 0) throws -> [String: Any] {
        let lines = output.split(separator: "\n")
        guard lines.indices.contains(line) else { throw UnexpectedEnd(output: output, errors: errors) }
        return try Self.object(String(lines[line]))
    }

    /// Returns the objects on all lines of the output.
    func jsonLines() throws -> [[String: Any]] { try output.split(separator: "\n").map { try Self.object(String($0)) } }

    /// Returns the failure object, which is the last object on stderr.
    func failure() throws -> [String: Any] {
        try Self.object(errors.split(separator: "\n").last.map(String.init) ?? "")
    }

    static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
}

/// A program ended, or took too long, before it printed the expected output.
struct UnexpectedEnd: Error {
    let output: String
    let errors: String
}

enum Tool {
    /// The folder of the build products, which also contains the test program.
    static let products = FilePath(CommandLine.arguments[0]).removingLastComponent()
    private static let limit = 1 << 20

    static func run(_ arguments: String..., input: String = "", in folder: String? = nil) async throws -> Outcome {
        try await run(arguments, input: input, in: folder)
    }

    static func run(_ arguments: [String], input: String = "", in folder: String? = nil) async throws -> Outcome {
        try await run(.path(products.appending("nfctool")), arguments.map(paced), input: input, in: folder)
    }

    /// Returns a `virtual:` reader with the latency of the test, and any other reader unchanged.
    private static func paced(_ argument: String) -> String {
        guard RealLatency.isOn, argument.hasPrefix("virtual:"), !argument.contains("latency=") else { return argument }
        return argument + (argument.contains("?") ? "&" : "?") + "latency=real"
    }

    /// Runs a shell line with nfctool in its path.
    static func shell(_ line: String, in folder: String? = nil) async throws -> Outcome {
        try await run(.path("/bin/bash"), ["-c", line], input: "", in: folder)
    }

    private static func run(
        _ program: Executable, _ arguments: [String], input: String, in folder: String?
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            program, arguments: Arguments(arguments), environment: environment(state: folder),
            workingDirectory: folder.map { FilePath($0) }, input: .string(input), output: .string(limit: limit),
            error: .string(limit: limit))
        return Outcome(
            status: status(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    }

    /// Runs nfctool in parallel with the test.
    ///
    /// `body` must make it end, usually with a signal.
    static func start(
        _ arguments: [String], in folder: String? = nil, _ body: (RunningTool) async throws -> Void
    ) async throws -> Outcome {
        try await start(.path(products.appending("nfctool")), arguments, in: folder, body)
    }

    /// Runs a shell line that ends with `exec nfctool …` in parallel with the test.
    static func startShell(
        _ line: String, in folder: String, _ body: (RunningTool) async throws -> Void
    ) async throws -> Outcome {
        try await start(.path("/bin/bash"), ["-c", line], in: folder, body)
    }

    private static func start(
        _ program: Executable, _ arguments: [String], in folder: String?, _ body: (RunningTool) async throws -> Void
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            program, arguments: Arguments(arguments),
            environment: environment(state: folder), workingDirectory: folder.map { FilePath($0) }, input: .none,
            output: .sequence, error: .string(limit: limit)
        ) { execution in
            let tool = RunningTool(
                process: execution.processIdentifier.value,
                lines: execution.standardOutput.strings(separatedBy: .lineBreaks).makeAsyncIterator())
            do {
                try await body(tool)
            } catch {
                tool.send(SIGKILL)
                throw error
            }
            return tool.output
        }
        return Outcome(
            status: status(result.terminationStatus), output: result.closureResult, errors: result.standardError)
    }

    /// A folder for one test, which is removed at its end.
    static func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }

    /// Returns this process's environment without the variables that would change nfctool's output or its reader.
    ///
    /// The journal of writes is kept in `folder`, or in a new place each time if it is nil.
    private static func environment(state folder: String?) -> Environment {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return .inherit.updating([
            "PATH": "\(products):\(path)", "NFCTOOL_READER": nil, "NFCTOOL_PASSWORD": nil, "LIBNFC_DEVICE": nil,
            "LIBNFC_LOG_LEVEL": nil,
            "NO_COLOR": nil, "COLUMNS": nil,
            "XDG_STATE_HOME": folder ?? FileManager.default.temporaryDirectory.path + "/nfctool-\(UUID().uuidString)",
        ])
    }

    private static func status(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let number): -number
        }
    }
}

final class RunningTool {
    let process: pid_t
    private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator
    private(set) var output = ""

    init(process: pid_t, lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator) {
        self.process = process
        self.lines = lines
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Returns the next line that meets the condition.
    func line(where condition: (String) -> Bool) async throws -> String {
        while let line = try await lines.next() {
            output += line
            if condition(line) { return line.trimmingCharacters(in: .newlines) }
        }
        throw UnexpectedEnd(output: output, errors: "")
    }
}
