// A record in JSON — Docs/JSON.md, Records

import Hexadecimal
package import NDEF

/// The JSON form of a record: `tnf`, `type`, `id`, `payload`, `content`.
package struct RecordReport: Encodable {
    private let tnf: UInt8
    private let type: String
    private let id: String
    private let payload: String
    private let content: ContentReport

    /// Creates the report of a record.
    ///
    /// The carriers of a handover are looked up in the message.
    package init(_ record: NDEFRecord, in message: NDEFMessage = NDEFMessage(records: [])) {
        tnf = record.tnf.rawValue
        type = RecordField.text(record.type)
        id = RecordField.text(record.identifier)
        payload = record.payload.hex
        content = ContentReport(content: record.content, message: message)
    }
}

extension NDEFMessage {
    package var recordReports: [RecordReport] { records.map { RecordReport($0, in: self) } }
}

/// The JSON form of a record's content: `kind`, and fields that depend on the kind.
struct ContentReport: Encodable {
    let content: RecordContent
    let message: NDEFMessage

    private enum Key: CodingKey {
        case kind, text, language, encoding, uri, titles, action, mimeType, size, icons, data, domain, type, package
        case networks, reason, role, version, carriers, carrier, collision, failure, contact, event
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(content.kind, forKey: .kind)
        switch content {
        case .text(let text):
            try container.encode(text.text, forKey: .text)
            try container.encode(text.language, forKey: .language)
            try container.encode(text.encoding == .utf16 ? "UTF-16" : "UTF-8", forKey: .encoding)
        case .uri(let content): try container.encode(content.uri, forKey: .uri)
        case .absoluteURI(let content): try container.encode(content.uri, forKey: .uri)
        case .smartPoster(let poster): try encode(poster, into: &container)
        case .mime(let media):
            try container.encode(media.mimeType, forKey: .mimeType)
            try container.encode(media.text ?? media.data.hex, forKey: media.text == nil ? .data : .text)
            switch MediaCard(media) {
            case .contact(let card)?: try container.encode(card, forKey: .contact)
            case .event(let event)?: try container.encode(event, forKey: .event)
            case nil: break
            }
        case .external(let external):
            try container.encode(external.domain, forKey: .domain)
            try container.encode(external.type, forKey: .type)
            try container.encode(external.data.hex, forKey: .data)
        case .app(let app): try container.encode(app.package, forKey: .package)
        case .wifi(let wifi): try container.encode(wifi.networks.map(NetworkReport.init), forKey: .networks)
        case .handover(let handover): try encode(handover, into: &container)
        case .handoverCarrier(let carrier):
            try container.encode(RecordField.text(carrier.type), forKey: .carrier)
            try container.encode(carrier.data.hex, forKey: .data)
        case .bluetooth(let device): try BluetoothReport(device).encode(to: encoder)
        case .signature(let signature): try SignatureReport(signature).encode(to: encoder)
        case .deviceInformation(let device): try DeviceReport(device).encode(to: encoder)
        case .unknown(let data), .other(let data): try container.encode(data.hex, forKey: .data)
        case .malformed(let reason): try container.encode(reason, forKey: .reason)
        case .empty: break
        }
    }

    private func encode(_ poster: SmartPosterRecord, into container: inout KeyedEncodingContainer<Key>) throws {
        let titles = poster.titles.map { TitleReport(text: $0.text, language: $0.language) }
        try container.encode(poster.uri, forKey: .uri)
        try container.encode(titles, forKey: .titles)
        try container.encodeIfPresent(poster.action.map { "\($0)" }, forKey: .action)
        try container.encodeIfPresent(poster.mimeType, forKey: .mimeType)
        try container.encodeIfPresent(poster.size, forKey: .size)
        try container.encode(
            poster.icons.map { IconReport(mimeType: $0.mimeType, data: $0.data.hex) }, forKey: .icons)
    }

    private func encode(_ handover: HandoverRecord, into container: inout KeyedEncodingContainer<Key>) throws {
        try container.encode("\(handover.role)", forKey: .role)
        try container.encode(handover.versionText, forKey: .version)
        try container.encode(handover.carriers.map { CarrierReport($0, in: message) }, forKey: .carriers)
        try container.encodeIfPresent(handover.collisionNumber, forKey: .collision)
        try container.encodeIfPresent(handover.failure.map(HandoverFailureReport.init), forKey: .failure)
    }
}

extension RecordContent {
    var kind: String {
        switch self {
        case .text: "text"
        case .uri: "uri"
        case .smartPoster: "smartPoster"
        case .mime: "mime"
        case .external: "external"
        case .app: "app"
        case .absoluteURI: "absoluteURI"
        case .wifi: "wifi"
        case .handover: "handover"
        case .handoverCarrier: "handoverCarrier"
        case .bluetooth: "bluetooth"
        case .signature: "signature"
        case .deviceInformation: "deviceInformation"
        case .empty: "empty"
        case .unknown: "unknown"
        case .other: "other"
        case .malformed: "malformed"
        }
    }
}

private struct TitleReport: Encodable {
    let text: String
    let language: String
}

private struct IconReport: Encodable {
    let mimeType: String
    let data: String
}

private struct NetworkReport: Encodable {
    let ssid: String
    let password: String?
    let auth: String?
    let encryption: String?

    init(_ network: WiFiCredential) {
        ssid = RecordField.utf8(network.ssid)
        password = network.networkKey.map(RecordField.utf8)
        auth = network.authentication.name
        encryption = network.encryption.name
    }
}
