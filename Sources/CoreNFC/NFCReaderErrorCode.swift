// The codes of NFCReaderError, with Apple's raw values and texts — CoreNFC NFCReaderError.Code

extension NFCReaderError {
    /// The code of an error.
    public enum Code: Int, Hashable, Sendable {
        /// There is no reader, or it does not support the requested feature.
        case readerErrorUnsupportedFeature = 1
        /// The operation is not allowed: on Linux, there is no permission to open the reader.
        case readerErrorSecurityViolation = 2
        /// A parameter is invalid.
        case readerErrorInvalidParameter = 3
        /// A parameter has the wrong length.
        case readerErrorInvalidParameterLength = 4
        /// A parameter is out of range.
        case readerErrorParameterOutOfBound = 5
        /// The radio is off.
        case readerErrorRadioDisabled = 6
        /// The device or account is not eligible (payment tags).
        case readerErrorIneligible = 7
        /// The user has not accepted access (payment tags).
        case readerErrorAccessNotAccepted = 8
        /// The tag left the field.
        case readerTransceiveErrorTagConnectionLost = 100
        /// No retries are left.
        case readerTransceiveErrorRetryExceeded = 101
        /// The tag's answer was invalid or missing.
        case readerTransceiveErrorTagResponseError = 102
        /// The session has ended.
        case readerTransceiveErrorSessionInvalidated = 103
        /// The tag is not connected.
        case readerTransceiveErrorTagNotConnected = 104
        /// A command is too long for the reader.
        case readerTransceiveErrorPacketTooLong = 105
        /// The app or the user ended the session.
        case readerSessionInvalidationErrorUserCanceled = 200
        /// The session's time limit was reached.
        case readerSessionInvalidationErrorSessionTimeout = 201
        /// The reader failed.
        case readerSessionInvalidationErrorSessionTerminatedUnexpectedly = 202
        /// The reader is in use by another session or process.
        case readerSessionInvalidationErrorSystemIsBusy = 203
        /// A session for a single tag has read its tag.
        case readerSessionInvalidationErrorFirstNDEFTagRead = 204
        /// A tag command configuration is invalid.
        case tagCommandConfigurationErrorInvalidParameters = 300
        /// The tag cannot be written.
        case ndefReaderSessionErrorTagNotWritable = 400
        /// A write failed midway.
        case ndefReaderSessionErrorTagUpdateFailure = 401
        /// The message is too long for the tag.
        case ndefReaderSessionErrorTagSizeTooSmall = 402
        /// The tag holds no message.
        case ndefReaderSessionErrorZeroLengthMessage = 403
        // The values of the next three codes are those in the SDK's header (iOS 27), as listed in dotnet/macios among
        // the symbols without a binding: tests/xtro-sharpie/api-annotations-dotnet/iOS-CoreNFC.todo, commit 5c7652be.
        /// The user does not allow the app to use the location (payment tags).
        case paymentTagReaderSessionErrorLocationAuthorizationDenied = 500
        /// Location services are restricted on the device (payment tags).
        case paymentTagReaderSessionErrorLocationServiceRestricted = 501
        /// The device cannot determine its location (payment tags).
        case paymentTagReaderSessionErrorOnDeviceLocationUnavailable = 502
    }
}

