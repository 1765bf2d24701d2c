// What people and scripts see, pinned: each file in Golden/ is a shell line and all that comes of it
//
// NFCTOOL_UPDATE_GOLDEN=FOLDER writes the files anew into FOLDER: look at `git diff` before you commit them.

import Foundation
import Testing

@Suite struct GoldenTests {
    static let names: [String] = {
        let files = Bundle.module.urls(forResourcesWithExtension: "txt", subdirectory: "Golden") ?? []
        return files.map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }()

    @Test(arguments: names)
    func transcriptIsAsPinned(_ name: String) throws {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Golden"))
        let expected = try String(contentsOf: url, encoding: .utf8)
        let line = try #require(expected.split(separator: "\n").first?.dropFirst(2))
        let transcript = try Tool.withFolder { folder in
            Self.transcript(of: String(line), try Tool.shell(String(line), in: folder))
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
        // The pseudo-terminal's number is the one thing that differs from run to run.
        return text.replacing(/\/dev\/pts\/[0-9]+/, with: "/dev/pts/N")
    }
}
