// Noise and foreign chips through the built tool: success or 75, and no verdict on the tag

import Testing

extension BuiltBinary {
    @Suite struct EvidenceTests {
        private static let message = "https://example.com/" + String(repeating: "a", count: 300)

        @Test(
            "Weak coupling costs no tag: reading and writing succeed",
            arguments: ["noise=5%&seed=1", "noise=20%&seed=2", "noise=50%&seed=3", "edge=80", "edge=200"])
        func weakCoupling(option: String) async throws {
            let reader = "virtual:ntag215?\(option)"
            for command in [["read"], ["info"], ["write", "--uri", Self.message]] {
                let outcome = try await Tool.run(command + ["--reader", reader])
                #expect(outcome.status == 0, "\(command) \(option): \(outcome.errors)")
            }
        }
    }
}
