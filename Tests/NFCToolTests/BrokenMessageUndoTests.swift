// A broken message that undo brings back — Docs/CommandLine.md, undo

import Foundation
import Testing

extension BuiltBinaryMemory {
    @Suite struct BrokenMessageUndoTests {
        @Test(arguments: [false, true])
        func undoSaysThatTheOldMessageWasBroken(asJSON: Bool) async throws {
            try await Tool.withFolder { folder in
                let reader = ["--reader", "virtual:tag.nfc"]
                let commands = [
                    ["write", "--text", "nohome"], ["transceive", "A2040304D101"], ["write", "--text", "fix"],
                ]
                for command in commands {
                    let outcome = try await Tool.run(command + reader, in: folder)
                    #expect(outcome.status == 0, "\(command): \(outcome.errors)")
                }
                let undone = try await Tool.run(["undo"] + (asJSON ? ["--json"] : []) + reader, in: folder)
                #expect(undone.status == 0, "\(undone.errors)")
                if asJSON {
                    let json = try undone.json()
                    #expect(json["undone"] as? Bool == true)
                    #expect(json["verified"] as? Bool == true)
                    #expect(json["error"] as? String == "tagProtocol")
                    #expect(undone.errors.isEmpty)
                } else {
                    #expect(undone.output.contains("Undid the last write: 4 bytes on NTAG215"))
                    #expect(undone.output.contains("The tag's NDEF message is broken"))
                    #expect(undone.errors.contains("was already broken before the last write"))
                }
                #expect(try await Tool.run(["read"] + reader, in: folder).status == 76)
            }
        }
    }
}
