// What went wrong, in Apple's codes and Apple's words — CoreNFC NFCReaderError

public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of every `NSError` of this module.
public let NFCErrorDomain: String = "NFCError"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key, in an error's user info, of the error byte an ISO 15693 tag answered with.
public let NFCISO15693TagResponseErrorKey: String = "ISO15693TagResponseErrorCode"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key whose presence in an error's user info says that the answer had the wrong length.
public let NFCTagResponseUnexpectedLengthErrorKey: String = "NFCTagResponseUnexpectedLength"

/// An error of a reader session or a tag.
///
/// `localizedDescription` is Apple's English text for the code, which apps compare. What really happened, the reader's or
/// the tag's own typed error, is under `NSUnderlyingErrorKey` in ``userInfo``.
public struct NFCReaderError: CustomNSError, Hashable, @unchecked Sendable {  // userInfo is written once, here
    /// What went wrong.
    public let code: Code
    /// The description and, where there is one, the underlying error.
    public let userInfo: [String: Any]

    /// Makes an error with a code.
    ///
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - userInfo: added to the description, which it may replace.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        // In the user info, since Foundation on Linux takes errorDescription from nowhere else for a CustomNSError.
        self.userInfo = [NSLocalizedDescriptionKey: code.text].merging(userInfo) { $1 }
    }

    /// ``NFCErrorDomain``.
    public static var errorDomain: String { NFCErrorDomain }
    /// The code's raw value.
    public var errorCode: Int { code.rawValue }
    /// ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }
    /// The English text Apple's system gives for the code.
    public var localizedDescription: String { userInfo[NSLocalizedDescriptionKey] as? String ?? code.text }

    /// Errors are equal when their codes are.
    public static func == (a: NFCReaderError, b: NFCReaderError) -> Bool { a.code == b.code }
    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension NFCReaderError: CustomDebugStringConvertible {
    /// As `NSError` prints itself on an iPhone: `Error Domain=NFCError Code=200 "Session invalidated by user" UserInfo={…}`.
    public var debugDescription: String {
        let info = userInfo.map { "\($0)=\($1)" }.sorted().joined(separator: ", ")
        return "Error Domain=\(Self.errorDomain) Code=\(errorCode) \"\(localizedDescription)\" UserInfo={\(info)}"
    }
}

extension NFCReaderError {
    /// An error with the error that caused it, as the reader, the tag or the message gave it.
    init(_ code: Code, causedBy cause: any Error) {
        self.init(code, userInfo: [NSUnderlyingErrorKey: cause])
    }

    /// The error that caused it, or itself.
    package var cause: any Error { userInfo[NSUnderlyingErrorKey] as? any Error ?? self }
}
