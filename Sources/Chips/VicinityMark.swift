// How an ISO 15693 chip shows what it is — ISO/IEC 15693-3, Unique Identifier; the chips' data sheets

/// The UIDs and the system information of one kind of ISO 15693 chip: E0, the maker's code, a product code, a serial number.
public struct VicinityMark: Hashable, Sendable {
    /// The bits of UID byte 2, counted from E0 on, that are the product code.
    public let mask: UInt8
    /// These bits.
    public let productCode: UInt8
    /// Bits 36 and 35 of the UID, by which NXP tells generations of one product code apart; `nil` where they do not matter.
    public let generation: UInt8?
    /// The number of blocks in the system information, where only that tells the chips of a family apart.
    public let blockCounts: ClosedRange<Int>?

    init(_ productCode: UInt8, mask: UInt8 = 0xFF, generation: UInt8? = nil, blocks: ClosedRange<Int>? = nil) {
        (self.productCode, self.mask, self.generation, blockCounts) = (productCode, mask, generation, blocks)
    }

    /// Whether a chip with this UID is one of these.
    ///
    /// - Parameters:
    ///   - uid: the UID, E0 first.
    ///   - maker: the code of the chip's maker in ISO/IEC 7816-6.
    ///   - blockCount: the number of blocks in its system information; `nil` where that was not answered.
    /// - Returns: false also for a UID that does not have 8 bytes, and without a block count where the mark needs one.
    public func matches(_ uid: [UInt8], maker: UInt8?, blockCount: Int?) -> Bool {
        guard uid.count == 8, uid[0] == 0xE0, uid[1] == maker, uid[2] & mask == productCode else { return false }
        if let generation, uid[3] >> 3 & 0b11 != generation { return false }
        guard let blockCounts else { return true }
        return blockCount.map(blockCounts.contains) ?? false
    }
}
