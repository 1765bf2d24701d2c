// The rule that matches a tag, and errors in a file of rules

import Foundation
import NDEF
import ReaderInterface
import TagRules
import Testing

@Suite struct TagRuleTests {
    private static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]
    private static let message = NDEFMessage(records: [
        NDEFRecord(tnf: .media, type: Array("text/vCard".utf8), payload: []),
        NDEFRecord(tnf: .wellKnown, type: [0x55], payload: [0x04] + Array("example.com/a".utf8)),
    ])

    private static func rules(_ text: String) throws -> [TagRule] {
        let path = NSTemporaryDirectory() + "rules-\(UInt64.random(in: 0...UInt64.max))"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try RuleFile(path: path).read()
    }

    @Test(arguments: [
        (#"{"uri": "https://example.com/", "run": "x"}"#, true),
        (#"{"uri": "https://example.org", "run": "x"}"#, false),
        (#"{"type": "U", "run": "x"}"#, true), (#"{"type": "u", "run": "x"}"#, false),
        (#"{"type": "TEXT/vcard", "run": "x"}"#, true), (#"{"type": "example.com:t", "run": "x"}"#, false),
        (#"{"uid": "04:A1:B2:C3:D4:E5:80", "run": "x"}"#, true), (#"{"uid": "04A1B2C3", "run": "x"}"#, false),
        (#"{"uid": "04A1B2C3D4E580", "type": "T", "run": "x"}"#, false),
    ])
    func aRuleMatchesWhereAllThatItAsksForIsTrue(_ line: String, matches: Bool) throws {
        let rule = try #require(Self.rules("# a comment\n\n" + line).first)
        #expect(rule.line == 3)
        #expect(rule.matches(Self.uid, Self.message) == matches)
    }

    @Test(
        arguments: [
            (#"{"run": "x"}"#, 2, nil), (#"{"uid": "04", "run": "x"}"#, 2, "uid"), (#"{"uri": "x"}"#, 2, "run"),
            (#"{"uri": "", "run": "x"}"#, 2, "uri"), (#"{"uri": 3, "run": "x"}"#, 2, "uri"), ("[]", 2, nil),
            (#"{"uri": "x", "uri": "y", "run": "x"}"#, 2, nil), (#"{"else": "x", "run": "x"}"#, 2, "else"),
            ("#", nil, nil),
        ] as [(String, Int?, String?)])
    func aFileThatIsNoneSaysWhere(_ line: String, number: Int?, key: String?) throws {
        let error = try #require(throws: BrokenRules.self) { try Self.rules("#\n" + line) }
        #expect(error.line == number && error.key == key && error.kind == .badFile)
    }
}
