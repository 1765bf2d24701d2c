// The content of a record in words for people

import Hexadecimal
package import NDEF
package import Terminal

/// A record as a few short strings, free of control characters.
package struct RecordSummary {
    package let kind: String
    package let value: String
    /// Further facts, for example the language of a text.
    package let notes: [String]
    /// The colour in which the value is shown, or nil for the default colour.
    package let ink: Ink?

    /// Creates the summary of a record.
    ///
    /// The carriers of a handover are looked up in the message.
    private init(_ record: NDEFRecord, in message: NDEFMessage, showsSecrets: Bool) {
        let words = Self.words(for: record, message, showsSecrets)
        let id = record.identifier.isEmpty ? [] : ["id " + RecordField.text(record.identifier)]
        kind = TerminalText.escaped(words.kind)
        value = TerminalText.escaped(words.value)
        notes = (words.notes + id).filter { !$0.isEmpty }.map { TerminalText.escaped($0) }
        ink =
            switch record.content {
            case .uri, .absoluteURI, .smartPoster: .link
            case .malformed: .bad
            case .empty: .faint
            default: nil
            }
    }

    package static func all(_ records: [NDEFRecord], showsSecrets: Bool = false) -> [RecordSummary] {
        let message = NDEFMessage(records: records)
        return records.map { RecordSummary($0, in: message, showsSecrets: showsSecrets) }
    }

    typealias Words = (kind: String, value: String, notes: [String])

    private static func words(for record: NDEFRecord, _ message: NDEFMessage, _ showsSecrets: Bool) -> Words {
        switch record.content {
        case .text(let text): ("Text", text.text, [text.language, text.encoding == .utf16 ? "UTF-16" : ""])
        case .uri(let content): ("URI", content.uri, [])
        case .absoluteURI(let content):
            ("URI", content.uri, content.data.isEmpty ? [] : ["with \(ByteCount(content.data.count)) of data"])
        case .smartPoster(let poster): ("Smart poster", poster.uri, notes(on: poster))
        case .mime(let media):
            words(forCard: media) ?? (
                "Media", media.text ?? data(media.data), [media.mimeType, "\(ByteCount(media.data.count))"]
            )
        case .external(let external):
            (
                "External", data(external.data),
                ["\(external.domain):\(external.type)", "\(ByteCount(external.data.count))"]
            )
        case .app(let app): ("Android app", app.package, [])
        case .wifi(let wifi): words(for: wifi, showsSecrets)
        case .handover(let handover): words(for: handover, in: message)
        case .handoverCarrier(let carrier):
            (
                "Carrier", RecordField.text(carrier.type),
                carrier.data.isEmpty ? [] : ["\(ByteCount(carrier.data.count))"]
            )
        case .bluetooth(let device): words(for: device)
        case .signature(let signature): words(for: signature)
        case .deviceInformation(let device): words(for: device)
        case .empty: ("Empty", "no content", [])
        case .unknown(let bytes): ("Unknown", data(bytes), ["\(ByteCount(bytes.count))"])
        case .other(let bytes): ("Other", data(bytes), [name(of: record), "\(ByteCount(bytes.count))"])
        case .malformed(let reason):
            ("Malformed", reason, [name(of: record), "\(ByteCount(record.payload.count)) of payload"])
        }
    }

    private static func name(of record: NDEFRecord) -> String {
        record.type.isEmpty ? "TNF \(record.tnf.rawValue)" : "type " + RecordField.text(record.type)
    }

    private static func notes(on poster: SmartPosterRecord) -> [String] {
        var notes = poster.titles.map { title in
            "“\(title.text)”" + (title.language.isEmpty ? "" : " \(title.language)")
        }
        if let action = poster.action { notes.append("action \(action)") }
        if let mimeType = poster.mimeType { notes.append(mimeType) }
        if let size = poster.size { notes.append("\(ByteCount(Int(size)))") }
        return notes + poster.icons.map { "icon \($0.mimeType), \(ByteCount($0.data.count))" }
    }

    private static func words(for wifi: WiFiRecord, _ showsSecrets: Bool) -> Words {
        let names = wifi.networks.map { RecordField.utf8($0.ssid) }
        let notes = wifi.networks.flatMap { network in
            [
                network.networkKey.map { "password " + (showsSecrets ? RecordField.utf8($0) : "hidden") },
                network.authentication.name,
                network.encryption.name,
            ].compactMap { $0 }
        }
        return ("Wi-Fi", names.isEmpty ? "no network" : names.joined(separator: ", "), notes)
    }

    /// Returns printable ASCII as text, and any other bytes in hexadecimal.
    private static func data(_ bytes: [UInt8]) -> String {
        bytes.allSatisfy { (0x20...0x7E).contains($0) } ? String(decoding: bytes, as: UTF8.self) : bytes.spacedHex
    }
}
