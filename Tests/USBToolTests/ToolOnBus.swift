// nfctool on an emulated USB bus: its output as scripts see it

import Foundation
import Testing
import USBBus

/// All tests that run nfctool on emulated buses, one after the other, because libnfc's time-outs are short on a busy
/// machine.
@Suite(.serialized) struct USBTool {}

extension USBBus.Outcome {
    /// The objects on the lines of the output.
    var events: [[String: Any]] { output.split(separator: "\n").compactMap { Self.object(String($0)) } }
    /// The failure on stderr, or nil if there is none.
    var failure: [String: Any]? { errors.split(separator: "\n").lazy.compactMap { Self.object(String($0)) }.first }
    /// The `error` name of the failure or, without a failure, of the first event that has one.
    ///
    /// Nil if there is none.
    var errorName: String? { failure?["error"] as? String ?? events.lazy.compactMap { $0["error"] as? String }.first }
    /// The message of the failure or, without a failure, of the first event that has one.
    ///
    /// Nil if there is none.
    var message: String? { failure?["message"] as? String ?? events.lazy.compactMap { $0["message"] as? String }.first }

    private static func object(_ line: String) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
}

extension USBBus {
    /// Runs nfctool with its own state folder and home.
    func nfctool(
        _ arguments: String..., while body: (RunningProgram) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await nfctool(arguments, while: body)
    }

    /// Runs nfctool with its own state folder and home.
    func nfctool(
        _ arguments: [String], while body: (RunningProgram) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "nfctool-usb-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        var bus = self
        for name in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"] where bus.environment[name] == nil {
            bus.environment[name] = folder.path
        }
        return try await bus.run(["nfctool"] + arguments, while: body)
    }
}

extension RunningProgram {
    /// Returns the number of output lines that contain this text.
    func lines(with text: String) -> Int { output.split(separator: "\n").count { $0.contains(text) } }
}
