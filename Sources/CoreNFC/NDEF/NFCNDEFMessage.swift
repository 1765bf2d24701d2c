// An NDEF message, under Apple's name — CoreNFC NFCNDEFMessage

public import Foundation
package import NDEF

/// The records of one NDEF message, in order.
///
/// An instance is not thread-safe: share it between queues only after its last change.
open class NFCNDEFMessage: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The records; an empty array is an empty message.
    open var records: [NFCNDEFPayload]

    /// The bytes the message takes on a tag.
    open var length: Int { message.length }

    /// Makes a message of records.
    public init(records: [NFCNDEFPayload]) {
        self.records = records
    }

    /// Makes a message of records, under the label of the newest SDK.
    public convenience init(NDEFRecords records: [NFCNDEFPayload]) {
        self.init(records: records)
    }

    /// Decodes exactly one message; nil when the bytes are not one.
    public convenience init?(data: Data) {
        guard let message = try? NDEFMessage(bytes: [UInt8](data)) else { return nil }
        self.init(message)
    }

    /// The records' descriptions, a line each.
    open override var description: String {
        records.map(\.description).joined(separator: "\n")
    }

    /// Messages are archived by their records.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an archived message.
    public required init?(coder: NSCoder) {
        guard let records = coder.decodeObject(of: [NSArray.self, NFCNDEFPayload.self], forKey: "records")
        else { return nil }
        self.records = records as? [NFCNDEFPayload] ?? []
    }

    /// Archives the message.
    open func encode(with coder: NSCoder) {
        coder.encode(records as NSArray, forKey: "records")
    }
}

extension NFCNDEFMessage {
    /// The message as the `NDEF` module has it.
    package var message: NDEFMessage { NDEFMessage(records: records.map(\.record)) }

    /// A message of the `NDEF` module.
    package convenience init(_ message: NDEFMessage) {
        self.init(records: message.records.map { NFCNDEFPayload($0) })
    }
}
