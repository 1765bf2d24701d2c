// Lock bits of a dump: verified by their effect even if they are already set, and never reported as cleared

import Foundation
import Testing

extension BuiltBinaryRestores {
    @Suite struct RestoredLockTests {
        @Test(arguments: ["ntag213", "ntag203", "ultralight-c"]) func locksThatAreHeldAreProvedAndKept(
            kind: String
        ) async throws {
            try await Tool.withFolder { folder in
                func run(_ arguments: [String], on tag: String) async throws -> Outcome {
                    try await Tool.run(
                        arguments + ["--json", "--reader", "virtual:\(tag).nfc?kind=\(kind)"], in: folder)
                }
                #expect(try await run(["write", "--yes", "--text", "Hello"], on: "a").status == 0)
                #expect(try await run(["dump", "open.json"], on: "a").status == 0)
                #expect(try await run(["lock", "--yes"], on: "a").status == 0)
                #expect(try await run(["dump", "locked.json"], on: "a").status == 0)
                let again = try await run(["restore", "locked.json", "--lock-bits", "--otp", "--yes"], on: "a")
                #expect(again.status == 0, "\(again.errors)")
                #expect(try again.json()["lockVerified"] as? Bool != nil)
                let opened = try await run(["restore", "open.json", "--lock-bits", "--yes"], on: "a")
                #expect(opened.status == 0, "\(opened.errors)")
                #expect(Set(try opened.json()["kept"] as? [Int] ?? []).isSuperset(of: [2, 40]))
            }
        }

        @Test func accessBitsThatFreezeASectorAreShownAsPermanent() async throws {
            try await Tool.withFolder { folder in
                func run(_ arguments: [String], on tag: String) async throws -> Outcome {
                    try await Tool.run(
                        arguments + ["--json", "--reader", "virtual:\(tag).nfc?kind=classic1k-ndef"], in: folder)
                }
                #expect(try await run(["write", "--text", "Hello"], on: "a").status == 0)
                #expect(try await run(["lock", "--yes"], on: "a").status == 0)
                #expect(try await run(["dump", "locked.json"], on: "a").status == 0)
                #expect(try await run(["write", "--text", "Other"], on: "b").status == 0)
                let asked = try await run(["restore", "locked.json", "--configuration"], on: "b")
                #expect(asked.status == 64)
                let facts = try asked.failure()["facts"] as? [String] ?? []
                #expect(
                    facts.contains { $0.contains("access bits of sector 1") && $0.contains("blocks 4-6") }, "\(facts)")
                #expect(
                    facts.contains { $0.hasSuffix("cannot be undone.") || $0.hasSuffix("cannot undo it.") }, "\(facts)")
                // Keys are never shown.
                #expect(!facts.contains { $0.contains("FFFFFFFFFFFF") || $0.contains("D3F7D3F7D3F7") }, "\(facts)")
            }
        }
    }
}
