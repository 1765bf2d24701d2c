// --fast — Docs/Readers.md, Bit rates

import Testing

extension BuiltBinary {
    @Suite struct BitRateTests {
        private static let agreement = "424 kbit/s to the tag, 424 kbit/s from it"

        @Test(arguments: ["type4", "ntag424", "desfire"])
        func withTheOptionFastTypeFourTagsUseHigherBitRates(kind: String) async throws {
            let fast = try await Tool.run("info", "--fast", "--trace", "--reader", "virtual:\(kind)")
            #expect(fast.status == 0)
            #expect(fast.errors.contains(Self.agreement))
            let slow = try await Tool.run("info", "--trace", "--reader", "virtual:\(kind)")
            #expect(slow.status == 0)
            #expect(!slow.errors.contains("kbit/s"))
        }

        @Test(arguments: ["ntag215", "type4b", "passport", "type3"])
        func otherTagsWorkWithTheOptionFastAsWithoutIt(kind: String) async throws {
            let fast = try await Tool.run("info", "--fast", "--trace", "--reader", "virtual:\(kind)")
            #expect(fast.status == 0)
            #expect(!fast.errors.contains("kbit/s"))
        }

        @Test func aMessageIsWrittenAndReadThroughABadRadioAtHigherBitRates() async throws {
            try await Tool.withFolder { folder in
                let reader = ["--reader", "virtual:tag.nfc?kind=type4&noise=5%"]
                let text = String(repeating: "fast ", count: 100)
                let write = try await Tool.run(["write", "--fast", "--text", text] + reader, in: folder)
                #expect(write.status == 0, "\(write.errors)")
                let read = try await Tool.run(["read", "--fast"] + reader, in: folder)
                #expect(read.status == 0, "\(read.errors)")
                #expect(read.output.contains("fast fast"))
            }
        }

        @Test func aPlanIsProvisionedAtHigherBitRates() async throws {
            try await Tool.withFolder { folder in
                let run = try await Tool.run(
                    "provision", "--range", "1-2", "--uri", "https://example.com/{n}", "--fast", "--trace", "--yes",
                    "--reader", "virtual:type4*2?stream", in: folder)
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.errors.contains(Self.agreement))
            }
        }
    }
}
