// NDEF message — NFC Forum NDEF 1.0

/// An NDEF message: records in order.
public struct NDEFMessage: Hashable, Sendable {
    /// The most payload bytes a message may hold, all records and chunks together: 10 MiB, as Android allows a record.
    public static let maximumPayloadLength = 10 * 1024 * 1024

    /// The records, in the order in which they are stored.
    public var records: [NDEFRecord]

    /// Makes a message of these records; without any it encodes to no bytes, which is how an erased tag looks.
    public init(records: [NDEFRecord]) {
        self.records = records
    }

    /// Decodes exactly one message: MB on the first record, ME on the last, nothing after it.
    ///
    /// Chunked records are put together under the first chunk's TNF, TYPE and ID. A record's content is not looked at:
    /// see ``NDEFRecord/content``.
    /// - Throws: ``NDEFError`` for all that is not a message, also for no bytes at all.
    public init(bytes: [UInt8]) throws(NDEFError) {
        var decoder = NDEFDecoder(bytes)
        records = try decoder.message()
    }

    /// The number of bytes ``encoded()`` gives: what the message takes on a tag, without the tag's own framing.
    public var length: Int {
        records.reduce(0) { $0 + $1.encodedLength }
    }

    /// The message as bytes, in the shortest form: SR below 256 payload bytes, IL only with an ID, no chunks.
    ///
    /// What this accepts, ``init(bytes:)`` decodes to an equal message (but for a message without records).
    /// - Throws: ``NDEFError`` naming the field and its offset in the encoding: a TYPE or ID longer than 255 bytes, more
    ///   payload than ``maximumPayloadLength``, or a field that the record's TNF forbids.
    public func encoded() throws(NDEFError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        var payloadLeft = Self.maximumPayloadLength
        for (index, record) in records.enumerated() {
            let header = RecordHeader(
                of: record, offset: bytes.count, isFirst: index == 0, isLast: index == records.count - 1)
            try header.check(payloadLeft: payloadLeft)
            payloadLeft -= header.payloadLength
            header.append(to: &bytes)
            bytes += record.type
            bytes += record.identifier
            bytes += record.payload
        }
        return bytes
    }
}
