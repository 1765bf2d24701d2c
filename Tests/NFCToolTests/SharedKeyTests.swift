// One key that both verifies URLs and changes the tag: the commands that set a tag's keys report this

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct SharedKeyTests {
        private static let (key, other) = ("00112233445566778899AABBCCDDEEFF", "0F0E0D0C0B0A09080706050403020100")
        private static let warning =
            "Key 1 is the same as key 0, so everyone who can verify URLs can also change the tag."

        @Test(arguments: ["diversify = AN10922\n", ""])
        func keysAndSetUpSayThatKey1IsAlsoKey0(method: String) async throws {
            try await Tool.withFolder { folder in
                let file = "\(method)0 = \(Self.key)\n1 = \(Self.key)\n2 = \(Self.other)\n"
                try file.write(toFile: folder + "/keys", atomically: true, encoding: .utf8)
                let options = ["--key-file", "keys", "--reader", "virtual:s.nfc?kind=ntag424", "--yes"]
                let changed = try await Tool.run(["sdm", "keys"] + options, in: folder)
                #expect(changed.status == 0 && changed.errors.contains(Self.warning), "\(changed.errors)")
                #expect(changed.errors.contains("Unchanged: keys 3, 4."), "\(changed.errors)")
                let template = "https://example.com/t?e={picc}&c={mac}"
                let setUp = try await Tool.run(["sdm", "setup", template] + options, in: folder)
                #expect(setUp.status == 0 && setUp.errors.contains(Self.warning), "\(setUp.errors)")
            }
        }

        @Test func aDryRunOfAPlanSaysSoToo() async throws {
            try await Tool.withFolder { folder in
                let file = "0 = \(Self.key)\n1 = \(Self.key)\n2 = \(Self.other)\n"
                try file.write(toFile: folder + "/keys", atomically: true, encoding: .utf8)
                try "id\n1\n".write(toFile: folder + "/plan.csv", atomically: true, encoding: .utf8)
                let shown = try await Tool.run(
                    "provision", "run", "plan.csv", "--sdm", "https://example.com/{id}?e={picc}&c={mac}", "--key-file",
                    "keys", "--dry-run", in: folder)
                #expect(shown.status == 0 && shown.errors.contains(Self.warning), "\(shown.errors)")
            }
        }
    }
}
