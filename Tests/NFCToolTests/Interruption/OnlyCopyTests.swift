// A journal entry with the only copy of some data outlives the next write

import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct OnlyCopyTests {
        private static let tag = ["--reader", "virtual:tag.nfc?serial=1"]
        private static let third = ["write", "--uri", "https://third.example"]

        private static func pages(_ numbers: ClosedRange<Int>, in path: String) throws -> [String] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return numbers.compactMap { number in
                text.split(separator: "\n").first { $0.hasPrefix("Page \(number): ") }.map(String.init)
            }
        }

        /// A write in one step overwrites the bytes after the old message while the old message is still visible.
        @Test(arguments: [["write", "--uri", "https://third.example"], ["erase"]])
        func otherDataThatAWriteInOneStepBeganToOverwriteComesBack(next: [String]) async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                #expect(try await Tool.run(["erase"] + Self.tag, in: folder).status == 0)
                // The URI https://old.example, and six bytes of another program.
                let stored = try await Tool.shell(
                    """
                    sed -i 's/^Page 4: .*/Page 4: 03 10 D1 01/; s/^Page 5: .*/Page 5: 0C 55 04 6F/
                    s/^Page 6: .*/Page 6: 6C 64 2E 65/; s/^Page 7: .*/Page 7: 78 61 6D 70/
                    s/^Page 8: .*/Page 8: 6C 65 FD 04/; s/^Page 9: .*/Page 9: CA FE BA BE/
                    s/^Page 10: .*/Page 10: FE 00 00 00/' tag.nfc
                    """, in: folder)
                #expect(stored.status == 0, "\(stored.errors)")
                let before = try Self.pages(4...10, in: path)
                let cut = try await Tool.run(
                    ["write", "--atomic", "--no-wait", "--uri", "https://new.example/and/a/longer/path"]
                        + ["--reader", "virtual:tag.nfc?serial=1&tear=4"], in: folder)
                #expect(cut.status == 75, "\(cut.errors)")
                let read = try await Tool.run(["read"] + Self.tag, in: folder)
                #expect(read.output.contains("https://old.example"), "\(read.output)")
                #expect(try Self.pages(4...10, in: path) != before)

                let append = try await Tool.run(["write", "--append", "--text", "x"] + Self.tag, in: folder)
                #expect(append.status == 75, "\(append.errors)")
                let replaced = try await Tool.run(next + Self.tag, in: folder)
                #expect(replaced.status == 0, "\(replaced.errors)")
                let undone = try await Tool.run(["undo"] + Self.tag, in: folder)
                #expect(undone.status == 0, "\(undone.errors)")
                #expect(try Self.pages(4...10, in: path) == before)
            }
        }

        @Test func aWriteThatFindsItsMessageOnTheTagKeepsTheMessageOfAnEarlierWrite() async throws {
            try await Tool.withFolder { folder in
                #expect(try await Tool.run(["write", "--text", "precious"] + Self.tag, in: folder).status == 0)
                let cut = try await Tool.run(
                    ["write", "--no-wait", "--text", "new", "--reader", "virtual:tag.nfc?serial=1&tear=5"], in: folder)
                #expect(cut.status == 75, "\(cut.errors)")
                let others = try await Tool.shell(
                    """
                    export XDG_STATE_HOME=$PWD/elsewhere
                    nfctool write --uri https://third.example --reader 'virtual:tag.nfc?serial=1'
                    """, in: folder)
                #expect(others.status == 0, "\(others.errors)")
                let same = try await Tool.run(Self.third + Self.tag, in: folder)
                #expect(same.status == 0, "\(same.errors)")
                let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/nfctool/writes")
                #expect(kept == ["0411571F000180.json.superseded-1"])
            }
        }
    }
}
