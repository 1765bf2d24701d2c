// A reader's description of the card in its field, in the form of an answer to reset — ISO/IEC 7816-3, 8.2; PC/SC part
// 3, 3.1.3.2.3

struct ContactlessATR: Hashable {
    /// The historical bytes: T1…TK.
    let historicalBytes: [UInt8]

    /// Parses an answer to reset.
    ///
    /// Returns nil if the bytes are truncated or not an answer to reset.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes[0] == 0x3B || bytes[0] == 0x3F else { return nil }
        let count = Int(bytes[1] & 0x0F)
        // T0 announces TA1…TD1, and each TD announces the interface bytes that follow it.
        var (announced, position) = (bytes[1] >> 4, 2)
        while announced != 0 {
            position += (announced & 0x7).nonzeroBitCount
            guard announced & 0x8 != 0 else { break }
            guard position < bytes.count else { return nil }
            announced = bytes[position] >> 4
            position += 1
        }
        guard position + count <= bytes.count else { return nil }
        historicalBytes = Array(bytes[position..<position + count])
    }

    /// The registered application provider of the PC/SC Workgroup.
    private static let workgroup: [UInt8] = [0xA0, 0x00, 0x00, 0x03, 0x06]

    /// A reader's description of a card that does not process APDUs itself.
    struct StorageCard: Hashable {
        /// SS, the radio standard.
        let standard: UInt8
        /// NN NN, the card name.
        let name: UInt16

        /// Whether the radio standard is that of NFC-V (ISO/IEC 15693 parts 1 to 4), regardless of the card name.
        var isNFCV: Bool { 0x09...0x0C ~= standard }
        /// Whether the radio standard is ISO/IEC 14443 type B, parts 1 to 3.
        var isNFCB: Bool { 0x05...0x07 ~= standard }
        var isNFCF: Bool { standard == 0x11 || Self.feliCaNames.contains(name) }
        var isJewel: Bool { Self.jewelNames.contains(name) }

        /// The card names of FeliCa and Jewel: from the PC/SC part 3 supplement, and those of the ACR122U (from memory).
        private static let feliCaNames: Set<UInt16> = [0x003B, 0xF011, 0xF012]
        private static let jewelNames: Set<UInt16> = [0x002F, 0x0030, 0xF004]

        /// The SEL_RES (SAK) of an NFC-A card with this card name, or nil if none is known.
        ///
        /// Names: PC/SC part 3 supplement. SEL_RES: NXP AN10833. ACS readers use FF nn for "undefined, SAK = nn".
        var selRes: UInt8? {
            switch name {
            case 0x0003, 0x003A, 0x003D: 0x00
            case 0x0001, 0x0036: 0x08
            case 0x0002, 0x0037: 0x18
            case 0x0026: 0x09
            case 0x0038: 0x10
            case 0x0039: 0x11
            case 0xFF00...0xFFFF: UInt8(truncatingIfNeeded: name)
            default: nil
            }
        }
    }

    /// The storage card, or nil for a card that processes APDUs itself.
    ///
    /// The historical bytes of a storage card are the category indicator 80, 4F, a length, the RID, SS and NN NN.
    var storageCard: StorageCard? {
        let head: [UInt8] = [0x80, 0x4F]
        guard historicalBytes.count >= 11, historicalBytes.starts(with: head),
            Int(historicalBytes[2]) >= 8, historicalBytes[3..<8].elementsEqual(Self.workgroup)
        else { return nil }
        return StorageCard(
            standard: historicalBytes[8], name: UInt16(historicalBytes[9]) << 8 | UInt16(historicalBytes[10]))
    }
}
