// The Type 2 Tag capability container — NFC Forum T2T, Memory Structure

/// The capability container of a Type 2 Tag, in block 3.
///
/// Layout: magic number `E1`, version (major and minor nibble), data area size in units of 8 bytes, read and write
/// access nibbles.
struct Type2CapabilityContainer: TLVCapabilityContainer {
    static let block = 3

    let bytes: [UInt8]

    /// Decodes the block, or returns `nil` unless there are four bytes that begin with the magic number.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.magicNumber else { return nil }
        self.bytes = bytes
    }

    var dataAreaSize: Int { Int(bytes[2]) * 8 }
}
