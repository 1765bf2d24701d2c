// The tags whose kept messages `undo --list` and `undo --forget` concern

import Foundation
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

        @Test("After a restore is undone and redone, the chip shows its UID again") func mirror() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    export NFCTOOL_READER='virtual:t.nfc?kind=ntag213&serial=1'
                    nfctool write -q --uri 'https://example.com/{uid:mirror}'
                    nfctool dump -q d.nfc && nfctool write -q --text other && nfctool restore -q d.nfc --yes
                    nfctool undo -q && nfctool read && nfctool undo --redo -q && nfctool read
                    nfctool undo -q && nfctool undo --list
                    """, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                let texts = ["Text  other", "URI  https://example.com/0410571F000180", "undone  0410571F000180"]
                let places = texts.map { outcome.output.range(of: $0)?.lowerBound }
                #expect(places.allSatisfy { $0 != nil }, "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test("A terminal shows how to take an undo back, also after a message of another program")
        func hint() async throws {
            try await Tool.withFolder { folder in
                let reader = ["--reader", "virtual:t.nfc?kind=ntag213&serial=1"]
                let write = ["write", "--quiet", "--text"]
                for (more, option) in [([], " --redo"), (["--no-journal"], "\r")] {
                    #expect(try await Tool.run(write + ["one"] + reader, in: folder).status == 0)
                    #expect(try await Tool.run(write + ["two"] + more + reader, in: folder).status == 0)
                    let undo = try TerminalRun(["undo", "--yes"] + reader, in: folder)
                    #expect(try await undo.ended() == 0)
                    #expect(undo.output.contains("To take this back:  nfctool undo" + option), "\(undo.output)")
                }
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
