// Runs the built nfctool, and other programs, as a user would

import Foundation
import Synchronization

/// A finished program.
struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// The object on a line of the output.
    func json(line: Int = 0) throws -> [String: Any] {
        let lines = output.split(separator: "\n")
        guard lines.indices.contains(line) else { throw MissingLine(output: output, errors: errors) }
        return try JSONSerialization.jsonObject(with: Data(lines[line].utf8)) as? [String: Any] ?? [:]
    }

    /// The failure object on stderr.
    func failure() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any] ?? [:]
    }
}

struct MissingLine: Error {
    let output: String
    let errors: String
}

/// The programs under test.
enum Tool {
    /// The folder of the build products, where the test program itself lies.
    static let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// Runs nfctool.
    static func run(
        _ arguments: String..., input: String? = nil, environment: [String: String] = [:], in folder: URL? = nil
    ) throws -> Outcome {
        try Program(products.appending(path: "nfctool"), arguments, input: input, environment: environment, in: folder)
            .outcome()
    }

    /// Runs a line of shell with nfctool in its path.
    static func shell(_ line: String, environment: [String: String] = [:], in folder: URL) throws -> Outcome {
        try Program(
            URL(fileURLWithPath: "/bin/bash"), ["-c", line], input: nil, environment: environment, in: folder
        ).outcome()
    }

    /// A folder for one test, taken away at its end.
    static func withFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}

/// A program that runs; it is ended when it takes longer than a minute, so that a hang is a failure.
final class Program: Sendable {
    private let process = Process()
    private let output = Mutex(Data())
    private let errors = Mutex(Data())
    private let readers = DispatchGroup()

    init(
        _ executable: URL, _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
        in folder: URL? = nil
    ) throws {
        process.executableURL = executable
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("LIBNFC_") && !["NFCTOOL_READER", "NO_COLOR", "COLUMNS"].contains($0.key)
        }
        variables["PATH"] = "\(Tool.products.path):\(variables["PATH"] ?? "/usr/bin:/bin")"
        process.environment = variables.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let (inputPipe, outputPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input == nil ? FileHandle.nullDevice : inputPipe
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        collect(outputPipe) { data in self.output.withLock { $0 += data } }
        collect(errorPipe) { data in self.errors.withLock { $0 += data } }
        try process.run()
        if let input {
            try? inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? inputPipe.fileHandleForWriting.close()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak process] in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    private func collect(_ pipe: Pipe, _ add: @escaping @Sendable (Data) -> Void) {
        readers.enter()
        pipe.fileHandleForReading.readabilityHandler = { [readers] handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return readers.leave()
            }
            add(data)
        }
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits until the output holds a line for which the condition is true, and returns it.
    func line(where condition: (String) -> Bool) throws -> String {
        while true {
            let text = output.withLock { String(decoding: $0, as: UTF8.self) }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { condition(String($0)) }) { return String(line) }
            guard process.isRunning else {
                throw MissingLine(output: text, errors: errors.withLock { String(decoding: $0, as: UTF8.self) })
            }
            usleep(2_000)
        }
    }

    /// Waits for the end.
    func outcome() throws -> Outcome {
        process.waitUntilExit()
        readers.wait()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: output.withLock { String(decoding: $0, as: UTF8.self) },
            errors: errors.withLock { String(decoding: $0, as: UTF8.self) })
    }
}
