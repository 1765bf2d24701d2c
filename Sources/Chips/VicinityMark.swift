// The identification of an ISO 15693 chip — ISO/IEC 15693-3, Unique Identifier; the chips' data sheets

/// The UIDs and the system information of one kind of ISO 15693 chip.
///
/// A UID consists of E0, the manufacturer code, a product code and a serial number.
public struct VicinityMark: Hashable, Sendable {
    /// The mask of the product code in byte 2 of the UID, whose byte 0 is E0.
    public let mask: UInt8
    /// The product code, in the bits of ``mask``.
    public let productCode: UInt8
    /// Bits 36 and 35 of the UID, which NXP uses to distinguish generations of a product code, or `nil` if they do not
    /// matter.
    public let generation: UInt8?
    /// The possible numbers of blocks in the system information, or `nil` if the UID alone identifies the chip.
    public let blockCounts: ClosedRange<Int>?

    init(_ productCode: UInt8, mask: UInt8 = 0xFF, generation: UInt8? = nil, blocks: ClosedRange<Int>? = nil) {
        (self.productCode, self.mask, self.generation, blockCounts) = (productCode, mask, generation, blocks)
    }

    /// Whether a chip with this UID matches the mark.
    ///
    /// - Parameters:
    ///   - uid: the UID, E0 first.
    ///   - maker: the manufacturer code of the chip in ISO/IEC 7816-6.
    ///   - blockCount: the number of blocks in the chip's system information, or `nil` if the chip did not report it.
    /// - Returns: `true` if it matches; `false` also if the UID is not 8 bytes long, or if the mark needs a block count
    ///   and there is none.
    public func matches(_ uid: [UInt8], maker: UInt8?, blockCount: Int?) -> Bool {
        guard uid.count == 8, uid[0] == 0xE0, uid[1] == maker, uid[2] & mask == productCode else { return false }
        if let generation, uid[3] >> 3 & 0b11 != generation { return false }
        guard let blockCounts else { return true }
        return blockCount.map(blockCounts.contains) ?? false
    }
}
