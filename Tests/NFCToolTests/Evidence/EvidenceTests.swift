// Noise and foreign chips through nfctool: success or exit code 75, and no verdict on the tag

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct EvidenceTests {
        private static let message = "https://example.com/" + String(repeating: "a", count: 300)

        @Test(
            "Reading and writing succeed with weak coupling",
            arguments: ["noise=5%&seed=1", "noise=20%&seed=2", "noise=50%&seed=3", "edge=80", "edge=200"])
        func weakCoupling(option: String) async throws {
            let reader = "virtual:ntag215?\(option)"
            for command in [["read"], ["info"], ["write", "--uri", Self.message]] {
                let outcome = try await Tool.run(command + ["--reader", reader])
                #expect(outcome.status == 0, "\(command) \(option): \(outcome.errors)")
            }
        }

        @Test(
            "Noise does not count as a wrong key of a MIFARE Classic",
            arguments: ["noise=95%&seed=3", "noise=95%&seed=8", "noise=80%&seed=7", "noise=80%&seed=2"])
        func classicKeys(option: String) async throws {
            try await Tool.withFolder { folder in
                let text = String(repeating: "a", count: 650)
                let written = try await Tool.run(
                    "write", "--text", text, "--reader", "virtual:card.nfc?kind=classic1k-ndef", in: folder)
                #expect(written.status == 0, "\(written.errors)")
                for command in [["read"], ["dump", "dump.json"]] {
                    let outcome = try await Tool.run(
                        command + ["--reader", "virtual:card.nfc?\(option)"], in: folder)
                    #expect([0, 75].contains(outcome.status), "\(command) \(option): \(outcome.errors)")
                }
            }
        }

        @Test(
            "A lost answer and a NAK while a password is set do not count as a wrong password",
            arguments: [(9, 10), (11, 12), (13, 14), (15, 16), (19, 20)])
        func nakToPassword(lost: Int, refused: Int) async throws {
            try await Tool.withFolder { folder in
                try "1A2B3C4D".write(toFile: folder + "/password", atomically: true, encoding: .utf8)
                let outcome = try await Tool.run(
                    "protect", "--yes", "--password-file", "password", "--reader",
                    "virtual:ntag213?crc=\(lost)&nak=\(refused)", in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
        }
    }
}
