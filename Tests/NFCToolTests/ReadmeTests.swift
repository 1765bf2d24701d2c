// The shell lines of README.md, unchanged

import Foundation
import Testing

extension BuiltBinaryDocumentation {
    @Suite struct ReadmeTests {
        private static let text: String = {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return (try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)) ?? ""
        }()

        /// Lines that examine this machine, run until Ctrl-C, or need a second shell.
        ///
        /// Other tests run these commands.
        private static let omitted = [
            "nfctool doctor", "nfctool scan", "nfctool emulate", "nfctool read --reader 'virtual:?antenna",
        ]

        /// The shell lines that begin with nfctool, or that create a file for it, in order.
        private static let lines: [String] = {
            var isInside = false
            var lines: [String] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
                if line.hasPrefix("```") { isInside = line == "```sh" }
                let isRun = ["nfctool ", "printf ", "(echo "].contains { line.hasPrefix($0) }
                if isInside, isRun, !omitted.contains(where: { line.hasPrefix($0) }) { lines.append(line) }
            }
            return lines
        }()

        @Test func everyLineOfTheReadmeRunsInItsOrderWithVirtualTags() async throws {
            #expect(Self.lines.count > 24)
            try await Tool.withFolder { folder in
                // Not every machine has jq.
                _ = try await Tool.shell(
                    "mkdir bin; printf '#!/bin/sh\\ncat > jq.sent\\n' > bin/jq; chmod +x bin/jq", in: folder)
                for line in Self.lines {
                    // According to the README, lines without --reader use the virtual tag after this export.
                    let copies = line.hasPrefix("nfctool copy") ? ",ntag213*10?stream" : ""
                    let reader = "export NFCTOOL_READER='virtual:tag.nfc\(copies)'"
                    // Their comments say that they ask first. Without a terminal, only --yes answers.
                    let answered = ["provision release ", "nfctool lock "].reduce(line) { text, command in
                        text.replacing(command, with: command + "--yes ")
                    }
                    let outcome = try await Tool.shell(
                        "set -o pipefail; PATH=$PWD/bin:$PATH; \(reader); \(answered)", in: folder)
                    #expect(outcome.status == 0, "\(line)\n\(outcome.output)\(outcome.errors)")
                }
                let sent = try String(contentsOfFile: "\(folder)/jq.sent", encoding: .utf8)
                #expect(sent.contains(#""uri":"https://example.com""#), "\(sent)")
                let card = try await Tool.run("read", "--reader", "virtual:card.nfc", in: folder)
                #expect(card.output.contains("read-only") && card.output.contains("Ada Lovelace"), "\(card.output)")
            }
        }
    }
}
