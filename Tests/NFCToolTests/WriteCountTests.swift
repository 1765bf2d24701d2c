// write --count skips tags that cannot be written

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct WriteCountTests {
        private static let write = ["write", "--uri", "https://example.com", "--reader"]

        @Test func aTagThatCannotBeWrittenIsPassedOver() async throws {
            let reader = "virtual:ntag213,type4-read-only,ntag215?stream&dwell=200ms"
            let outcome = try await Tool.run(Self.write + [reader, "--count", "2"])
            #expect(outcome.status == 77)
            let lines = outcome.errors.split(separator: "\n")
            let uid = try #require(
                lines.first?.firstMatch(of: #/^nfctool: Skipped ([0-9A-F]+): The tag is read-only/#)?.1)
            #expect(lines.count == 2 && lines.last == "nfctool: 2 of 2 tags were finished. Skipped: \(uid).")
            #expect(outcome.output.split(separator: "Wrote ").count == 2)
        }

        @Test func whatIsMissingIsToldWhenNoMoreTagsCome() async throws {
            let reader = "virtual:type4-read-only,ntag213?stream&dwell=200ms"
            let outcome = try await Tool.run(Self.write + [reader, "--count", "2", "--timeout", "500ms"])
            #expect(outcome.status == 75)
            #expect(outcome.errors.contains("1 of 2 tags were finished. Skipped: "), "\(outcome.errors)")
        }

        @Test func oneTagThatCannotBeWrittenEndsTheCommandAtOnce() async throws {
            let outcome = try await Tool.run(Self.write + ["virtual:type4-read-only,ntag213?stream"])
            #expect(outcome.status == 77 && !outcome.errors.contains("kipped"))
        }

        @Test func aWriteThatIsCutOffEndsTheBatch() async throws {
            let reader = "virtual:ntag213,ntag215?stream&dwell=200ms&tear=8"
            let outcome = try await Tool.run(Self.write + [reader, "--count", "2", "--no-wait"])
            #expect(outcome.status == 75 && !outcome.errors.contains("kipped"), "\(outcome.errors)")
            #expect(outcome.errors.contains("0 of 2 tags were finished."))
        }
    }
}
