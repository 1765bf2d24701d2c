// What a phone answers for one pass — CoreNFC NFCVASResponse

public import Foundation

/// The answer to one ``NFCVASCommandConfiguration``.
///
/// Only a session makes them.
open class NFCVASResponse: NSObject, NSCopying {
    /// The status word of the answer.
    public enum ErrorCode: Int, Hashable, Sendable {
        /// There is data.
        case success = 0x9000
        /// There is no such pass.
        case dataNotFound = 0x6A83
        /// The pass is not active.
        case dataNotActivated = 0x6287
        /// P1 or P2 of the command is wrong.
        case wrongParameters = 0x6B00
        /// The length of the command's data is wrong.
        case wrongLCField = 0x6700
        /// The user has to do something first.
        case userIntervention = 0x6984
        /// The command's data is wrong.
        case incorrectData = 0x6A80
        /// The phone does not know this version.
        case unsupportedApplicationVersion = 0x6340
    }

    /// How it went.
    public let status: ErrorCode
    /// The pass's data, decrypted.
    public let vasData: Data
    /// What identifies the phone for this pass.
    public let mobileToken: Data

    package init(status: ErrorCode, vasData: Data, mobileToken: Data) {
        self.status = status
        self.vasData = vasData
        self.mobileToken = mobileToken
    }

    /// The same answer: it cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
// The names of iOS 13.
extension NFCVASResponse.ErrorCode {
    /// ``success``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.success")
    public static var VASErrorCodeSuccess: NFCVASResponse.ErrorCode { .success }
    /// ``dataNotFound``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.dataNotFound")
    public static var VASErrorCodeDataNotFound: NFCVASResponse.ErrorCode { .dataNotFound }
    /// ``dataNotActivated``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.dataNotActivated")
    public static var VASErrorCodeDataNotActivated: NFCVASResponse.ErrorCode { .dataNotActivated }
    /// ``wrongParameters``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.wrongParameters")
    public static var VASErrorCodeWrongParameters: NFCVASResponse.ErrorCode { .wrongParameters }
    /// ``wrongLCField``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.wrongLCField")
    public static var VASErrorCodeWrongLCField: NFCVASResponse.ErrorCode { .wrongLCField }
    /// ``userIntervention``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.userIntervention")
    public static var VASErrorCodeUserIntervention: NFCVASResponse.ErrorCode { .userIntervention }
    /// ``incorrectData``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.incorrectData")
    public static var VASErrorCodeIncorrectData: NFCVASResponse.ErrorCode { .incorrectData }
    /// ``unsupportedApplicationVersion``.
    @available(*, deprecated, renamed: "NFCVASResponse.ErrorCode.unsupportedApplicationVersion")
    public static var VASErrorCodeUnsupportedApplicationVersion: NFCVASResponse.ErrorCode {
        .unsupportedApplicationVersion
    }
}

/// The first name of ``NFCVASResponse/ErrorCode``.
@available(*, deprecated, renamed: "NFCVASResponse.ErrorCode")
public typealias VASErrorCode = NFCVASResponse.ErrorCode
