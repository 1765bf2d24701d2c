// A program that works on a plan, started by a test: its output, line by line, and its end

import Foundation
import Subprocess
import SystemPackage

enum StationProcess {
    struct End: Sendable {
        /// The exit code or, if negative, the signal that ended the process.
        let status: Int32
        /// The last lines of its output, and its errors.
        let lastWords: String
    }

    private static let products = FilePath(CommandLine.arguments[0]).removingLastComponent()
    private static let limit = 1 << 20

    /// Returns the path of a program.
    ///
    /// `NFCTOOL_CAMPAIGN_TOOL` names an nfctool that was built in another way.
    private static func path(of program: String) -> FilePath {
        let other = ProcessInfo.processInfo.environment["NFCTOOL_CAMPAIGN_TOOL"]
        if program == "nfctool", let other { return FilePath(other) }
        return products.appending(program)
    }

    /// Runs a program of the build until it ends, and passes each line of its output to `hear`.
    ///
    /// The program runs with `niceness` (nice(1)) in `folder`, where nfctool also keeps its journal of writes.
    /// `started` receives the process ID.
    static func run(
        _ program: String, _ arguments: [String], niceness: Int = 0, in folder: String,
        started: @Sendable (pid_t) async -> Void = { _ in }, hear: @Sendable (String) async -> Void
    ) async throws -> End {
        let environment = Environment.inherit.updating([
            "PATH": "\(products):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            "NFCTOOL_READER": nil, "NFCTOOL_PASSWORD": nil, "LIBNFC_DEVICE": nil, "XDG_STATE_HOME": folder,
        ])
        let result = try await Subprocess.run(
            .path("/usr/bin/nice"),
            arguments: Arguments(["-n", "\(niceness)", path(of: program).string] + arguments), environment: environment,
            workingDirectory: FilePath(folder), input: .none, output: .sequence, error: .string(limit: limit)
        ) { execution in
            await started(execution.processIdentifier.value)
            var last: [String] = []
            for try await line in execution.standardOutput.strings(separatedBy: .lineBreaks) {
                let line = line.trimmingCharacters(in: .newlines)
                last = last.suffix(4) + [line]
                await hear(line)
            }
            return last
        }
        let status: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let number): -number
            }
        let words = result.closureResult + [result.standardError.trimmingCharacters(in: .whitespacesAndNewlines)]
        return End(status: status, lastWords: words.joined(separator: " | "))
    }
}
