// Runs a program on an emulated USB bus — Tests/USBLauncher

public import Foundation
import Glibc
import VirtualPN532

/// A USB bus that exists only for the program that runs on it.
public struct USBBus: Sendable {
    /// The readers, counted from 0 in faults and commands.
    public let readers: [EmulatedReader]
    /// Faults from the start, `[N:]NAME[=VALUE]`: Tests/USBLauncher/Faults.h.
    public var faults: [String]
    /// The user who runs the program and owns the bus.
    ///
    /// Only root can set one. Nil for the user of this process. Root itself ignores the permissions of nodes.
    public var user: String?
    /// Changes to the program's environment, in which nil removes a variable.
    public var environment: [String: String?]
    /// The time limit in whole seconds, after which the program is ended with status 124.
    public var timeLimit: Int

    /// Describes a bus, which exists only during ``run(_:input:while:)``.
    public init(
        _ readers: [EmulatedReader], faults: [String] = [], user: String? = nil, environment: [String: String?] = [:],
        timeLimit: Int = 30
    ) {
        (self.readers, self.faults, self.user) = (readers, faults, user)
        (self.environment, self.timeLimit) = (environment, timeLimit)
    }

    /// The outcome of a run.
    public struct Outcome: Sendable {
        /// The exit code.
        ///
        /// It is 128 + n after signal n, and 124 after the time limit.
        public let status: Int32
        /// The program's output.
        public let output: String
        /// The program's output on stderr.
        public let errors: String
        /// The commands and events of each reader until the end.
        public let log: [USBReaderLog]
        /// The time from start to end.
        public let duration: Duration
    }

    /// The folder of the build products, which contains the launcher and the test program.
    public static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments. The program is a path, or a name in the build products or in PATH.
    ///   - input: the program's standard input.
    ///   - body: an action to perform while the program runs. If it throws, the program is ended.
    /// - Returns: the outcome, at most a few seconds after ``timeLimit``.
    /// - Throws: the error of `body`, or an error of Foundation if the program cannot be started.
    public func run(
        _ command: [String], input: String = "", while body: (RunningProgram) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "usb-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The program may run as any user, and the launcher writes its report into this folder.
        chmod(folder.path, 0o777)
        let program = try RunningProgram(folder: folder, input: input)
        let process = Process()
        process.executableURL = Self.products.appending(path: "USBLauncher")
        process.arguments = arguments(command, folder)
        process.environment = merged()
        process.standardInput = try FileHandle(forReadingFrom: program.file("input"))
        process.standardOutput = try FileHandle(forWritingTo: program.file("output"))
        process.standardError = try FileHandle(forWritingTo: program.file("errors"))
        let begin = ContinuousClock.now
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        program.process = process.processIdentifier
        do {
            try await body(program)
        } catch {
            program.send(SIGTERM)
            for await _ in ends {}
            throw error
        }
        for await _ in ends {}
        let log = try? Data(contentsOf: program.file("log"))
        return Outcome(
            status: process.terminationStatus, output: program.output, errors: program.errors,
            log: try log.map { try JSONDecoder().decode([USBReaderLog].self, from: $0) } ?? [],
            duration: ContinuousClock.now - begin)
    }

    private func arguments(_ command: [String], _ folder: URL) -> [String] {
        var arguments = [
            "--reader", readers.map(\.argument).joined(separator: ","),
            "--chip", readers.map(\.chip.path).joined(separator: ","),
            "--control", folder.appending(path: "control").path,
            "--log", folder.appending(path: "log").path,
            "--timeout", String(timeLimit),
        ]
        for fault in faults { arguments += ["--fault", fault] }
        if let user { arguments += ["--user", user] }
        return arguments + ["--"] + command
    }

    private func merged() -> [String: String] {
        var result = ProcessInfo.processInfo.environment
        result["PATH"] = "\(Self.products.path):\(result["PATH"] ?? "/usr/bin:/bin")"
        for name in ["LIBNFC_DEVICE", "LIBNFC_LOG_LEVEL", "NFCTOOL_READER", "NFCTOOL_PASSWORD", "NO_COLOR", "COLUMNS"] {
            result[name] = nil
        }
        for (name, value) in environment { result[name] = value }
        return result
    }
}
