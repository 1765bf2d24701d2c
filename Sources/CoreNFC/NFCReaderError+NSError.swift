// An NSError of the module's domain is an NFCReaderError, and the other way round — CoreNFC NFCReaderError, as imported
// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation

extension NFCReaderError {
    /// The error as an `NSError`.
    public var _nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: userInfo) }

    /// Makes an error of an `NSError`, which need not be one of this module.
    ///
    /// Swift's enumerations have no room for foreign codes: for them the error has code 202, and what was given is under
    /// `NSUnderlyingErrorKey`.
    public init(_nsError error: NSError) {
        var known: NFCReaderError?
        _ = Self._conditionallyBridgeFromObjectiveC(error, result: &known)
        self =
            known ?? NFCReaderError(.readerSessionInvalidationErrorSessionTerminatedUnexpectedly, causedBy: error)
    }
}

/// What makes `as? NFCReaderError` and `catch let error as NFCReaderError` see through an `NSError`, on Linux as on iOS.
extension NFCReaderError: _ObjectiveCBridgeable {
    /// The error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Takes an `NSError` known to be of this module.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout NFCReaderError?) {
        result = NFCReaderError(_nsError: source)
    }

    /// Takes an `NSError` of ``NFCErrorDomain`` whose code is one of ``Code``.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout NFCReaderError?) -> Bool {
        guard source.domain == errorDomain, let code = Code(rawValue: source.code) else { return false }
        result = NFCReaderError(code, userInfo: source.userInfo)
        return true
    }

    /// Takes an `NSError` known to be of this module.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> NFCReaderError {
        source.map(NFCReaderError.init(_nsError:)) ?? NFCReaderError(.readerErrorUnsupportedFeature)
    }
}
