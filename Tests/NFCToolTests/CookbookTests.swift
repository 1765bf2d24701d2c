// The lines of Docs/Cookbook.md, as they stand there

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct CookbookTests {
        private static let text: String = {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return (try? String(contentsOf: root.appending(path: "Docs/Cookbook.md"), encoding: .utf8)) ?? ""
        }()

        /// The lines that begin with `$ ` in blocks of the console, in order.
        private static let lines: [String] = {
            var isInside = false
            var lines: [String] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") { isInside = line == "```console" }
                if isInside, line.hasPrefix("$ ") { lines.append(String(line.dropFirst(2))) }
            }
            return lines
        }()

        @Test func everyLineOfTheCookbookRunsInItsOrder() async throws {
            #expect(Self.lines.count > 20)
            try await Tool.withFolder { folder in
                for line in Self.lines {
                    let outcome = try await Tool.shell("set -o pipefail; " + line, in: folder)
                    #expect(outcome.status == 0, "\(line)\n\(outcome.output)\(outcome.errors)")
                }
            }
        }
    }
}
