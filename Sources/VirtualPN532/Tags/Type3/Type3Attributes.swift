// The attribute information block — NFC Forum Type 3 Tag

/// The properties of the tag and its message in block 0 of a Type 3 Tag.
struct Type3Attributes: Hashable, Sendable {
    /// The maximum number of blocks in one read.
    var nbr: UInt8
    /// The maximum number of blocks in one write.
    var nbw: UInt8
    /// The number of blocks for NDEF data.
    var nmaxb: UInt16
    /// The length of the message, encoded in three bytes.
    var length = 0

    private static let version: UInt8 = 0x10
    private static let writeFinished: UInt8 = 0x00
    private static let readWrite: UInt8 = 0x01

    /// `Ver Nbr Nbw Nmaxb(2) unused(4) WriteF RWFlag Ln(3) checksum(2)`.
    var bytes: [UInt8] {
        let body =
            [Self.version, nbr, nbw] + nmaxb.bigEndianBytes + [0x00, 0x00, 0x00, 0x00, Self.writeFinished]
            + [Self.readWrite] + UInt32(truncatingIfNeeded: length).bigEndianBytes.suffix(3)
        return body + body.reduce(UInt16(0)) { $0 &+ UInt16($1) }.bigEndianBytes
    }
}
