// One NDEF record, under Apple's name — CoreNFC NFCNDEFPayload

public import Foundation
import Hexadecimal
package import NDEF

/// One record of an NDEF message.
///
/// An instance is not thread-safe: share it between queues only when it no longer changes.
open class NFCNDEFPayload: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The format of ``type``.
    open var typeNameFormat: NFCTypeNameFormat
    /// The type, at most 255 bytes.
    ///
    /// Empty if the record has no type.
    open var type: Data
    /// The identifier, at most 255 bytes.
    ///
    /// Empty if the record has no identifier.
    open var identifier: Data
    /// The payload as stored, including the status byte of a text record or the prefix code of a URI record.
    open var payload: Data

    /// Creates a record from its four parts.
    public init(format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data) {
        typeNameFormat = format
        self.type = type
        self.identifier = identifier
        self.payload = payload
    }

    /// Creates a record from its four parts.
    ///
    /// - Parameters:
    ///   - format: the format of `type`.
    ///   - type: the type, at most 255 bytes.
    ///   - identifier: the identifier, at most 255 bytes.
    ///   - payload: the payload, at most 10 MiB in a message.
    ///   - chunkSize: accepted for source compatibility, but not used. Records are always written in one piece, as the
    ///     NFC Forum requires for tags, and chunks are joined when they are read.
    public convenience init(format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data, chunkSize: Int) {
        self.init(format: format, type: type, identifier: identifier, payload: payload)
    }

    /// TNF, type, identifier and payload, in the format of iOS.
    open override var description: String {
        func hex(_ data: Data) -> String { "<\(data.hex.lowercased())>" }
        return "TNF=\(typeNameFormat.rawValue), Payload Type=\(hex(type)), Payload ID=\(hex(identifier)), "
            + "Payload=\(hex(payload))"
    }

    /// Whether records support secure coding, which archives their four parts.
    ///
    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Creates a record from an archive.
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
    package var record: NDEFRecord {
        NDEFRecord(
            tnf: TypeNameFormat(rawValue: typeNameFormat.rawValue) ?? .unknown, type: [UInt8](type),
            identifier: [UInt8](identifier), payload: [UInt8](payload))
    }

    /// Creates a record from a record of the `NDEF` module.
    ///
    /// The reserved TNF 7 is treated as unknown, as the specification requires.
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

/// Passes a record to `init(coder:)`, the only initialiser that every subclass has.
///
/// Another `required` initialiser would break subclasses in client code that compiles on iOS.
final class RecordCoder: NSCoder {
    let record: NDEFRecord

    init(_ record: NDEFRecord) { self.record = record }
}
