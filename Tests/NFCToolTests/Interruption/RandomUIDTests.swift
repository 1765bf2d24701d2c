// A tag that leaves during a write and comes back with another random UID

import Foundation
import Testing

extension BuiltBinaryRadio {
    @Suite struct RandomUIDTests {
        @Test("A tag whose UID changes is not awaited, and is not called a different tag")
        func isNotAwaited() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                #expect(try await Tool.run("read", "--reader", "virtual:\(path)?kind=ntag424").status == 0)
                let fixed = try String(contentsOfFile: path, encoding: .utf8)
                let random = fixed.replacingOccurrences(of: "Random ID: false", with: "Random ID: true")
                try #require(random != fixed)
                var interruptions = 0
                for loss in 12...24 {
                    try random.write(toFile: path, atomically: true, encoding: .utf8)
                    let outcome = try await Tool.run(
                        [
                            "write", "--uri", "https://example.com", "--timeout", "20s",
                            "--reader", "virtual:\(path)?loss=\(loss)&back=20ms",
                        ], in: folder)
                    guard outcome.status != 0, outcome.errors.contains("changes each time") else { continue }
                    #expect(outcome.status == 75)
                    #expect(!outcome.errors.contains("other tags") && !outcome.errors.contains("nfctool recover"))
                    #expect(outcome.errors.contains("run the command again"), "\(outcome.errors)")
                    interruptions += 1
                }
                #expect(interruptions > 0)
            }
        }
    }
}
