// SECTOR SELECT is acknowledged by silence, for which a real chip waits 51.2 ms — NT3H2111/NT3H2211, 10.5

import Testing

extension BuiltBinary {
    @Suite struct SectorPaceTests {
        @Test(arguments: [
            ["read"], ["info"], ["write", "--text", "hi"], ["dump", "tag.json"], ["lock", "--yes", "--force"],
        ])
        func anNTAGI2C2kWorksAtTheReadersRealPace(command: [String]) async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.run(
                    command + ["--reader", "virtual:ntag-i2c-2k?latency=real"], in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
            }
        }

        @Test func bothSectorsAreRestoredAtTheReadersRealPace() async throws {
            try await Tool.withFolder { folder in
                let tag = "virtual:tag.nfc?kind=ntag-i2c-2k"
                let text = String(repeating: "0123456789", count: 184)
                for command in [["write", "--text", text], ["dump", "tag.json"], ["erase", "--wipe"]] {
                    let outcome = try await Tool.run(command + ["--reader", tag], in: folder)
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
                let restored = try await Tool.run(
                    "restore", "tag.json", "--reader", tag + "&latency=real", in: folder)
                #expect(restored.status == 0, "\(restored.errors)")
                #expect(try await Tool.run("read", "--reader", tag, in: folder).output.contains(text))
            }
        }
    }
}
