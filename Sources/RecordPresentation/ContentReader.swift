// Creates a record from the JSON of its content — Docs/JSON.md, Encoding JSON

import Hexadecimal
import NDEF

struct ContentReader {
    private let content: JSONValue

    init(_ content: JSONValue) { self.content = content }

    /// Creates the record.
    ///
    /// - Throws: `ContentError`, also for kinds whose content does not contain the whole payload.
    func record() throws(ContentError) -> NDEFRecord {
        let record = try newRecord()
        try requireAll(in: record)
        return record
    }

    /// Checks that no given data is lost because a member is misspelt or the record cannot hold the data.
    private func requireAll(in record: NDEFRecord) throws(ContentError) {
        let made = JSONValue(of: ContentReport(content: record.content, message: NDEFMessage(records: [record])))
        guard case .object(let given) = content else { return }
        for (name, value) in given.sorted(by: { $0.key < $1.key }) where !value.isPart(of: made[name]) {
            throw ContentError("\(name) cannot be in such a record, or contradicts the rest of its content.")
        }
    }

    private func newRecord() throws(ContentError) -> NDEFRecord {
        switch try text("kind") {
        case "text":
            let encoding: TextRecord.Encoding = try optional("encoding") == "UTF-16" ? .utf16 : .utf8
            return try TextRecord(text: text("text"), language: optional("language") ?? "en", encoding: encoding)
                .record()
        case "uri": return try URIRecord(uri: text("uri")).record()
        case "absoluteURI": return try AbsoluteURIRecord(uri: text("uri")).record()
        case "smartPoster": return try poster().record()
        case "mime":
            let type = try text("mimeType")
            guard let text = try optional("text") else {
                return try MIMERecord(mimeType: type, data: bytes("data")).record()
            }
            return try MIMERecord(mimeType: type, data: Array(text.utf8)).record()
        case "external":
            return try ExternalRecord(domain: text("domain"), type: text("type"), data: bytes("data")).record()
        case "app": return try AndroidApplicationRecord(package: text("package")).record()
        case "empty": return NDEFRecord(tnf: .empty, type: [], payload: [])
        case "unknown": return NDEFRecord(tnf: .unknown, type: [], payload: try bytes("data"))
        case "bluetooth": return try device().record()
        case let kind:
            throw ContentError(
                "A record of kind \(kind) cannot be made from its content alone. Add tnf, type and payload.")
        }
    }

    private func poster() throws(ContentError) -> SmartPosterRecord {
        let actions: [String: SmartPosterRecord.Action] = ["execute": .execute, "save": .save, "edit": .edit]
        var poster = SmartPosterRecord(uri: try text("uri"), mimeType: try optional("mimeType"))
        if let name = try optional("action") {
            guard let action = actions[name] else { throw ContentError("action must be execute, save or edit.") }
            poster.action = action
        }
        if let size = content["size"] {
            guard case .number(let number) = size, let size = UInt32(exactly: number) else {
                throw ContentError("size must be a number from 0 to 4294967295.")
            }
            poster.size = size
        }
        for title in try list("titles") {
            let reader = ContentReader(title)
            poster.titles.append(
                TextRecord(text: try reader.text("text"), language: try reader.optional("language") ?? "en"))
        }
        for icon in try list("icons") {
            let reader = ContentReader(icon)
            poster.icons.append(MIMERecord(mimeType: try reader.text("mimeType"), data: try reader.bytes("data")))
        }
        return poster
    }

    private func device() throws(ContentError) -> BluetoothRecord {
        let isClassic = try optional("transport") ?? "classic" == "classic"
        var structures: [BluetoothRecord.Structure] = []
        for entry in try list("structures") {
            guard case .number(let number)? = entry["type"], let type = UInt8(exactly: number) else {
                throw ContentError("The type of a structure must be a number from 0 to 255.")
            }
            structures.append(.init(type: type, data: try ContentReader(entry).bytes("data")))
        }
        if isClassic, structures.isEmpty {
            return BluetoothRecord(address: try bytes("address"), name: try optional("name"))
        }
        return BluetoothRecord(
            transport: isClassic ? .classic : .lowEnergy, classicAddress: isClassic ? try bytes("address") : [],
            structures: structures)
    }

    private func optional(_ name: String) throws(ContentError) -> String? {
        guard let value = content[name] else { return nil }
        guard case .string(let text) = value else { throw ContentError("\(name) must be text.") }
        return text
    }

    private func text(_ name: String) throws(ContentError) -> String {
        guard let text = try optional(name) else { throw ContentError("The content has no \(name).") }
        return text
    }

    private func bytes(_ name: String) throws(ContentError) -> [UInt8] {
        guard let bytes = try? HexText.bytes(try text(name).utf8) else {
            throw ContentError("\(name) must be text in hexadecimal.")
        }
        return bytes
    }

    private func list(_ name: String) throws(ContentError) -> [JSONValue] {
        guard let value = content[name] else { return [] }
        guard case .array(let list) = value else { throw ContentError("\(name) must be a list.") }
        return list
    }
}
