// The flags of an ISO 15693 tag's answer — CoreNFC NFCISO15693ResponseFlag, ISO/IEC 15693-3 (response flags)

/// The flags byte of an ISO 15693 answer.
public struct NFCISO15693ResponseFlag: OptionSet, Sendable {
    /// The flags byte.
    public let rawValue: UInt8

    /// Creates flags from a byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The tag reports an error, and the answer contains the error code.
    public static var error: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 0) }
    /// The response buffer holds an answer.
    public static var responseBufferValid: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 1) }
    /// This is the last answer of the security exchange.
    public static var finalResponse: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 2) }
    /// The answer has the extended format.
    public static var protocolExtension: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 3) }
    /// Bit 5 of the block's security status.
    public static var blockSecurityStatusBit5: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 4) }
    /// Bit 6 of the block's security status.
    public static var blockSecurityStatusBit6: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 5) }
    /// The tag needs more time.
    public static var waitTimeExtension: NFCISO15693ResponseFlag { NFCISO15693ResponseFlag(rawValue: 1 << 6) }
}
