// A rule file with one JSON object per line, in which lines that begin with # are comments — RFC 8259;
// Docs/BackgroundReading.md

import Composing
import Foundation
package import ReaderInterface

package struct RuleFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// Reads the rules, in the order of the file.
    ///
    /// - Throws: `InputError` for a file that cannot be read; ``BrokenRules`` for the first line that is not a valid
    ///   rule, or for a file without rules.
    package func read() throws -> [TagRule] {
        let file = InputFile(path: path)
        let bytes = try file.read()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BrokenRules(source: file.source, line: nil, problem: "The file is not UTF-8 text.")
        }
        let unmarked = Substring(text).unicodeScalars.trimmingPrefix("\u{FEFF}".unicodeScalars)
        // Only LF, with or without CR before it, ends a line, because a JSON string may contain other line separators.
        let lines = unmarked.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
        let rules = try zip(1..., lines).compactMap { number, line in
            try Self.rule(line, number: number, source: file.source)
        }
        guard !rules.isEmpty else {
            throw BrokenRules(source: file.source, line: nil, problem: "The file contains no rule.")
        }
        return rules
    }

    /// Parses the rule on a line, or returns nil for a comment or an empty line.
    private static func rule(_ line: Substring, number: Int, source: String) throws(BrokenRules) -> TagRule? {
        let line = line.drop(while: \.isWhitespace)
        guard let first = line.first, first != "#" else { return nil }
        do {
            let fields = try JSONDecoder().decode(RuleFields.self, from: Data(line.utf8))
            // If a key occurs twice, the decoder keeps only one value. A line on which no key occurs twice has two
            // strings for each key.
            guard textCount(line) == 2 * fields.texts.count else {
                throw RuleProblem(key: nil, text: "A key occurs twice.")
            }
            return try TagRule(line: number, fields)
        } catch let problem as RuleProblem {
            throw BrokenRules(source: source, line: number, key: problem.key, problem: problem.text)
        } catch DecodingError.typeMismatch(_, let context) where context.codingPath.isEmpty {
            throw BrokenRules(source: source, line: number, problem: "The line is not a JSON object.")
        } catch DecodingError.valueNotFound(_, let context) where context.codingPath.isEmpty {
            throw BrokenRules(source: source, line: number, problem: "The line is not a JSON object.")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let key = context.codingPath.first?.stringValue
            throw BrokenRules(source: source, line: number, key: key, problem: "The value must be text between quotes.")
        } catch {
            throw BrokenRules(
                source: source, line: number,
                problem:
                    #"The line is not JSON. Write each rule on its own line, such as {"type": "T", "run": "COMMAND"}."#)
        }
    }

    /// Returns the number of quoted strings on a line of valid JSON.
    private static func textCount(_ line: Substring) -> Int {
        var (quotes, isEscaped) = (0, false)
        for byte in line.utf8 {
            if byte == UInt8(ascii: "\""), !isEscaped { quotes += 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return quotes / 2
    }
}

private struct RuleProblem: Error {
    let key: String?
    let text: String
}

/// The fields of a rule as the file contains them.
private struct RuleFields: Decodable {
    var texts: [String: String] = [:]

    private static let names = ["uri", "type", "uid", "run"]

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard Self.names.contains(key.stringValue) else {
                throw RuleProblem(
                    key: key.stringValue, text: "This key is unknown. A rule can have uri, type, uid and run.")
            }
            texts[key.stringValue] = try container.decode(String.self, forKey: key)
        }
    }
}

extension TagRule {
    fileprivate init(line: Int, _ fields: RuleFields) throws(RuleProblem) {
        let texts = fields.texts
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard !text.isEmpty else { throw RuleProblem(key: key, text: "The text is empty.") }
            guard !text.utf8.contains(0) else { throw RuleProblem(key: key, text: "The text contains a NUL byte.") }
            guard text.utf8.count < TagRule.longestText else {
                throw RuleProblem(key: key, text: "The text is too long.")
            }
        }
        guard let command = texts["run"] else {
            throw RuleProblem(key: "run", text: "The command to run is missing.")
        }
        guard texts.count > 1 else {
            throw RuleProblem(
                key: nil,
                text: "The rule does not say which tags it is for. Add uri, type or uid; for all tags, use --exec.")
        }
        type = try texts["type"].map { (text) throws(RuleProblem) in
            guard let type = RecordType(text) else {
                throw RuleProblem(
                    key: "type",
                    text: "This is not a record type. Examples: T, text/vcard, android.com:pkg.")
            }
            return type
        }
        uid = try texts["uid"].map { (text) throws(RuleProblem) in
            guard let uid = UIDText.bytes(text), UIDText.lengths.contains(uid.count) else {
                throw RuleProblem(key: "uid", text: "This is not a UID. A UID looks like 04A1B2C3D4E580.")
            }
            return uid
        }
        uri = texts["uri"]
        self.line = line
        self.command = command
    }
}

package struct BrokenRules: ClassifiedError {
    private let source: String
    /// The line number, counted from 1, or nil if the error concerns the whole file.
    package let line: Int?
    /// The key of the invalid value, or nil if the error does not concern a single value.
    package let key: String?
    private let problem: String

    init(source: String, line: Int?, key: String? = nil, problem: String) {
        (self.source, self.line, self.key, self.problem) = (source, line, key, problem)
    }

    package var kind: FailureKind { .badFile }
    package var description: String {
        let place = [line.map { "line \($0)" }, key.map { "key \"\($0)\"" }].compactMap(\.self).joined(separator: ", ")
        return "\(source) is not a valid rules file\(place.isEmpty ? "." : ": \(place).") \(problem)"
    }
}
