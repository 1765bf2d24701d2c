// The time in the JSON lines of commands that change tags and plans — Docs/JSON.md, Rules

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct LineTimeTests {
        private static func expectTimes(_ command: [String], lines count: Int, in folder: String) async throws {
            let outcome = try await Tool.run(command + ["--json"], in: folder)
            let lines = try outcome.jsonLines()
            #expect(lines.count == count, "\(command) \(outcome.output)\(outcome.errors)")
            for line in lines {
                let time = try #require(line["time"] as? String, "\(command) \(line)")
                #expect(time.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
            }
        }

        @Test func linesOfWritesHaveTheirTime() async throws {
            try await Tool.withFolder { folder in
                let write = ["write", "--uri", "https://example.com", "--reader"]
                // The second tag is skipped.
                let batch = "virtual:ntag213,type4-read-only,ntag215?stream&dwell=200ms"
                try await Self.expectTimes(write + [batch, "--count", "2"], lines: 3, in: folder)
                let tag = "virtual:tag.nfc?kind=ntag213"
                try await Self.expectTimes(write + [tag, "--dry-run"], lines: 1, in: folder)
                try await Self.expectTimes(write + [tag], lines: 1, in: folder)
                try await Self.expectTimes(["undo", "--reader", tag], lines: 1, in: folder)
                try await Self.expectTimes(["undo", "--forget", "--yes"], lines: 1, in: folder)
                try await Self.expectTimes(["erase", "--reader", tag], lines: 1, in: folder)
            }
        }

        @Test func linesOfPlansHaveTheirTime() async throws {
            try await Tool.withFolder { folder in
                let run = ["provision", "run", "--range", "1-2", "--uri", "https://example.com/{n}"]
                try await Self.expectTimes(run + ["--dry-run"], lines: 3, in: folder)
                let outcome = try await Tool.run(
                    run + ["--timeout", "500ms", "--reader", "virtual:ntag213"], in: folder)
                #expect(outcome.status == 75)
                let plan = ["--plan", "range-1-2.journal", "--yes"]
                try await Self.expectTimes(["provision", "release", "1"] + plan, lines: 1, in: folder)
                try await Self.expectTimes(["provision", "reset", "--all"] + plan, lines: 1, in: folder)
            }
        }
    }
}
