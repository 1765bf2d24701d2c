// The message that sdm setup replaces is shown before the change, and restored by undo

import Testing

extension BuiltBinaryMemory {
    @Suite struct SetUpUndoTests {
        private static let tag = ["--reader", "virtual:s.nfc?kind=ntag424"]
        private static let setUp = ["sdm", "setup", "https://example.com/?e={picc}&c={mac}"] + tag

        @Test("sdm setup shows the message that it replaces, and undo brings it back after sdm reset")
        func replacedMessageComesBack() async throws {
            try await Tool.withFolder { folder in
                let write = ["write", "--no-journal", "--text", "precious"] + Self.tag
                let written = try await Tool.run(write, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                let asked = try await Tool.run(Self.setUp, in: folder)
                #expect(asked.status == 64 && asked.errors.contains("precious"), "\(asked.errors)")
                let agreed = try await Tool.run(Self.setUp + ["--yes"], in: folder)
                #expect(agreed.status == 0, "\(agreed.errors)")
                // While the tag signs its URL, its message stays the same, and the stored message is kept.
                let early = try await Tool.run(["undo", "--yes"] + Self.tag, in: folder)
                #expect(early.status != 0 && early.errors.contains("sdm reset"), "\(early.errors)")
                let reset = try await Tool.run(["sdm", "reset", "--yes"] + Self.tag, in: folder)
                #expect(reset.status == 0, "\(reset.errors)")
                let undone = try await Tool.run(["undo"] + Self.tag, in: folder)
                #expect(undone.status == 0, "\(undone.errors)")
                let read = try await Tool.run(["read"] + Self.tag, in: folder)
                #expect(read.output.contains("precious"), "\(read.output)")
            }
        }

        /// The tag leaves while the message is written, and comes back only after the time limit of that write.
        @Test(arguments: [26, 28, 30]) func theOldMessageStaysKnownIfTheTagComesBackLate(tear: Int) async throws {
            try await Tool.withFolder { folder in
                let write = ["write", "--no-journal", "--text", "precious"] + Self.tag
                #expect(try await Tool.run(write, in: folder).status == 0)
                let late = Self.setUp.dropLast() + ["virtual:s.nfc?tear=\(tear)&back=3s", "--yes", "--timeout", "2s"]
                let setUp = try await Tool.run(Array(late), in: folder)
                #expect(setUp.status == 0, "\(setUp.errors)")
                let list = try await Tool.run(["undo", "--list"], in: folder)
                #expect(list.output.contains("precious"), "\(list.output) \(list.errors)")
            }
        }

        @Test("sdm setup of a tag that holds no message names none") func emptyTagLosesNothing() async throws {
            try await Tool.withFolder { folder in
                let asked = try await Tool.run(Self.setUp, in: folder)
                #expect(asked.status == 64 && !asked.errors.contains("It is kept"), "\(asked.errors)")
            }
        }
    }
}
