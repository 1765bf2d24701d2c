// An NDEF message — NFC Forum NDEF 1.0

/// An NDEF message: an ordered list of records.
public struct NDEFMessage: Hashable, Sendable {
    /// The maximum number of payload bytes in all records and chunks of a message together.
    ///
    /// The limit is 10 MiB, which is Android's limit for one record.
    public static let maximumPayloadLength = 10 * 1024 * 1024

    /// The records, in the order in which a tag stores them.
    public var records: [NDEFRecord]

    /// Creates a message from these records.
    ///
    /// A message without records is encoded as no bytes, as on an erased tag.
    public init(records: [NDEFRecord]) {
        self.records = records
    }

    /// Decodes exactly one message, with MB on the first record, ME on the last, and nothing after it.
    ///
    /// The chunks of a record are joined, with the TNF, TYPE and ID of the first chunk. The contents of records are not
    /// examined; see ``NDEFRecord/content``.
    /// - Throws: ``NDEFError`` if the bytes are not exactly one message, or if there are no bytes.
    public init(bytes: [UInt8]) throws(NDEFError) {
        var decoder = NDEFDecoder(bytes)
        records = try decoder.message()
    }

    /// The number of bytes that ``encoded()`` returns.
    ///
    /// This is the space that the message takes up on a tag, without the tag's framing.
    public var length: Int {
        records.reduce(0) { $0 + $1.encodedLength }
    }

    /// Encodes the message in its shortest form: SR below 256 payload bytes, IL only with an ID, no chunks.
    ///
    /// ``init(bytes:)`` decodes the result to an equal message, unless the message has no records.
    /// - Throws: ``NDEFError`` with the field and its offset in the encoding. The error is thrown for a TYPE or ID
    ///   longer than 255 bytes, for more payload than ``maximumPayloadLength``, or for a field that the TNF of the
    ///   record forbids.
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
