// Raw commands and their answers, for people and in JSON — Docs/JSON.md, Transceive, apdu

import Hexadecimal
import ReaderInterface
import TagTypes
import Terminal

/// The commands that were sent to a tag, and the tag's answers.
struct ExchangeReport: Sendable {
    let reader: String
    let target: Target
    let chip: Chip?
    let exchanges: [RawExchange]

    /// The exchanges, each as two lines with the direction marks of a wire trace.
    var text: String {
        exchanges.map { "> \($0.command.spacedHex)\n< \($0.answer.text)" }.joined(separator: "\n")
    }

    func print(_ output: OutputOptions) throws {
        guard !exchanges.isEmpty else { return }
        if output.json { try JSONLine.print(self) } else { StandardOutput.print(text) }
    }
}

extension ExchangeReport: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, exchanges
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("transceive", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(target.identifier.hex, forKey: .uid)
        try container.encode(chip?.name ?? TagDetection.tagType(of: target).name, forKey: .chip)
        try container.encode(exchanges, forKey: .exchanges)
    }
}

extension RawExchange: Encodable {
    private enum Key: CodingKey {
        case command, response, sw, ack, nak
    }

    /// Encodes an exchange.
    ///
    /// The key `response` is only for bytes. An ACK or NAK of four bits has another key, with one hexadecimal digit.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(command.hex, forKey: .command)
        try container.encode(answer.data.hex, forKey: .response)
        switch answer {
        case .bytes: break
        case .response(let response): try container.encode(response.sw.hex, forKey: .sw)
        case .nibble(let bits): try container.encode(bits.digit, forKey: bits == Self.ack ? .ack : .nak)
        case .passive: try container.encode("passive", forKey: .ack)
        }
    }
}

extension RawExchange.Answer {
    /// The bytes of the answer without the status word.
    fileprivate var data: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .response(let response): response.data
        case .nibble, .passive: []
        }
    }

    fileprivate var text: String {
        switch self {
        case .bytes(let bytes): bytes.isEmpty ? "(no data)" : bytes.spacedHex
        case .response(let response):
            (response.data.isEmpty ? "" : response.data.spacedHex + "  ")
                + "SW \(response.sw.hex) (\(response.sw.meaning))"
        case .nibble(let bits): "\(bits == RawExchange.ack ? "ACK" : "NAK") (\(bits.digit))"
        case .passive: "ACK (by silence)"
        }
    }
}
