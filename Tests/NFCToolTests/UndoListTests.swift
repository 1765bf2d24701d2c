// The tags whose kept messages `undo --list` and `undo --forget` concern

import Testing

extension BuiltBinaryMemory {
    @Suite struct UndoListTests {
        /// A folder with a kept write to each of two tags.
        private static func withTwoTags(_ body: (String) async throws -> Void) async throws {
            try await Tool.withFolder { folder in
                let written = try await Tool.shell(
                    """
                    nfctool write -q --text a --reader 'virtual:a.nfc?kind=ntag213&serial=1'
                    nfctool write -q --text b --reader 'virtual:b.nfc?kind=ntag213&serial=2'
                    """, in: folder)
                #expect(written.status == 0, "\(written.errors)")
                try await body(folder)
            }
        }

        private static func listed(_ options: String..., in folder: String) async throws -> Set<String> {
            let outcome = try await Tool.run(["undo", "--list", "--json"] + options, in: folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return Set(try outcome.jsonLines().compactMap { $0["uid"] as? String })
        }

        @Test("undo --list shows the tag on the given reader, or else all tags") func list() async throws {
            try await Self.withTwoTags { folder in
                let all = try await Self.listed(in: folder)
                let first = try await Self.listed("--reader", "virtual:a.nfc", in: folder)
                let second = try await Self.listed("--reader", "virtual:b.nfc", in: folder)
                #expect(all.count == 2 && first.count == 1 && second.count == 1)
                #expect(first.union(second) == all)
                let none = try await Self.listed("--reader", "virtual:ntag216", in: folder)
                #expect(none.isEmpty)
            }
        }

        @Test("undo --forget deletes the messages of the tag on the given reader") func forget() async throws {
            try await Self.withTwoTags { folder in
                let second = try await Self.listed("--reader", "virtual:b.nfc", in: folder)
                let forgotten = try await Tool.run(
                    "undo", "--forget", "--yes", "--reader", "virtual:a.nfc", in: folder)
                #expect(forgotten.output.contains("Deleted the kept messages of 1 write."), "\(forgotten.errors)")
                let left = try await Self.listed(in: folder)
                #expect(left == second)
            }
        }
    }
}
