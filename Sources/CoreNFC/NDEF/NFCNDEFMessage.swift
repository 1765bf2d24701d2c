// An NDEF message, under Apple's name — CoreNFC NFCNDEFMessage

public import Foundation
package import NDEF

/// The records of one NDEF message, in order.
///
/// An instance is not thread-safe: share it between queues only when it no longer changes.
open class NFCNDEFMessage: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The records in order.
    ///
    /// Empty if the message has none.
    open var records: [NFCNDEFPayload]

    /// The length of the message on a tag in bytes.
    open var length: Int { message.length }

    /// Creates a message from records.
    public init(records: [NFCNDEFPayload]) {
        self.records = records
    }

    /// Creates a message from records, with the argument label of the newest SDK.
    public convenience init(NDEFRecords records: [NFCNDEFPayload]) {
        self.init(records: records)
    }

    /// Decodes exactly one message.
    ///
    /// Returns nil if the bytes are not exactly one message.
    public convenience init?(data: Data) {
        guard let message = try? NDEFMessage(bytes: [UInt8](data)) else { return nil }
        self.init(message)
    }

    /// The descriptions of the records, one per line.
    open override var description: String {
        records.map(\.description).joined(separator: "\n")
    }

    /// Whether messages support secure coding, which archives their records.
    ///
    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Creates a message from an archive.
    ///
    /// Returns nil if the archive contains no message.
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
    package var message: NDEFMessage { NDEFMessage(records: records.map(\.record)) }

    package convenience init(_ message: NDEFMessage) {
        self.init(records: message.records.map { NFCNDEFPayload($0) })
    }
}
