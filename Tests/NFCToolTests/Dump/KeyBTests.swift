// MIFARE Classic cards of which only key B is known

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct KeyBTests {
        private static let keyA = "0F1E2D3C4B5A"
        private static let keyB = "A1B2C3D4E5F6"
        private static let card = ["--reader", "virtual:card.nfc"]

        /// Creates an NDEF card with a text record, whose data sectors have their own keys and these access bits.
        private func withCard(access: String, _ body: (String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let new = ["--reader", "virtual:card.nfc?kind=classic1k-ndef"]
                #expect(try await Tool.run(["write", "--text", "behind a key"] + new, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "public.mct"] + new, in: folder).status == 0)
                let text = try String(contentsOfFile: folder + "/public.mct", encoding: .utf8)
                let own = text.replacing(
                    "D3F7D3F7D3F77F078840FFFFFFFFFFFF", with: "\(Self.keyA)\(access)40\(Self.keyB)")
                #expect(own != text)
                try own.write(toFile: folder + "/own.mct", atomically: true, encoding: .utf8)
                let restored = try await Tool.run(
                    ["restore", "own.mct", "--configuration", "--yes"] + Self.card, in: folder)
                #expect(restored.status == 0, "\(restored.errors)")
                try await body(folder)
            }
        }

        /// Either key reads and writes; either key reads and key B writes; key B reads and writes.
        @Test(arguments: ["7F0788", "787788", "0F00FF"])
        func keyBReadsAndWritesTheMessage(access: String) async throws {
            try await withCard(access: access) { folder in
                let closed = try await Tool.run(["write", "--text", "x"] + Self.card, in: folder)
                #expect(closed.status == 77 && closed.errors.contains("--key-file FILE"), "\(closed.errors)")
                let key = ["--key", Self.keyB] + Self.card
                let read = try await Tool.run(["read"] + key, in: folder)
                #expect(read.output.contains("behind a key"), "\(read.errors)")
                let write = try await Tool.run(["write", "--text", "written with key B"] + key, in: folder)
                #expect(write.status == 0, "\(write.errors)")
                #expect(try await Tool.run(["read"] + key, in: folder).output.contains("written with key B"))
                // Key A is unchanged.
                let whole = try await Tool.run(
                    ["dump", "whole.mct", "--key", Self.keyA] + key, in: folder)
                #expect(whole.status == 0 && !whole.errors.contains("missing from the dump"), "\(whole.errors)")
            }
        }

        /// The access bits at delivery: key B can be read, and gives no access.
        @Test func aKeyBThatCanBeReadIsNotEnough() async throws {
            try await withCard(access: "FF0780") { folder in
                let closed = try await Tool.run(
                    ["write", "--text", "x", "--json", "--key", Self.keyB] + Self.card, in: folder)
                #expect(closed.status == 77)
                #expect(try closed.failure()["error"] as? String == "passwordNeeded")
                let key = ["--key", Self.keyA] + Self.card
                #expect(try await Tool.run(["read"] + key, in: folder).output.contains("behind a key"))
            }
        }
    }
}