extension NFCReaderError {
    /// There is no reader, or it does not support the requested feature.
    public static var readerErrorUnsupportedFeature: Code { .readerErrorUnsupportedFeature }
    /// The operation is not allowed: on Linux, there is no permission to open the reader.
    public static var readerErrorSecurityViolation: Code { .readerErrorSecurityViolation }
    /// A parameter is invalid.
    public static var readerErrorInvalidParameter: Code { .readerErrorInvalidParameter }
    /// A parameter has the wrong length.
    public static var readerErrorInvalidParameterLength: Code { .readerErrorInvalidParameterLength }
    /// A parameter is out of range.
    public static var readerErrorParameterOutOfBound: Code { .readerErrorParameterOutOfBound }
    /// The radio is off.
    public static var readerErrorRadioDisabled: Code { .readerErrorRadioDisabled }
    /// The device or account is not eligible (payment tags).
    public static var readerErrorIneligible: Code { .readerErrorIneligible }
    /// The user has not accepted access (payment tags).
    public static var readerErrorAccessNotAccepted: Code { .readerErrorAccessNotAccepted }
    /// The tag left the field.
    public static var readerTransceiveErrorTagConnectionLost: Code { .readerTransceiveErrorTagConnectionLost }
    /// No retries are left.
    public static var readerTransceiveErrorRetryExceeded: Code { .readerTransceiveErrorRetryExceeded }
    /// The tag's answer was invalid or missing.
    public static var readerTransceiveErrorTagResponseError: Code { .readerTransceiveErrorTagResponseError }
    /// The session has ended.
    public static var readerTransceiveErrorSessionInvalidated: Code { .readerTransceiveErrorSessionInvalidated }
    /// The tag is not connected.
    public static var readerTransceiveErrorTagNotConnected: Code { .readerTransceiveErrorTagNotConnected }
    /// A command is too long for the reader.
    public static var readerTransceiveErrorPacketTooLong: Code { .readerTransceiveErrorPacketTooLong }
    /// The app or the user ended the session.
    public static var readerSessionInvalidationErrorUserCanceled: Code { .readerSessionInvalidationErrorUserCanceled }
    /// The session's time limit was reached.
    public static var readerSessionInvalidationErrorSessionTimeout: Code {
        .readerSessionInvalidationErrorSessionTimeout
    }
    /// The reader failed.
    public static var readerSessionInvalidationErrorSessionTerminatedUnexpectedly: Code {
        .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
    }
    /// The reader is in use by another session or process.
    public static var readerSessionInvalidationErrorSystemIsBusy: Code { .readerSessionInvalidationErrorSystemIsBusy }
    /// A session for a single tag has read its tag.
    public static var readerSessionInvalidationErrorFirstNDEFTagRead: Code {
        .readerSessionInvalidationErrorFirstNDEFTagRead
    }
    /// A tag command configuration is invalid.
    public static var tagCommandConfigurationErrorInvalidParameters: Code {
        .tagCommandConfigurationErrorInvalidParameters
    }
    /// The tag cannot be written.
    public static var ndefReaderSessionErrorTagNotWritable: Code { .ndefReaderSessionErrorTagNotWritable }
    /// A write failed midway.
    public static var ndefReaderSessionErrorTagUpdateFailure: Code { .ndefReaderSessionErrorTagUpdateFailure }
    /// The message is too long for the tag.
    public static var ndefReaderSessionErrorTagSizeTooSmall: Code { .ndefReaderSessionErrorTagSizeTooSmall }
    /// The tag holds no message.
    public static var ndefReaderSessionErrorZeroLengthMessage: Code { .ndefReaderSessionErrorZeroLengthMessage }
    /// The user does not allow the app to use the location (payment tags).
    public static var paymentTagReaderSessionErrorLocationAuthorizationDenied: Code {
        .paymentTagReaderSessionErrorLocationAuthorizationDenied
    }
    /// Location services are restricted on the device (payment tags).
    public static var paymentTagReaderSessionErrorLocationServiceRestricted: Code {
        .paymentTagReaderSessionErrorLocationServiceRestricted
    }
    /// The device cannot determine its location (payment tags).
    public static var paymentTagReaderSessionErrorOnDeviceLocationUnavailable: Code {
        .paymentTagReaderSessionErrorOnDeviceLocationUnavailable
    }
}

extension NFCReaderError.Code {
    /// Lets `catch NFCReaderError.readerErrorUnsupportedFeature` and `case NFCReaderError.…:` match errors by code.
    public static func ~= (code: NFCReaderError.Code, error: any Error) -> Bool {
        (error as? NFCReaderError)?.code == code
    }

    /// Apple's English text for the code, or the project's own if Apple's is not known.
    var text: String {
        switch self {
        case .readerErrorUnsupportedFeature: "Feature not supported"
        case .readerErrorSecurityViolation: "Missing required entitlement"
        case .readerErrorInvalidParameter: "Invalid parameter"
        case .readerErrorInvalidParameterLength: "Invalid parameter length"
        case .readerErrorParameterOutOfBound: "Parameter out of bound"
        case .readerErrorRadioDisabled: "NFC radio is disabled"
        case .readerErrorIneligible: "Not eligible"
        case .readerErrorAccessNotAccepted: "Access not accepted"
        case .readerTransceiveErrorTagConnectionLost: "Tag connection lost"
        case .readerTransceiveErrorRetryExceeded: "Maximum retries exceeded"
        case .readerTransceiveErrorTagResponseError: "Tag response error / no response"
        case .readerTransceiveErrorSessionInvalidated: "Session invalidated"
        case .readerTransceiveErrorTagNotConnected: "Tag is not connected"
        case .readerTransceiveErrorPacketTooLong: "Packet length has exceeded the limit"
        case .readerSessionInvalidationErrorUserCanceled: "Session invalidated by user"
        case .readerSessionInvalidationErrorSessionTimeout: "Session timeout"
        case .readerSessionInvalidationErrorSessionTerminatedUnexpectedly: "Session invalidated unexpectedly"
        case .readerSessionInvalidationErrorSystemIsBusy: "System resource unavailable"
        case .readerSessionInvalidationErrorFirstNDEFTagRead: "First NDEF tag read"
        case .tagCommandConfigurationErrorInvalidParameters: "Invalid configuration parameters"
        case .ndefReaderSessionErrorTagNotWritable: "NDEF tag is read only"
        case .ndefReaderSessionErrorTagUpdateFailure: "Stack Error"
        case .ndefReaderSessionErrorTagSizeTooSmall: "NDEF tag size is too small"
        case .ndefReaderSessionErrorZeroLengthMessage: "NDEF tag does not contain any NDEF message"
        case .paymentTagReaderSessionErrorLocationAuthorizationDenied: "Location access is denied"
        case .paymentTagReaderSessionErrorLocationServiceRestricted: "Location services are restricted"
        case .paymentTagReaderSessionErrorOnDeviceLocationUnavailable: "Location is unavailable"
        }
    }
}
