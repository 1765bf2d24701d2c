// The flags of a request to an ISO 15693 tag — CoreNFC NFCISO15693RequestFlag, ISO/IEC 15693-3 (request flags)

/// The flags byte of an ISO 15693 request.
///
/// The inventory flag (bit 3) is not among them: finding tags is the session's task.
public struct NFCISO15693RequestFlag: OptionSet, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Makes flags of a byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The tag answers with two subcarriers, not one.
    public static var dualSubCarriers: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 0) }
    /// The tag answers at the high data rate.
    public static var highDataRate: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 1) }
    /// The request's format is an extended one.
    public static var protocolExtension: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 3) }
    /// Only the selected tag obeys.
    public static var select: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 4) }
    /// Only the tag whose identifier is in the request obeys.
    public static var address: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 5) }
    /// What the command makes of it: with reading commands, the security byte comes before the block.
    public static var option: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 6) }
    /// What the command makes of it.
    public static var commandSpecificBit8: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 7) }
}

/// The first name of ``NFCISO15693RequestFlag``.
public typealias RequestFlag = NFCISO15693RequestFlag

// swift-format-ignore: AlwaysUseLowerCamelCase
// The names of iOS 11.
extension NFCISO15693RequestFlag {
    /// ``dualSubCarriers``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.dualSubCarriers")
    public static var RequestFlagDualSubCarriers: NFCISO15693RequestFlag { .dualSubCarriers }
    /// ``highDataRate``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.highDataRate")
    public static var RequestFlagHighDataRate: NFCISO15693RequestFlag { .highDataRate }
    /// ``protocolExtension``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.protocolExtension")
    public static var RequestFlagProtocolExtension: NFCISO15693RequestFlag { .protocolExtension }
    /// ``select``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.select")
    public static var RequestFlagSelect: NFCISO15693RequestFlag { .select }
    /// ``address``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.address")
    public static var RequestFlagAddress: NFCISO15693RequestFlag { .address }
    /// ``option``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.option")
    public static var RequestFlagOption: NFCISO15693RequestFlag { .option }
}
