// The status flags of FeliCa answers — FeliCa Card User's Manual and FeliCa Lite-S User's Manual, Status Flag1 and
// Status Flag2

/// The two status flags of an answer, for example to Read Without Encryption.
public struct FeliCaStatus: Hashable, Sendable {
    /// Status Flag1: 00 for success; for an error, FF, or the entry of the service or block list that failed.
    public let flag1: UInt8
    /// Status Flag2: the kind of error.
    public let flag2: UInt8

    /// Creates a status from its two bytes.
    public init(flag1: UInt8, flag2: UInt8) {
        self.flag1 = flag1
        self.flag2 = flag2
    }

    /// Whether the command was carried out.
    ///
    /// Flag2 71 only warns that a block was rewritten too often.
    public var isSuccess: Bool { flag1 == 0x00 || flag2 == 0x71 }

    /// Whether the command failed because it requires authentication with the card key.
    public var wantsAuthentication: Bool { flag2 == 0xB1 || flag2 == 0xB2 }

    /// The meaning of the status, as a clause.
    public var meaning: String {
        switch flag2 {
        case _ where isSuccess: "success"
        case 0x70: "memory error"
        case 0xA1: "illegal number of services"
        case 0xA2: "illegal number of blocks"
        case 0xA3: "illegal order in the block list"
        case 0xA4: "illegal service type"
        case 0xA5: "access not allowed"
        case 0xA6: "illegal service code list"
        case 0xA7: "illegal access mode in the block list"
        case 0xA8: "illegal block number"
        case 0xA9: "write failure"
        case 0xB1: "authentication needed"
        case 0xB2: "message authentication code needed or wrong"
        default: "no meaning known"
        }
    }
}
