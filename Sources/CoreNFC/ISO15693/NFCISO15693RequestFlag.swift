// The flags of a request to an ISO 15693 tag — CoreNFC NFCISO15693RequestFlag, ISO/IEC 15693-3 (request flags)

/// The flags byte of an ISO 15693 request.
///
/// The inventory flag (bit 3) is missing, because the session itself finds tags.
public struct NFCISO15693RequestFlag: OptionSet, Sendable {
    /// The flags byte.
    public let rawValue: UInt8

    /// Creates flags from a byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The tag answers with two subcarriers instead of one.
    public static var dualSubCarriers: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 0) }
    /// The tag answers at the high data rate.
    public static var highDataRate: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 1) }
    /// The request has the extended format.
    public static var protocolExtension: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 3) }
    /// Only the selected tag responds.
    public static var select: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 4) }
    /// Only the tag whose identifier is in the request responds.
    public static var address: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 5) }
    /// A flag whose meaning depends on the command.
    ///
    /// With this flag, read commands return a security status byte before each block.
    public static var option: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 6) }
    /// A flag whose meaning depends on the command.
    public static var commandSpecificBit8: NFCISO15693RequestFlag { NFCISO15693RequestFlag(rawValue: 1 << 7) }
}

/// The original name of ``NFCISO15693RequestFlag``.
public typealias RequestFlag = NFCISO15693RequestFlag

// swift-format-ignore: AlwaysUseLowerCamelCase
// The names from iOS 11.
extension NFCISO15693RequestFlag {
    /// The iOS 11 name of ``dualSubCarriers``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.dualSubCarriers")
    public static var RequestFlagDualSubCarriers: NFCISO15693RequestFlag { .dualSubCarriers }
    /// The iOS 11 name of ``highDataRate``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.highDataRate")
    public static var RequestFlagHighDataRate: NFCISO15693RequestFlag { .highDataRate }
    /// The iOS 11 name of ``protocolExtension``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.protocolExtension")
    public static var RequestFlagProtocolExtension: NFCISO15693RequestFlag { .protocolExtension }
    /// The iOS 11 name of ``select``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.select")
    public static var RequestFlagSelect: NFCISO15693RequestFlag { .select }
    /// The iOS 11 name of ``address``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.address")
    public static var RequestFlagAddress: NFCISO15693RequestFlag { .address }
    /// The iOS 11 name of ``option``.
    @available(*, deprecated, renamed: "NFCISO15693RequestFlag.option")
    public static var RequestFlagOption: NFCISO15693RequestFlag { .option }
}
