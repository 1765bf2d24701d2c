// The shell lines of Docs/Cookbook.md, unchanged

import Foundation
import Testing

extension BuiltBinaryDocumentation {
    @Suite struct CookbookTests {
        private static let text: String = {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return (try? String(contentsOf: root.appending(path: "Docs/Cookbook.md"), encoding: .utf8)) ?? ""
        }()

        /// The lines that begin with `$ ` in the console code blocks, in order.
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
                // Programs that communicate with servers store here what they would send.
                for name in ["curl", "mosquitto_pub"] {
                    let program =
                        "mkdir -p bin; printf '#!/bin/sh\\ncat > %s.sent\\n' \(name) > bin/\(name); chmod +x bin/\(name)"
                    _ = try await Tool.shell(program, in: folder)
                }
                for line in Self.lines {
                    let outcome = try await Tool.shell("set -o pipefail; PATH=$PWD/bin:$PATH; " + line, in: folder)
                    #expect(outcome.status == 0, "\(line)\n\(outcome.output)\(outcome.errors)")
                }
                for name in ["curl", "mosquitto_pub"] {
                    let sent = try Outcome.object(String(contentsOfFile: "\(folder)/\(name).sent", encoding: .utf8))
                    #expect(sent["uid"] as? String == "04A1B2C3D4E580")
                }
            }
        }
    }
}
