// One NDEF record, under Apple's name — CoreNFC NFCNDEFPayload

public import Foundation
import Hexadecimal
package import NDEF

/// One record of an NDEF message.
///
/// An instance is not thread-safe: share it between queues only after its last change.
open class NFCNDEFPayload: NSObject, NSSecureCoding, @unchecked Sendable {
    /// What ``type`` is a name in.
    open var typeNameFormat: NFCTypeNameFormat
    /// The type, at most 255 bytes; empty when the record has none.
    open var type: Data
    /// The identifier, at most 255 bytes; empty when the record has none.
    open var identifier: Data
    /// The payload as stored, for a text record with its status byte, for a URI record with its prefix code.
    open var payload: Data

    /// Makes a record of its four parts.
    public init(format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data) {
        typeNameFormat = format
        self.type = type
        self.identifier = identifier
        self.payload = payload
    }

    /// Makes a record of its four parts.
    ///
    /// - Parameters:
    ///   - format: what `type` is a name in.
    ///   - type: at most 255 bytes.
    ///   - identifier: at most 255 bytes.
    ///   - payload: at most 10 MiB in a message.
    ///   - chunkSize: accepted for source compatibility; records are always written in one piece, as the NFC Forum asks of
    ///     tags, and chunks that are read are joined.
    public convenience init(format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data, chunkSize: Int) {
        self.init(format: format, type: type, identifier: identifier, payload: payload)
    }

    /// TNF, type, identifier and payload, as iOS prints them.
    open override var description: String {
        func hex(_ data: Data) -> String { "<\(data.hex.lowercased())>" }
        return "TNF=\(typeNameFormat.rawValue), Payload Type=\(hex(type)), Payload ID=\(hex(identifier)), "
            + "Payload=\(hex(payload))"
    }

    /// Records are archived by their four parts.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an archived record.
    public required init?(coder: NSCoder) {
        if let record = (coder as? RecordCoder)?.record {
            typeNameFormat = NFCTypeNameFormat(record)
            type = Data(record.type)
            identifier = Data(record.identifier)
            payload = Data(record.payload)
            return
        }
        guard
            let format = NFCTypeNameFormat(rawValue: UInt8(truncatingIfNeeded: coder.decodeInteger(forKey: "format"))),
            let type = coder.decodeObject(of: NSData.self, forKey: "type"),
            let identifier = coder.decodeObject(of: NSData.self, forKey: "identifier"),
            let payload = coder.decodeObject(of: NSData.self, forKey: "payload")
        else { return nil }
        typeNameFormat = format
        self.type = type as Data
        self.identifier = identifier as Data
        self.payload = payload as Data
    }

    /// Archives the record.
    open func encode(with coder: NSCoder) {
        coder.encode(Int(typeNameFormat.rawValue), forKey: "format")
        coder.encode(type as NSData, forKey: "type")
        coder.encode(identifier as NSData, forKey: "identifier")
        coder.encode(payload as NSData, forKey: "payload")
    }
}

extension NFCNDEFPayload {
    /// The record as the `NDEF` module has it.
    package var record: NDEFRecord {
        NDEFRecord(
            tnf: TypeNameFormat(rawValue: typeNameFormat.rawValue) ?? .unknown, type: [UInt8](type),
            identifier: [UInt8](identifier), payload: [UInt8](payload))
    }

    /// A record of the `NDEF` module; TNF 7, which the specification reserves, is treated as unknown, as it asks.
    package convenience init(_ record: NDEFRecord) {
        self.init(
            format: NFCTypeNameFormat(record), type: Data(record.type), identifier: Data(record.identifier),
            payload: Data(record.payload))
    }
}

extension NFCTypeNameFormat {
    fileprivate init(_ record: NDEFRecord) {
        self = NFCTypeNameFormat(rawValue: record.tnf.rawValue) ?? .unknown
    }
}

/// Hands a record to `init(coder:)`, the one initialiser that every subclass has: any other `required` one would break those
/// of clients that compile on iOS.
final class RecordCoder: NSCoder {
    let record: NDEFRecord

    init(_ record: NDEFRecord) { self.record = record }
}
