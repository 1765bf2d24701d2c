// Creates a message from the JSON of its records — Docs/JSON.md, Encoding JSON

import Foundation
import Hexadecimal
package import NDEF

/// Reads the JSON that `ndef decode --json` prints.
package enum MessageJSON {
    /// Creates a message from an object with the member `records`.
    ///
    /// A record is created from `tnf`, `type`, `id` and `payload`, or from `content` if there is no `payload`. If both
    /// are present, they must agree.
    /// - Throws: ``MessageJSONError``.
    package static func message(_ json: [UInt8]) throws(MessageJSONError) -> NDEFMessage {
        let value: JSONValue
        do {
            value = try JSONDecoder().decode(JSONValue.self, from: Data(json))
        } catch {
            throw MessageJSONError(record: nil, reason: "The text is not valid JSON.")
        }
        guard case .array(let entries)? = value["records"] else {
            throw MessageJSONError(record: nil, reason: "There is no list of records.")
        }
        var records: [NDEFRecord] = []
        for (index, entry) in entries.enumerated() {
            do throws(ContentError) {
                records.append(try record(entry))
            } catch {
                throw MessageJSONError(record: index + 1, reason: error.reason)
            }
        }
        let message = NDEFMessage(records: records)
        for (index, entry) in entries.enumerated() where entry["payload"] != nil {
            guard let content = entry["content"] else { continue }
            // The record numbers of carriers depend on the whole message. Members may be missing, because earlier
            // versions did not print all of them.
            let printed = JSONValue(of: ContentReport(content: records[index].content, message: message))
            guard case .object(let given) = content, given.allSatisfy({ printed[$0.key] == $0.value }) else {
                throw MessageJSONError(
                    record: index + 1,
                    reason: "content and payload contradict each other. Leave one of them out.")
            }
        }
        return message
    }

    private static func record(_ entry: JSONValue) throws(ContentError) -> NDEFRecord {
        guard case .object = entry else { throw ContentError("A record must be an object.") }
        guard let payload = entry["payload"] else {
            guard let content = entry["content"] else { throw ContentError("A record needs payload or content.") }
            var record = try ContentReader(content).record()
            if let id = entry["id"] { record.identifier = try field(id, "id") }
            for (name, given, found) in [
                ("tnf", entry["tnf"], JSONValue.number(Double(record.tnf.rawValue))),
                ("type", entry["type"], .string(RecordField.text(record.type))),
            ] where given != nil && given != found {
                throw ContentError("\(name) does not match the content. Leave it out.")
            }
            return record
        }
        guard case .number(let number)? = entry["tnf"], let value = UInt8(exactly: number),
            let tnf = TypeNameFormat(rawValue: value)
        else { throw ContentError("tnf must be a number from 0 to 7.") }
        guard case .string(let text) = payload, let bytes = try? HexText.bytes(text.utf8) else {
            throw ContentError("payload must be text in hexadecimal.")
        }
        return NDEFRecord(
            tnf: tnf, type: try field(entry["type"] ?? .string(""), "type"),
            identifier: try field(entry["id"] ?? .string(""), "id"), payload: bytes)
    }

    /// Parses a TYPE or ID that is given as text or as `hex:…`.
    private static func field(_ value: JSONValue, _ name: String) throws(ContentError) -> [UInt8] {
        guard case .string(let text) = value else { throw ContentError("\(name) must be text.") }
        guard let bytes = RecordField.bytes(text) else {
            throw ContentError("In \(name), the text after \"hex:\" is not hexadecimal.")
        }
        return bytes
    }
}

package struct MessageJSONError: Error, Hashable, CustomStringConvertible {
    /// The number of the record, starting at 1, or nil if the error concerns the whole text.
    package let record: Int?
    package let reason: String

    package init(record: Int?, reason: String) {
        self.record = record
        self.reason = reason
    }

    /// The error as text: the number of the record, if there is one, and the reason.
    package var description: String { (record.map { "Record \($0): " } ?? "") + reason }
}

enum JSONValue: Decodable, Hashable {
    case null, bool(Bool), number(Double), string(String), array([JSONValue]), object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes a value as JSON.
    ///
    /// The result is null if the value cannot be encoded.
    init(of value: some Encodable) {
        let data = try? JSONEncoder().encode(value)
        self = data.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } ?? .null
    }

    /// Returns whether another value contains everything that this value does.
    ///
    /// An object may have more members, and hexadecimal text may have other separators.
    func isPart(of other: JSONValue?) -> Bool {
        switch (self, other) {
        case (.null, _): true
        case (.object(let mine), .object(let others)?): mine.allSatisfy { $1.isPart(of: others[$0]) }
        case (.array(let mine), .array(let others)?):
            mine.count == others.count && zip(mine, others).allSatisfy { $0.isPart(of: $1) }
        case (.string(let mine), .string(let others)?):
            mine == others || (try? HexText.bytes(mine.utf8)).map { $0 == (try? HexText.bytes(others.utf8)) } ?? false
        default: self == other
        }
    }

    /// Returns a member of an object.
    ///
    /// Nil if the member is missing or null, or if this value is not an object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
        return value
    }
}
