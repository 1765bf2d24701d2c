// The handover carrier record (`Hc`) — NFC Forum Connection Handover 1.5, section 6.7

/// A carrier without its configuration, which another device can request.
///
/// Payload: `carrier type format (1: TNF in the lower 3 bits), length of the type (1), type, data`.
public struct HandoverCarrierRecord: Hashable, Sendable {
    static let type = Array("Hc".utf8)

    /// The TNF of the carrier's configuration record, which defines the meaning of ``type``.
    public var format: TypeNameFormat
    /// The type of the carrier's configuration record, 0 to 255 bytes.
    public var type: [UInt8]
    /// The carrier data.
    public var data: [UInt8]

    /// Creates a carrier without checking its parts.
    public init(format: TypeNameFormat, type: [UInt8], data: [UInt8] = []) {
        self.format = format
        self.type = type
        self.data = data
    }

    /// Parses a record with TNF 1 and type `Hc`.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, record.type == Self.type else {
            throw ContentError("Not a handover carrier record.")
        }
        guard record.payload.count >= 2 else { throw ContentError("The handover carrier is shorter than 2 bytes.") }
        let (length, rest) = (Int(record.payload[1]), record.payload.dropFirst(2))
        guard length <= rest.count else {
            let shortage = NDEFError.shortage(needed: length, left: rest.count)
            throw ContentError("The handover carrier's type \(shortage)")
        }
        format = TypeNameFormat(rawValue: record.payload[0] & 0x07) ?? .reserved
        type = Array(rest.prefix(length))
        data = Array(rest.dropFirst(length))
    }

    /// Encodes the carrier as a record.
    /// - Throws: ``ContentError`` if the type is longer than 255 bytes.
    public func record() throws(ContentError) -> NDEFRecord {
        guard type.count <= 255 else { throw ContentError("The handover carrier's type is longer than 255 bytes.") }
        let head = [format.rawValue, UInt8(truncatingIfNeeded: type.count)]
        return NDEFRecord(tnf: .wellKnown, type: Self.type, payload: head + type + data)
    }
}
