// The terminal while provision shows its board

import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct LiveScreenTests {
        @Test func whatIsTypedIsNotShownAndTheTerminalIsGivenBack() async throws {
            try await Tool.withFolder { folder in
                let run = try TerminalRun(
                    ["provision", "--range", "1-9", "--uri", "https://example.com/{n}", "--reader", "virtual:ntag213"],
                    in: folder)
                try await run.wait(for: "Remove it.")
                #expect(!run.showsTyping)
                run.type("scanned 4711\n")
                try await Task.sleep(for: .milliseconds(300))
                #expect(try await run.prints("9 of 9", within: .milliseconds(10)) == false)
                #expect(!run.output.contains("4711"))
                run.type("\u{3}")
                #expect(try await run.ended() == 130)
                #expect(run.showsTyping && !run.output.contains("4711"))
            }
        }
    }
}
