// An NDEF record — NFC Forum NDEF 1.0

/// An NDEF record, with its chunks joined: TNF, TYPE, ID and PAYLOAD.
///
/// A record can have any combination of fields. ``NDEFMessage/encoded()`` rejects those that the specification forbids.
public struct NDEFRecord: Hashable, Sendable {
    /// The Type Name Format, which defines the meaning of ``type``.
    public var tnf: TypeNameFormat
    /// The TYPE field, 0 to 255 bytes.
    public var type: [UInt8]
    /// The ID field, which is a URI reference of 0 to 255 bytes.
    ///
    /// It is empty if the record has no ID.
    public var identifier: [UInt8]
    /// The PAYLOAD field, 0 to 10 MiB.
    public var payload: [UInt8]

    /// Creates a record from its fields without checking them.
    public init(tnf: TypeNameFormat, type: [UInt8], identifier: [UInt8] = [], payload: [UInt8]) {
        self.tnf = tnf
        self.type = type
        self.identifier = identifier
        self.payload = payload
    }

    /// The number of bytes that the record takes up in a message: header, TYPE, ID and PAYLOAD.
    public var encodedLength: Int {
        RecordHeader(of: self, offset: 0, isFirst: true, isLast: true).length + type.count + identifier.count
            + payload.count
    }
}
