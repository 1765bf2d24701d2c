// Switches over every code and enum, with no default, and with an unknown one
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.

import CoreNFC

extension NFCReaderError.Code {
    var isTransceiveError: Bool {
        switch self {
        case .readerTransceiveErrorTagConnectionLost, .readerTransceiveErrorRetryExceeded,
            .readerTransceiveErrorTagResponseError, .readerTransceiveErrorSessionInvalidated,
            .readerTransceiveErrorTagNotConnected, .readerTransceiveErrorPacketTooLong:
            return true
        case .readerErrorUnsupportedFeature, .readerErrorSecurityViolation, .readerErrorInvalidParameter,
            .readerErrorInvalidParameterLength, .readerErrorParameterOutOfBound, .readerErrorRadioDisabled,
            .readerErrorIneligible, .readerErrorAccessNotAccepted:
            return false
        case .readerSessionInvalidationErrorUserCanceled, .readerSessionInvalidationErrorSessionTimeout,
            .readerSessionInvalidationErrorSessionTerminatedUnexpectedly,
            .readerSessionInvalidationErrorSystemIsBusy, .readerSessionInvalidationErrorFirstNDEFTagRead:
            return false
        case .tagCommandConfigurationErrorInvalidParameters:
            return false
        case .ndefReaderSessionErrorTagNotWritable, .ndefReaderSessionErrorTagUpdateFailure,
            .ndefReaderSessionErrorTagSizeTooSmall, .ndefReaderSessionErrorZeroLengthMessage:
            return false
        case .paymentTagReaderSessionErrorLocationAuthorizationDenied,
            .paymentTagReaderSessionErrorLocationServiceRestricted,
            .paymentTagReaderSessionErrorOnDeviceLocationUnavailable:
            return false
        @unknown default:
            return false
        }
    }

    // The cases that an app written for iOS 13 distinguishes.
    var title: String {
        switch self {
        case .readerSessionInvalidationErrorUserCanceled: return "Canceled"
        case .readerSessionInvalidationErrorSessionTimeout: return "Timeout"
        default: return "Error \(rawValue)"
        }
    }
}

enum SwitchShapes {
    static func name(_ tag: NFCTag) -> String {
        switch tag {
        case .feliCa: return "FeliCa"
        case .iso7816: return "ISO 7816"
        case .iso15693: return "ISO 15693"
        case .miFare: return "MIFARE"
        @unknown default: return "unknown"
        }
    }

    static func name(_ family: NFCMiFareFamily) -> String {
        switch family {
        case .unknown: return "unknown"
        case .ultralight: return "Ultralight"
        case .plus: return "Plus"
        case .desfire: return "DESFire"
        @unknown default: return "?"
        }
    }

    static func name(_ status: NFCNDEFStatus) -> String {
        switch status {
        case .notSupported: return "not supported"
        case .readWrite: return "read/write"
        case .readOnly: return "read-only"
        @unknown default: return "?"
        }
    }

    static func name(_ format: NFCTypeNameFormat) -> String {
        switch format {
        case .empty: return "empty"
        case .nfcWellKnown: return "well-known"
        case .media: return "media"
        case .absoluteURI: return "URI"
        case .nfcExternal: return "external"
        case .unknown: return "unknown"
        case .unchanged: return "unchanged"
        }
    }

    static func name(_ id: NFCFeliCaEncryptionId) -> String {
        switch id {
        case .AES: return "AES"
        case .AES_DES: return "AES/DES"
        @unknown default: return "?"
        }
    }

    static func slots(_ slot: NFCFeliCaPollingTimeSlot) -> Int {
        switch slot {
        case .max1: return 1
        case .max2: return 2
        case .max4: return 4
        case .max8: return 8
        case .max16: return 16
        @unknown default: return 0
        }
    }

    static func name(_ code: NFCFeliCaPollingRequestCode) -> String {
        switch code {
        case .noRequest: return "none"
        case .systemCode: return "system code"
        case .communicationPerformance: return "performance"
        @unknown default: return "?"
        }
    }

    static func name(_ mode: NFCVASCommandConfiguration.Mode) -> String {
        switch mode {
        case .normal: return "normal"
        case .urlOnly: return "URL"
        @unknown default: return "?"
        }
    }

    static func name(_ status: NFCVASResponse.ErrorCode) -> String {
        switch status {
        case .success: return "success"
        case .dataNotFound: return "not found"
        case .dataNotActivated: return "not activated"
        case .wrongParameters, .wrongLCField: return "wrong"
        case .userIntervention: return "user"
        case .incorrectData: return "incorrect"
        case .unsupportedApplicationVersion: return "version"
        @unknown default: return "?"
        }
    }
}
