// The answer of a phone for one pass — CoreNFC NFCVASResponse

public import Foundation

/// The answer to one ``NFCVASCommandConfiguration``.
///
/// Only a session creates responses.
open class NFCVASResponse: NSObject, NSCopying {
    /// The status word of the answer.
    public enum ErrorCode: Int, Hashable, Sendable {
        /// The answer contains data.
        case success = 0x9000
        /// The phone has no such pass.
        case dataNotFound = 0x6A83
        /// The pass is not active.
        case dataNotActivated = 0x6287
        /// P1 or P2 of the command is wrong.
        case wrongParameters = 0x6B00
        /// The length of the command's data is wrong.
        case wrongLCField = 0x6700
        /// The user must act first.
        case userIntervention = 0x6984
        /// The command's data is wrong.
        case incorrectData = 0x6A80
        /// The phone does not support this version.
        case unsupportedApplicationVersion = 0x6340
    }

    /// The status of the answer.
    public let status: ErrorCode
    /// The decrypted data of the pass.
    public let vasData: Data
    /// The token that identifies the phone for this pass.
    public let mobileToken: Data

    package init(status: ErrorCode, vasData: Data, mobileToken: Data) {
        self.status = status
        self.vasData = vasData
        self.mobileToken = mobileToken
    }

    /// Returns this answer, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
// The names from iOS 13.
extension NFCVASResponse.ErrorCode {
    /// The iOS 13 name of ``success``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.success")
    public static var VASErrorCodeSuccess: NFCVASResponse.ErrorCode { .success }
    /// The iOS 13 name of ``dataNotFound``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.dataNotFound")
    public static var VASErrorCodeDataNotFound: NFCVASResponse.ErrorCode { .dataNotFound }
    /// The iOS 13 name of ``dataNotActivated``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.dataNotActivated")
    public static var VASErrorCodeDataNotActivated: NFCVASResponse.ErrorCode { .dataNotActivated }
    /// The iOS 13 name of ``wrongParameters``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.wrongParameters")
    public static var VASErrorCodeWrongParameters: NFCVASResponse.ErrorCode { .wrongParameters }
    /// The iOS 13 name of ``wrongLCField``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.wrongLCField")
    public static var VASErrorCodeWrongLCField: NFCVASResponse.ErrorCode { .wrongLCField }
    /// The iOS 13 name of ``userIntervention``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.userIntervention")
    public static var VASErrorCodeUserIntervention: NFCVASResponse.ErrorCode { .userIntervention }
    /// The iOS 13 name of ``incorrectData``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.incorrectData")
    public static var VASErrorCodeIncorrectData: NFCVASResponse.ErrorCode { .incorrectData }
    /// The iOS 13 name of ``unsupportedApplicationVersion``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.unsupportedApplicationVersion")
    public static var VASErrorCodeUnsupportedApplicationVersion: NFCVASResponse.ErrorCode {
        .unsupportedApplicationVersion
    }
}

/// The original name of ``NFCVASResponse/ErrorCode``.
@available(*, deprecated, renamed: "NFCVASResponse.ErrorCode")
public typealias VASErrorCode = NFCVASResponse.ErrorCode
