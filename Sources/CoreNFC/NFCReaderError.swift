// Errors with Apple's codes and texts — CoreNFC NFCReaderError

public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every `NSError` of this module.
public let NFCErrorDomain: String = "NFCError"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The user info key for the error byte in an ISO 15693 tag's answer.
public let NFCISO15693TagResponseErrorKey: String = "ISO15693TagResponseErrorCode"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The user info key that is present if the answer had the wrong length.
public let NFCTagResponseUnexpectedLengthErrorKey: String = "NFCTagResponseUnexpectedLength"

/// A reader session or tag error.
///
/// `localizedDescription` is Apple's English text for the code, because apps compare it. The actual cause, a typed
/// error from the reader or the tag, is stored in ``userInfo`` under `NSUnderlyingErrorKey`.
public struct NFCReaderError: CustomNSError, Hashable, @unchecked Sendable {  // userInfo is only set by the initialiser
    /// The code of the error.
    public let code: Code
    /// The description and the underlying error, if there is one.
    public let userInfo: [String: Any]

    /// Creates an error with a code.
    ///
    /// - Parameters:
    ///   - code: the code of the error.
    ///   - userInfo: further entries. An entry for the description replaces Apple's text.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        // The text is stored in the user info, because Foundation on Linux ignores `errorDescription` of a
        // CustomNSError.
        self.userInfo = [NSLocalizedDescriptionKey: code.text].merging(userInfo) { $1 }
    }

    /// The domain of these errors, ``NFCErrorDomain``.
    public static var errorDomain: String { NFCErrorDomain }
    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }
    /// The user info, the same as ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }
    /// The English text of the error, by default Apple's text for the code.
    public var localizedDescription: String { userInfo[NSLocalizedDescriptionKey] as? String ?? code.text }

    /// Returns whether two errors have the same code.
    ///
    /// The user info is not compared.
    public static func == (a: NFCReaderError, b: NFCReaderError) -> Bool { a.code == b.code }
    /// Hashes only the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension NFCReaderError: CustomDebugStringConvertible {
    /// The text that `NSError` prints on an iPhone: `Error Domain=NFCError Code=200 "Session invalidated by user"
    /// UserInfo={…}`.
    public var debugDescription: String {
        let info = userInfo.map { "\($0)=\($1)" }.sorted().joined(separator: ", ")
        return "Error Domain=\(Self.errorDomain) Code=\(errorCode) \"\(localizedDescription)\" UserInfo={\(info)}"
    }
}

extension NFCReaderError {
    /// Creates an error with its cause: an error from the reader, the tag or the message.
    init(_ code: Code, causedBy cause: any Error) {
        self.init(code, userInfo: [NSUnderlyingErrorKey: cause])
    }

    /// The underlying error, or this error itself if it has none.
    package var cause: any Error { userInfo[NSUnderlyingErrorKey] as? any Error ?? self }
}
