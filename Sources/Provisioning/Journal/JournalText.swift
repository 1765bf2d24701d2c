// Text forms of values in the journal: lists as JSON (RFC 8259), times as ISO 8601 in UTC

package import Foundation
import Hexadecimal

/// Converts lists and times to and from the text in the journal.
package enum JournalText {
    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Formats a time in UTC, rounded to milliseconds: `2026-11-21T16:33:00.123Z`.
    ///
    /// The time is rounded explicitly because the format style truncates, and a parsed time may be slightly less than
    /// its milliseconds: `.272` would become `.271`.
    package static func time(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        return Date(timeIntervalSinceReferenceDate: (milliseconds + 0.1) / 1000).formatted(timeFormat)
    }

    package static func time(_ text: String) -> Date? { try? timeFormat.parse(text) }

    /// Formats each column's name followed by its value: `["id","7","url","https://…"]`.
    ///
    /// The text is built byte by byte for speed: the user may have to wait for a million rows before the first tag.
    package static func list(_ fields: [PlanField]) -> String {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for field in fields {
            append(field.name, to: &text)
            append(field.value, to: &text)
        }
        return closed(&text)
    }

    package static func list(_ texts: [String]) -> String {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for item in texts { append(item, to: &text) }
        return closed(&text)
    }

    package static func texts(_ list: String) -> [String]? {
        try? JSONDecoder().decode([String].self, from: Data(list.utf8))
    }

    package static func fields(_ list: String) -> [PlanField]? {
        guard let texts = texts(list), texts.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: texts.count, by: 2).map { PlanField(name: texts[$0], value: texts[$0 + 1]) }
    }

    private static func closed(_ text: inout [UInt8]) -> String {
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ item: String, to text: inout [UInt8]) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        for byte in item.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            // RFC 8259, 7 requires that these characters be escaped. A NUL therefore never ends the text early.
            case 0..<0x20: text += Array("\\u00\(byte.hex.lowercased())".utf8)
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}

extension PlanIdentity {
    /// The recipe, followed by the digest of the password if there is one.
    package var journalText: String { JournalText.list(recipe + (password.map { [$0.text] } ?? [])) }

    /// Creates an identity from its stored text, or returns nil if no journal contains such a text.
    package init?(file: String, sha256: String, journalText: String) {
        guard let lines = JournalText.texts(journalText) else { return nil }
        let digest = lines.last.flatMap(PlanPassword.init(text:))
        let recipe = lines.filter { !PlanPassword.isText($0) }
        guard lines.count == recipe.count + (digest == nil ? 0 : 1) else { return nil }
        self.init(file: file, sha256: sha256, recipe: recipe, password: digest)
    }
}
