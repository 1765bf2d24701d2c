// A protected tag in a file, which nfctool reads and changes

import Foundation
import Testing

/// A protected tag in a file, which counts the wrong passwords.
struct PasswordBench {
    static let right = "11223344"
    static let wrong = "55667788"

    let folder: String

    func run(
        _ arguments: [String], password: String? = nil, options: String = "", json: Bool = true,
        state: String? = nil
    ) async throws -> Outcome {
        let reader = "virtual:\(folder)/tag.nfc?kind=ntag213\(options)"
        var line =
            "nfctool '\(arguments.joined(separator: "' '"))'\(json ? " --json" : "") --reader '\(reader)'"
        if let password { line = "NFCTOOL_PASSWORD=\(password) \(line)" }
        if let state { line = "export XDG_STATE_HOME=\(folder)/\(state); \(line)" }
        return try await Tool.shell("cd \(folder); \(line)", in: folder)
    }

    /// Writes and protects the tag, by default on another computer.
    func protect(_ arguments: String..., state: String? = "other") async throws {
        #expect(try await run(["write", "--text", "one"]).status == 0)
        let outcome = try await run(
            ["protect", "--yes"] + arguments, password: Self.right, state: state)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Returns the number of wrong passwords that the chip counted, or nil if it does not count them.
    func count() throws -> Int? {
        let text = try String(contentsOfFile: folder + "/tag.nfc", encoding: .utf8)
        return text.firstMatch(of: /Failed authentication attempts: (\d+)/).flatMap { Int($0.1) }
    }

    static func with(_ body: (PasswordBench) async throws -> Void) async throws {
        try await Tool.withFolder { try await body(PasswordBench(folder: $0)) }
    }
}
