// More tags on the reader than it can distinguish: every command reports this

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct CrowdTests {
        private static let crowd = ["--reader", "virtual:ntag213*12"]
        private static let note = "More tags are on the reader than it can distinguish."

        @Test(arguments: ["read", "info"]) func readingSaysThatThereAreMore(command: String) async throws {
            let text = try await Tool.run([command] + Self.crowd)
            #expect(text.status == 0)
            #expect(text.errors.contains(Self.note))
            let json = try await Tool.run([command, "--json"] + Self.crowd)
            #expect(json.status == 0)
            #expect(json.errors.isEmpty)
            let tags = try json.jsonLines()
            #expect(tags.count == 8)
            #expect(tags.allSatisfy { $0["more"] as? Bool == true })
        }

        @Test func scanSaysItOnce() async throws {
            let text = try await Tool.run(["scan", "--count", "8"] + Self.crowd)
            #expect(text.status == 0)
            #expect(text.errors.components(separatedBy: Self.note).count == 2)
            let json = try await Tool.run(["scan", "--json", "--count", "8"] + Self.crowd)
            #expect(try json.jsonLines().allSatisfy { $0["more"] as? Bool == true })
        }

        /// Time without polls does not count as absence.
        @Test func aTagStaysThereWhileTheScanStandsStill() async throws {
            try await Tool.withFolder { folder in
                let line = """
                    # As a real one, this chip goes on while the scan stands still in the middle of an exchange.
                    nfctool simulate --tag ntag213 --symlink chip > /dev/null & chip=$!
                    until [ -e chip ]; do sleep 0.05; done
                    nfctool scan --json --reader "pn532_uart:$PWD/chip" > events & scan=$!
                    until grep -q '"event":"tag"' events; do sleep 0.05; done
                    kill -STOP $scan; sleep 1.2; kill -CONT $scan; sleep 0.8
                    kill -INT $scan; wait $scan; kill $chip; wait $chip; cat events
                    """
                let events = try await Tool.shell(line, in: folder).jsonLines().compactMap { $0["event"] as? String }
                #expect(events == ["tag"])
            }
        }

        @Test(arguments: [["write", "--text", "hi"], ["erase", "--yes"], ["lock", "--yes"]])
        func changesAreRefused(command: [String]) async throws {
            let outcome = try await Tool.run(command + ["--json"] + Self.crowd)
            #expect(outcome.status == 78)
            let failure = try outcome.failure()
            #expect(failure["error"] as? String == "severalTags")
            #expect(failure["more"] as? Bool == true)
            #expect((failure["uids"] as? [String])?.count == 8)
            let message = try #require(failure["message"] as? String)
            #expect(message.hasPrefix("More tags are on the reader than it can distinguish"))
        }

        @Test func eightTagsAreAllThereAre() async throws {
            let json = try await Tool.run("read", "--json", "--reader", "virtual:ntag213*8")
            #expect(try json.jsonLines().count == 8)
            #expect(try json.jsonLines().allSatisfy { $0["more"] == nil })
        }
    }
}
