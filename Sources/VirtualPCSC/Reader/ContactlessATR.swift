// ATRs that readers create for contactless cards — PC/SC part 3, 3.1.3.2.3

/// The ATRs that readers create for cards without an ATR.
enum ContactlessATR {
    /// The standard byte (SS) for ISO 15693 part 3.
    static let iso15693Part3: UInt8 = 0x0B
    /// The registered application provider identifier (RID) of the PC/SC workgroup.
    private static let workgroup: [UInt8] = [0xA0, 0x00, 0x00, 0x03, 0x06]

    /// Returns the ATR of a storage card: `… 4F 0C A0 00 00 03 06 SS NN NN 00 00 00 00`.
    static func storageCard(standard: UInt8, name: UInt16) -> [UInt8] {
        let names = [UInt8(name >> 8), UInt8(name & 0xFF)]
        return card(historicalBytes: [0x80, 0x4F, 0x0C] + workgroup + [standard] + names + [0, 0, 0, 0])
    }

    /// Returns the ATR of a card with these historical bytes: `3B 8n 80 01 T1 … Tn TCK`.
    static func card(historicalBytes: [UInt8]) -> [UInt8] {
        let historical = historicalBytes.prefix(15)
        let bytes: [UInt8] = [0x80 | UInt8(historical.count), 0x80, 0x01] + historical
        return [0x3B] + bytes + [bytes.reduce(0, ^)]
    }
}
