// The output that users and scripts see: each file in Golden/ contains a shell line and all its output
//
// NFCTOOL_UPDATE_GOLDEN=FOLDER writes the files again into FOLDER. Check `git diff` before you commit them.

import Foundation
import Testing

extension BuiltBinaryDocumentation {
    @Suite struct GoldenTests {
        static let folder = Bundle.module.resourceURL?.appending(path: "Golden").path ?? ""
        static let names: [String] = {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
        }()

        @Test(arguments: names)
        func transcriptIsAsPinned(_ name: String) async throws {
            let expected = try String(contentsOfFile: "\(Self.folder)/\(name).txt", encoding: .utf8)
            let line = try #require(expected.split(separator: "\n").first?.dropFirst(2))
            let transcript = try await Tool.withFolder { folder in
                Self.transcript(of: String(line), try await Tool.shell(String(line), in: folder))
            }
            if let folder = ProcessInfo.processInfo.environment["NFCTOOL_UPDATE_GOLDEN"] {
                try transcript.write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
            }
            #expect(transcript == expected)
        }

        @Test func thereAreTranscripts() { #expect(Self.names.count > 10) }

        private static func transcript(of line: String, _ outcome: Outcome) -> String {
            let text = """
                $ \(line)
                \(outcome.output)--- stderr
                \(outcome.errors)--- exit \(outcome.status)

                """
            // Only the pseudo-terminal's number and the time of an event differ from run to run.
            return text.replacing(/\/dev\/pts\/[0-9]+/, with: "/dev/pts/N").replacing(
                /(?m)^\d\d:\d\d:\d\d\b/, with: "HH:MM:SS"
            ).replacing(
                /"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, with: #""time":"TIME""#)
        }
    }
}
