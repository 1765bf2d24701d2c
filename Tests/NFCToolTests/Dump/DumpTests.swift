// dump, restore and diff on virtual tags

import Chance
import Foundation
import Testing

extension BuiltBinaryMemory {
    @Suite struct DumpTests {
        @Test(
            .alsoAtRealLatency, arguments: ["nfc", "bin", "json", "eml", "hex"],
            ["ntag213", "ntag215", "ultralight", "ultralight-ev1"])
        func aDumpBringsBackWhatWasOnTheTag(format: String, kind: String) async throws {
            try await Tool.withFolder { folder in
                let tag = ["--reader", "virtual:tag.nfc?kind=\(kind)"]
                let write = ["write", "--yes", "--quiet"]
                #expect(try await Tool.run(write + ["--text", "before"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(["dump", "a.\(format)"] + tag, in: folder).status == 0)
                #expect(try await Tool.run(write + ["--uri", "https://after.example"] + tag, in: folder).status == 0)
                let changed = try await Tool.run(["diff", "a.\(format)", "--json"] + tag, in: folder).json()
                #expect(changed["same"] as? Bool == false)
                let restored = try await Tool.run(["restore", "a.\(format)", "--json"] + tag, in: folder)
                #expect(restored.status == 0)
                #expect(try restored.json()["kept"] as? [Int] == [])
                let same = try await Tool.run(["diff", "a.\(format)", "--json"] + tag, in: folder).json()
                #expect(same["same"] as? Bool == true)
                let read = try await Tool.run(["read"] + tag, in: folder)
                #expect(read.output.contains("before"))
            }
        }

        /// Flipper's format is read and written by two independent implementations here.
        @Test func aDumpIsAVirtualTag() async throws {
            try await Tool.withFolder { folder in
                #expect(try await Tool.run("dump", "a.nfc", "--reader", "virtual", in: folder).status == 0)
                let outcome = try await Tool.run("info", "--json", "--reader", "virtual:a.nfc", in: folder)
                #expect(try outcome.json()["chip"] as? String == "NTAG215")
                let diff = try await Tool.run("diff", "a.nfc", "--json", "--reader", "virtual:a.nfc", in: folder)
                #expect(try diff.json()["same"] as? Bool == true)
            }
        }

        @Test func aCutAnywhereIsMendedByTheNextRestore() async throws {
            try await Tool.withFolder { folder in
                let tag = "virtual:tag.nfc?kind=ntag213"
                #expect(try await Tool.run("write", "--text", "old old old", "--reader", tag, in: folder).status == 0)
                #expect(try await Tool.run("dump", "a.nfc", "--reader", tag, in: folder).status == 0)
                var cuts = 0
                for number in 1..<40 {
                    let write = try await Tool.run("write", "--uri", "tel:+123456789", "--reader", tag, in: folder)
                    #expect(write.status == 0)
                    let cut = try await Tool.run("restore", "a.nfc", "--reader", "\(tag)&loss=\(number)", in: folder)
                    if cut.status == 0 { break }
                    cuts += 1
                    #expect(cut.status == 75)
                    #expect(try await Tool.run("restore", "a.nfc", "--reader", tag, in: folder).status == 0)
                    let read = try await Tool.run("read", "--reader", tag, in: folder)
                    #expect(read.output.contains("old old old"))
                }
                #expect((6..<39).contains(cuts))
            }
        }
    }
}
