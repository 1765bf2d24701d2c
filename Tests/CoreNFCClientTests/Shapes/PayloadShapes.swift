// The ways in which apps create and decode records and messages
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap, AllPublicDeclarationsHaveDocumentation

import CoreNFC

extension NFCTypeNameFormat: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nfcWellKnown: return "NFC Well Known type"
        case .media: return "Media type"
        case .absoluteURI: return "Absolute URI type"
        case .nfcExternal: return "NFC External type"
        case .unknown: return "Unknown type"
        case .unchanged: return "Unchanged type"
        case .empty: return "Empty payload"
        @unknown default: return "Invalid data"
        }
    }
}

extension NFCNDEFStatus {
    // Exhaustive, without a default.
    var title: String {
        switch self {
        case .notSupported: return "Not supported"
        case .readWrite: return "Read/write"
        case .readOnly: return "Read-only"
        }
    }
}

extension NFCNDEFPayload {
    var summary: String {
        switch self.typeNameFormat {
        case .nfcWellKnown:
            if let type = String(data: self.type, encoding: .utf8) {
                if let url = self.wellKnownTypeURIPayload() {
                    return "\(self.typeNameFormat.description): \(type), \(url.absoluteString)"
                }
                let (text, locale) = self.wellKnownTypeTextPayload()
                if let text = text { return "\(type), \(text), \(locale?.languageCode ?? "-")" }
            }
            return "Invalid data"
        case .absoluteURI:
            return String(data: payload, encoding: .utf8) ?? "Invalid data"
        case .media:
            guard let type = String(data: type, encoding: .utf8) else { return "Invalid data" }
            return "\(typeNameFormat): " + type
        case .nfcExternal, .empty, .unknown, .unchanged:
            fallthrough
        @unknown default:
            return typeNameFormat.description
        }
    }

    /// The text, extracted from the payload by hand.
    var textByHand: String? {
        guard typeNameFormat == .nfcWellKnown, type == "T".data(using: .utf8), let status = payload.first else {
            return nil
        }
        let start = 1 + Int(status & 0x3F)
        return String(data: payload.advanced(by: start), encoding: status & 0x80 == 0 ? .utf8 : .utf16)
    }
}

enum PayloadShapes {
    static func messages() -> [NFCNDEFMessage] {
        let url = NFCNDEFPayload.wellKnownTypeURIPayload(url: URL(string: "https://www.example.com/")!)!
        let text = NFCNDEFPayload.wellKnownTypeTextPayload(string: "Hello", locale: Locale(identifier: "en"))!
        let today = NFCNDEFPayload.wellKnownTypeTextPayload(string: "Heute", locale: Locale.current)
        let uri = NFCNDEFPayload.wellKnownTypeURIPayload(string: "tel:+15551234567")
        let mime = NFCNDEFPayload(
            format: .media, type: Data("text/plain".utf8), identifier: Data(), payload: Data("plain".utf8))
        let external = NFCNDEFPayload(
            format: NFCTypeNameFormat.nfcExternal, type: "example.com:x".data(using: .utf8)!,
            identifier: "1".data(using: .ascii)!, payload: Data([1, 2, 3]), chunkSize: 0)
        let byHand = NFCNDEFPayload.init(
            format: NFCTypeNameFormat.nfcWellKnown, type: Data([0x54]), identifier: Data.init(count: 0),
            payload: Data([0x02, 0x65, 0x6E] + [UInt8]("by hand".utf8)))
        byHand.identifier = Data()
        let message = NFCNDEFMessage.init(records: [url, text])
        message.records.append(mime)
        message.records += [today, uri].compactMap { $0 }
        return [message, NFCNDEFMessage(records: [external, byHand]), NFCNDEFMessage(records: [])]
    }

    static func archived(_ message: NFCNDEFMessage) throws -> NFCNDEFMessage? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: message, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NFCNDEFMessage.self, from: data)
    }

    static func lengths(_ messages: [NFCNDEFMessage]) -> [Int] {
        return messages.map { $0.length }
    }

    static func texts(_ messages: [NFCNDEFMessage]) -> [String] {
        var result = [String]()
        for message in messages {
            for (index, record) in message.records.enumerated() {
                result.append("\(index): \(record.summary)")
            }
        }
        return result
    }
}
