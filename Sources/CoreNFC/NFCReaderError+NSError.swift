// Conversion between NSError and NFCReaderError — CoreNFC NFCReaderError, as imported
// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation

extension NFCReaderError {
    /// The error as an `NSError`.
    public var _nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: userInfo) }

    /// Creates an error from an `NSError`, which may come from another module.
    ///
    /// A Swift enumeration cannot hold unknown codes. For such a code, the new error has code 202, and the original
    /// error is stored under `NSUnderlyingErrorKey`.
    public init(_nsError error: NSError) {
        var known: NFCReaderError?
        _ = Self._conditionallyBridgeFromObjectiveC(error, result: &known)
        self =
            known ?? NFCReaderError(.readerSessionInvalidationErrorSessionTerminatedUnexpectedly, causedBy: error)
    }
}

/// Lets `as? NFCReaderError` and `catch let error as NFCReaderError` convert an `NSError` on Linux, as on iOS.
extension NFCReaderError: _ObjectiveCBridgeable {
    /// The error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Converts an `NSError` that is known to come from this module.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout NFCReaderError?) {
        result = NFCReaderError(_nsError: source)
    }

    /// Converts an `NSError` of ``NFCErrorDomain`` whose code is one of ``Code``.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout NFCReaderError?) -> Bool {
        guard source.domain == errorDomain, let code = Code(rawValue: source.code) else { return false }
        result = NFCReaderError(code, userInfo: source.userInfo)
        return true
    }

    /// Converts an `NSError` that is known to come from this module.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> NFCReaderError {
        source.map(NFCReaderError.init(_nsError:)) ?? NFCReaderError(.readerErrorUnsupportedFeature)
    }
}
