// A rewrite with RF loss or power loss after every possible command leaves the old message, an empty one or the new
// one, never a mixture
//
// These tests parse the tag's file themselves, independently of nfctool.

import Chance
import Foundation
import Testing

extension BuiltBinaryCuts {
    @Suite(.alsoAtRealLatencyInCampaigns) struct CutTests {
        static let old = "The old message, long enough to be seen in a mixture with the new one: 0123456789"
        static let new = "A new message of another length: ABCDEFGHIJKLMNOPQRSTUVWXYZ"

        @Test(arguments: ["ntag213", "type4"], ["loss", "tear"])
        func everyCutLeavesOneMessageOrNone(kind: String, fault: String) async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                func write(_ text: String, _ options: String) async throws -> Outcome {
                    try await Tool.run(
                        "write", "--json", "--text", text, "--no-wait", "--no-journal", "--reader",
                        "virtual:\(path)?kind=\(kind)\(options)")
                }
                #expect(try await write(Self.old, "").status == 0)
                let original = try String(contentsOfFile: path, encoding: .utf8)
                var found: [String?: Int] = [:]
                for number in Campaign.cuts(through: 200, every: 3) {
                    try original.write(toFile: path, atomically: true, encoding: .utf8)
                    let outcome = try await write(Self.new, "&\(fault)=\(number)")
                    let text = try Self.text(inFile: path, kind: kind)
                    found[text, default: 0] += 1
                    if outcome.status == 0 {
                        #expect(text == Self.new)
                        break
                    }
                    #expect(outcome.status == 75)
                    // If a block is torn while it is programmed, even the TLV may be lost, so that there is no message.
                    #expect(text == nil || text == Self.old || text == Self.new, "\(fault)=\(number): \(text ?? "")")
                    try Self.check(outcome, says: text)
                    #expect(number < 198)
                }
                #expect(found[Self.old, default: 0] > 0)
                #expect(found[nil, default: 0] > 0)
                #expect(found[Self.new, default: 0] > 0)
            }
        }

        /// The report is right even if only the last check was interrupted, after all bits were set.
        @Test func aCutLockTellsWhatIsLocked() async throws {
            try await Tool.withFolder { folder in
                let path = folder + "/tag.nfc"
                let reader = "virtual:\(path)?kind=ntag213"
                #expect(try await Tool.run("write", "--text", "Hello", "--reader", reader, in: folder).status == 0)
                let original = try String(contentsOfFile: path, encoding: .utf8)
                var told = 0
                for number in Campaign.cuts(through: 200, every: 4) {
                    try original.write(toFile: path, atomically: true, encoding: .utf8)
                    let outcome = try await Tool.run(
                        "lock", "--yes", "--json", "--reader", "\(reader)&loss=\(number)", in: folder)
                    if outcome.status == 0 { break }
                    #expect(outcome.status == 75)
                    let isChanged = try String(contentsOfFile: path, encoding: .utf8) != original
                    let message = try #require(try outcome.failure()["message"] as? String)
                    // With all bits set, only the check of each block is missing.
                    let says = ["Locked so far: ", "Bits set: "]
                    if isChanged { #expect(says.contains { message.contains($0) }, "loss=\(number): \(message)") }
                    told += isChanged ? 1 : 0
                    #expect(number < 198)
                }
                #expect(told > (Campaign.isLong ? 5 : 1))
            }
        }

        /// Checks that the report about the tag is true.
        private static func check(_ outcome: Outcome, says text: String?) throws {
            switch try outcome.failure()["contents"] as? String {
            case nil, "unchanged": #expect(text == old)
            case "empty": #expect(text == nil)
            case "new": #expect(text == new)
            case "unchangedOrEmpty": #expect(text == old || text == nil)
            case "emptyOrNew": #expect(text == nil || text == new)
            case let contents: Issue.record("unknown contents \(contents ?? "")")
            }
        }

        /// Returns the text of the only record in a tag's file, or nil if the tag is empty.
        private static func text(inFile path: String, kind: String) throws -> String? {
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            func bytes(_ line: Substring) -> [UInt8] {
                line.split(separator: ":").last?.split(separator: " ").compactMap { UInt8($0, radix: 16) } ?? []
            }
            let message: ArraySlice<UInt8>
            if kind == "type4" {
                message = lines.filter { $0.hasPrefix("NDEF Data:") }.flatMap(bytes)[...]
            } else {
                let area = lines.filter { $0.wholeMatch(of: /Page \d+:.*/) != nil }.dropFirst(4).flatMap(bytes)
                // The Lock Control TLV as delivered takes the first five bytes.
                guard area.count > 7, area[5] == 0x03 else { return nil }
                message = area.dropFirst(7).prefix(Int(area[6]))
            }
            guard !message.isEmpty else { return nil }
            // D1 01 length 'T' 02 'e' 'n'
            return String(decoding: message.dropFirst(7), as: UTF8.self)
        }
    }
}
