// The attribute information block — NFC Forum Type 3 Tag

/// The content of the attribute information block, which is block 0 of a Type 3 Tag.
struct Type3Attributes: Hashable, Sendable {
    /// The maximum number of blocks in one read command.
    var nbr: UInt8
    /// The maximum number of blocks in one write command.
    var nbw: UInt8
    /// The number of blocks available for NDEF data.
    var nmaxb: UInt16
    /// The length of the message in bytes.
    ///
    /// The block stores it in three bytes.
    var length = 0

    private static let version: UInt8 = 0x10
    private static let writeFinished: UInt8 = 0x00
    private static let readWrite: UInt8 = 0x01

    /// The content of the block: `Ver Nbr Nbw Nmaxb(2) unused(4) WriteF RWFlag Ln(3) checksum(2)`.
    var bytes: [UInt8] {
        let body =
            [Self.version, nbr, nbw] + nmaxb.bigEndianBytes + [0x00, 0x00, 0x00, 0x00, Self.writeFinished]
            + [Self.readWrite] + UInt32(truncatingIfNeeded: length).bigEndianBytes.suffix(3)
        return body + body.reduce(UInt16(0)) { $0 &+ UInt16($1) }.bigEndianBytes
    }
}
