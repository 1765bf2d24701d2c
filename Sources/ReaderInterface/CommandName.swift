// The names that specifications give to tag commands, for use in errors

extension Technology {
    /// Returns the name of the command with this code, or nil if none of the specifications names it.
    ///
    /// The specifications are NFC Forum T1T and T2T, NXP NTAG21x and MF0ICU2, MIFARE Classic, JIS X 6319-4 and ISO/IEC
    /// 15693-3.
    func commandName(_ code: UInt8) -> String? {
        switch self {
        case .nfcA: Self.nfcANames[code]
        case .nfcB: nil
        case .nfcF: Self.nfcFNames[code]
        case .jewel: Self.jewelNames[code]
        case .nfcV: Self.nfcVNames[code]
        }
    }

    private static let nfcANames: [UInt8: String] = [
        0x1A: "AUTHENTICATE", 0x1B: "PWD_AUTH", 0x30: "READ", 0x39: "READ_CNT", 0x3A: "FAST_READ", 0x3C: "READ_SIG",
        0x60: "GET_VERSION", 0xA2: "WRITE", 0xAF: "AUTHENTICATE", 0xC2: "SECTOR_SELECT",
    ]

    private static let nfcFNames: [UInt8: String] = [
        0x00: "Polling", 0x06: "Read Without Encryption", 0x08: "Write Without Encryption",
    ]

    private static let jewelNames: [UInt8: String] = [
        0x00: "RALL", 0x01: "READ", 0x02: "READ8", 0x10: "RSEG", 0x1A: "WRITE-NE", 0x1B: "WRITE-NE8", 0x53: "WRITE-E",
        0x54: "WRITE-E8", 0x78: "RID",
    ]

    private static let nfcVNames: [UInt8: String] = [
        0x20: "Read Single Block", 0x21: "Write Single Block", 0x22: "Lock Block", 0x23: "Read Multiple Blocks",
        0x24: "Write Multiple Blocks", 0x25: "Select", 0x26: "Reset to Ready", 0x27: "Write AFI", 0x28: "Lock AFI",
        0x29: "Write DSFID", 0x2A: "Lock DSFID", 0x2B: "Get System Information",
        0x2C: "Get Multiple Block Security Status", 0x30: "Extended Read Single Block",
        0x31: "Extended Write Single Block", 0x32: "Extended Lock Block", 0x33: "Extended Read Multiple Blocks",
        0x34: "Extended Write Multiple Blocks", 0x3B: "Extended Get System Information",
        0x3C: "Extended Get Multiple Block Security Status",
    ]
}
