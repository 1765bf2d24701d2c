// The Type 1 Tag capability container — NFC Forum T1T, Memory Structure

/// The capability container of a Type 1 Tag, the first four bytes of block 1.
///
/// Layout: NMN (magic number `E1`), VNo (major and minor nibble), TMS (number of 8-byte blocks, minus one), RWA (read
/// and write access nibbles).
struct Type1CapabilityContainer: TLVCapabilityContainer {
    /// The byte address of NMN, with which the container begins.
    static let address = 8
    /// The offset of RWA in the container.
    static let accessOffset = 3

    let bytes: [UInt8]

    /// Decodes the container, or returns `nil` unless there are four bytes that begin with the magic number.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.magicNumber else { return nil }
        self.bytes = bytes
    }

    /// The size of the memory, counted from block 0, in bytes.
    var memorySize: Int { (Int(bytes[2]) + 1) * Type1Memory.blockSize }
}
