// The signatures of the errors, each code's raw value and the texts that apps compare — CoreNFC NFCReaderError

import CoreNFC
import Testing

@Suite struct ErrorSignatureTests {
    @Test func theConstantsAreStrings() {
        pin(NFCErrorDomain, as: String.self)
        pin(NFCTagResponseUnexpectedLengthErrorKey, as: String.self)
        #expect(NFCErrorDomain == "NFCError")
        #expect(NFCISO15693TagResponseErrorKey == "ISO15693TagResponseErrorCode")
        #expect(NFCReaderError.errorDomain == NFCErrorDomain)
    }

    @Test func anErrorIsAStructWithACode() throws {
        pin(NFCReaderError.init(_:userInfo:), as: ((NFCReaderError.Code, [String: Any]) -> NFCReaderError).self)
        pin({ NFCReaderError($0) }, as: ((NFCReaderError.Code) -> NFCReaderError).self)
        pin(NFCReaderError.Code.init(rawValue:), as: ((Int) -> NFCReaderError.Code?).self)
        pin(\.code, as: KeyPath<NFCReaderError, NFCReaderError.Code>.self)
        pin(\.userInfo, as: KeyPath<NFCReaderError, [String: Any]>.self)
        pin(\.errorCode, as: KeyPath<NFCReaderError, Int>.self)
        pin(\.errorUserInfo, as: KeyPath<NFCReaderError, [String: Any]>.self)
        pin(\.localizedDescription, as: KeyPath<NFCReaderError, String>.self)
        func isError<E: Error & CustomNSError & Hashable>(_: E) -> Bool { true }
        #expect(isError(NFCReaderError(.readerErrorRadioDisabled)))
        func isCode<C: Hashable & Sendable & RawRepresentable>(_: C) -> Bool where C.RawValue == Int { true }
        #expect(isCode(NFCReaderError.Code.readerErrorRadioDisabled))
    }

    /// Returns the raw values, which are repeated by hand in a switch that names every case.
    static func raw(_ code: NFCReaderError.Code) -> Int {
        switch code {
        case .readerErrorUnsupportedFeature: 1
        case .readerErrorSecurityViolation: 2
        case .readerErrorInvalidParameter: 3
        case .readerErrorInvalidParameterLength: 4
        case .readerErrorParameterOutOfBound: 5
        case .readerErrorRadioDisabled: 6
        case .readerErrorIneligible: 7
        case .readerErrorAccessNotAccepted: 8
        case .readerTransceiveErrorTagConnectionLost: 100
        case .readerTransceiveErrorRetryExceeded: 101
        case .readerTransceiveErrorTagResponseError: 102
        case .readerTransceiveErrorSessionInvalidated: 103
        case .readerTransceiveErrorTagNotConnected: 104
        case .readerTransceiveErrorPacketTooLong: 105
        case .readerSessionInvalidationErrorUserCanceled: 200
        case .readerSessionInvalidationErrorSessionTimeout: 201
        case .readerSessionInvalidationErrorSessionTerminatedUnexpectedly: 202
        case .readerSessionInvalidationErrorSystemIsBusy: 203
        case .readerSessionInvalidationErrorFirstNDEFTagRead: 204
        case .tagCommandConfigurationErrorInvalidParameters: 300
        case .ndefReaderSessionErrorTagNotWritable: 400
        case .ndefReaderSessionErrorTagUpdateFailure: 401
        case .ndefReaderSessionErrorTagSizeTooSmall: 402
        case .ndefReaderSessionErrorZeroLengthMessage: 403
        case .paymentTagReaderSessionErrorLocationAuthorizationDenied: 500
        case .paymentTagReaderSessionErrorLocationServiceRestricted: 501
        case .paymentTagReaderSessionErrorOnDeviceLocationUnavailable: 502
        @unknown default: 0
        }
    }

    @Test func everyCodeHasItsRawValue() {
        let known = [1...8, 100...105, 200...204, 300...300, 400...403, 500...502].flatMap { Array($0) }
        #expect((-1...1000).compactMap { NFCReaderError.Code(rawValue: $0).map(Self.raw) } == known)
    }

    @Test(arguments: [
        (NFCReaderError.readerTransceiveErrorTagConnectionLost, 100, "Tag connection lost"),
        (NFCReaderError.readerTransceiveErrorTagNotConnected, 104, "Tag is not connected"),
        (NFCReaderError.readerSessionInvalidationErrorUserCanceled, 200, "Session invalidated by user"),
        (NFCReaderError.readerSessionInvalidationErrorSessionTimeout, 201, "Session timeout"),
        (
            NFCReaderError.readerSessionInvalidationErrorSessionTerminatedUnexpectedly, 202,
            "Session invalidated unexpectedly"
        ),
        (NFCReaderError.readerSessionInvalidationErrorSystemIsBusy, 203, "System resource unavailable"),
        (NFCReaderError.readerSessionInvalidationErrorFirstNDEFTagRead, 204, "First NDEF tag read"),
    ])
    func theTextIsTheOneThatAppsCompare(_ code: NFCReaderError.Code, _ raw: Int, _ text: String) {
        let error: any Error = NFCReaderError(code)
        #expect(error.localizedDescription == text)
        #expect((error as? NFCReaderError)?.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
        #expect((error as NSError).code == raw)
        #expect(code.rawValue == raw)
    }

    @Test func aCodeMatchesAnErrorInCatchesAndSwitches() {
        func caught(_ error: any Error) -> String {
            do { throw error } catch NFCReaderError.readerSessionInvalidationErrorUserCanceled {
                return "canceled"
            } catch let error as NFCReaderError where error.code == .readerSessionInvalidationErrorSessionTimeout {
                return "timeout"
            } catch let error as NFCReaderError where error.code == NFCReaderError.readerTransceiveErrorTagNotConnected
            {
                return "not connected"
            } catch {
                return "other"
            }
        }
        func switched(_ error: any Error) -> String {
            switch error {
            case NFCReaderError.readerSessionInvalidationErrorUserCanceled: "canceled"
            case let error as NFCReaderError where error.errorCode == 201: "timeout"
            case NFCReaderError.readerTransceiveErrorTagNotConnected: "not connected"
            default: "other"
            }
        }
        let errors: [any Error] = [200, 201, 104, 203].compactMap(NFCReaderError.Code.init(rawValue:)).map {
            NFCReaderError($0)
        }
        let words = ["canceled", "timeout", "not connected", "other"]
        #expect(errors.map(caught) == words)
        #expect(errors.map(switched) == words)
    }
}
