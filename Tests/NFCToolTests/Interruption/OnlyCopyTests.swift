// A journal entry with the only copy of some data outlives the next write

import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct OnlyCopyTests {
        private static let tag = ["--reader", "virtual:tag.nfc?serial=1"]
        private static let third = ["write", "--uri", "https://third.example"]

        /// Writes these bytes into the data area of the tag in the file.
        private static func store(_ bytes: [UInt8], in path: String) throws {
            var lines = try String(contentsOfFile: path, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for start in stride(from: 0, to: bytes.count, by: 4) {
                let page = "Page \(4 + start / 4): "
                let index = try #require(lines.firstIndex { $0.hasPrefix(page) })
                let values = bytes[start..<start + 4].map { byte in
                    let digits = String(byte, radix: 16, uppercase: true)
                    return byte < 16 ? "0" + digits : digits
                }
                lines[index] = Substring(page + values.joined(separator: " "))
            }
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }

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
                let old = "https://old.example"
                let message: [UInt8] = [0xD1, 0x01, 0x0C, 0x55, 0x04] + Array("old.example".utf8)
                let other: [UInt8] = [0xFD, 0x04, 0xCA, 0xFE, 0xBA, 0xBE]
                let held = [0x03, UInt8(message.count)] + message + other + [0xFE, 0, 0, 0]
                try Self.store(held, in: path)
                let before = try Self.pages(4...10, in: path)
                let cut = try await Tool.run(
                    ["write", "--atomic", "--no-wait", "--uri", "https://new.example/and/a/longer/path"]
                        + ["--reader", "virtual:tag.nfc?serial=1&tear=4"], in: folder)
                #expect(cut.status == 75, "\(cut.errors)")
                let read = try await Tool.run(["read"] + Self.tag, in: folder)
                #expect(read.output.contains(old), "\(read.output)")
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
