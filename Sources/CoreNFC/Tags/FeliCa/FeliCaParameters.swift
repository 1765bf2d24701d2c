// Parameters of FeliCa commands — CoreNFC; JIS X 6319-4, FeliCa Card User's Manual

/// The data that Polling requests from a card in addition to its identifiers.
public enum NFCFeliCaPollingRequestCode: Int, Hashable, Sendable {
    /// No data.
    case noRequest = 0
    /// The system code.
    case systemCode = 1
    /// The supported bit rates.
    case communicationPerformance = 2
}

/// The number of time slots in which cards may answer Polling.
public enum NFCFeliCaPollingTimeSlot: Int, Hashable, Sendable {
    /// One time slot.
    case max1 = 0
    /// Two time slots.
    case max2 = 1
    /// Four time slots.
    case max4 = 3
    /// Eight time slots.
    case max8 = 7
    /// Sixteen time slots.
    case max16 = 15
}

/// The encryption algorithms of a node's keys.
public enum NFCFeliCaEncryptionId: Int, Hashable, Sendable {
    /// AES.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case AES = 0x4F
    /// AES and DES.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case AES_DES = 0x41
}

/// The earlier name of ``NFCFeliCaPollingRequestCode``.
@available(*, deprecated, renamed: "NFCFeliCaPollingRequestCode")
public typealias PollingRequestCode = NFCFeliCaPollingRequestCode
/// The earlier name of ``NFCFeliCaPollingTimeSlot``.
@available(*, deprecated, renamed: "NFCFeliCaPollingTimeSlot")
public typealias PollingTimeSlot = NFCFeliCaPollingTimeSlot
/// The earlier name of ``NFCFeliCaEncryptionId``.
@available(*, deprecated, renamed: "NFCFeliCaEncryptionId")
public typealias EncryptionId = NFCFeliCaEncryptionId

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NFCFeliCaPollingRequestCode {
    /// The earlier name of ``noRequest``.
    @available(*, deprecated, renamed: "noRequest")
    public static var PollingRequestCodeNoRequest: NFCFeliCaPollingRequestCode { .noRequest }
    /// The earlier name of ``systemCode``.
    @available(*, deprecated, renamed: "systemCode")
    public static var PollingRequestCodeSystemCode: NFCFeliCaPollingRequestCode { .systemCode }
    /// The earlier name of ``communicationPerformance``.
    @available(*, deprecated, renamed: "communicationPerformance")
    public static var PollingRequestCodeCommunicationPerformance: NFCFeliCaPollingRequestCode {
        .communicationPerformance
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NFCFeliCaPollingTimeSlot {
    /// The earlier name of ``max1``.
    @available(*, deprecated, renamed: "max1")
    public static var PollingTimeSlotMax1: NFCFeliCaPollingTimeSlot { .max1 }
    /// The earlier name of ``max2``.
    @available(*, deprecated, renamed: "max2")
    public static var PollingTimeSlotMax2: NFCFeliCaPollingTimeSlot { .max2 }
    /// The earlier name of ``max4``.
    @available(*, deprecated, renamed: "max4")
    public static var PollingTimeSlotMax4: NFCFeliCaPollingTimeSlot { .max4 }
    /// The earlier name of ``max8``.
    @available(*, deprecated, renamed: "max8")
    public static var PollingTimeSlotMax8: NFCFeliCaPollingTimeSlot { .max8 }
    /// The earlier name of ``max16``.
    @available(*, deprecated, renamed: "max16")
    public static var PollingTimeSlotMax16: NFCFeliCaPollingTimeSlot { .max16 }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension NFCFeliCaEncryptionId {
    /// The earlier name of ``AES``.
    @available(*, deprecated, renamed: "AES")
    public static var aes: NFCFeliCaEncryptionId { .AES }
    /// The earlier name of ``AES_DES``.
    @available(*, deprecated, renamed: "AES_DES")
    public static var aes_des: NFCFeliCaEncryptionId { .AES_DES }
}
