// The codes, texts and user info that apps compare — CoreNFC NFCReaderError

import CoreNFC
import Foundation
import ReaderInterface
import Testing

@Suite struct ReaderErrorTests {
    /// Texts that were seen in device logs, and that apps compare.
    @Test(arguments: [
        (2, "Missing required entitlement"), (100, "Tag connection lost"), (102, "Tag response error / no response"),
        (104, "Tag is not connected"), (200, "Session invalidated by user"), (201, "Session timeout"),
        (202, "Session invalidated unexpectedly"), (203, "System resource unavailable"), (204, "First NDEF tag read"),
        (401, "Stack Error"), (403, "NDEF tag does not contain any NDEF message"),
    ])
    func theTextsAreThoseOfIOS(_ code: Int, _ text: String) throws {
        let error = NFCReaderError(try #require(NFCReaderError.Code(rawValue: code)))
        #expect(error.localizedDescription == text)
        #expect((error as any Error).localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
        #expect((error as NSError).domain == "NFCError")
        #expect((error as NSError).code == code)
    }

    @Test func theCodesAreThoseOfIOSAndEachHasAText() {
        let codes = (0...1000).compactMap { NFCReaderError.Code(rawValue: $0) }
        let expected =
            Array(1...8) + Array(100...105) + Array(200...204) + [300] + Array(400...403) + Array(500...502)
        #expect(codes.map(\.rawValue) == expected)
        #expect(codes.allSatisfy { !NFCReaderError($0).localizedDescription.isEmpty })
        #expect(Set(codes.map { NFCReaderError($0).localizedDescription }).count == codes.count)
    }

    @Test func theNamesOnTheErrorAreTheCodes() {
        let names: [NFCReaderError.Code] = [
            NFCReaderError.readerErrorUnsupportedFeature, NFCReaderError.readerErrorSecurityViolation,
            NFCReaderError.readerErrorInvalidParameter, NFCReaderError.readerErrorInvalidParameterLength,
            NFCReaderError.readerErrorParameterOutOfBound, NFCReaderError.readerErrorRadioDisabled,
            NFCReaderError.readerErrorIneligible, NFCReaderError.readerErrorAccessNotAccepted,
            NFCReaderError.readerTransceiveErrorTagConnectionLost, NFCReaderError.readerTransceiveErrorRetryExceeded,
            NFCReaderError.readerTransceiveErrorTagResponseError,
            NFCReaderError.readerTransceiveErrorSessionInvalidated,
            NFCReaderError.readerTransceiveErrorTagNotConnected, NFCReaderError.readerTransceiveErrorPacketTooLong,
            NFCReaderError.readerSessionInvalidationErrorUserCanceled,
            NFCReaderError.readerSessionInvalidationErrorSessionTimeout,
            NFCReaderError.readerSessionInvalidationErrorSessionTerminatedUnexpectedly,
            NFCReaderError.readerSessionInvalidationErrorSystemIsBusy,
            NFCReaderError.readerSessionInvalidationErrorFirstNDEFTagRead,
            NFCReaderError.tagCommandConfigurationErrorInvalidParameters,
            NFCReaderError.ndefReaderSessionErrorTagNotWritable, NFCReaderError.ndefReaderSessionErrorTagUpdateFailure,
            NFCReaderError.ndefReaderSessionErrorTagSizeTooSmall,
            NFCReaderError.ndefReaderSessionErrorZeroLengthMessage,
            NFCReaderError.paymentTagReaderSessionErrorLocationAuthorizationDenied,
            NFCReaderError.paymentTagReaderSessionErrorLocationServiceRestricted,
            NFCReaderError.paymentTagReaderSessionErrorOnDeviceLocationUnavailable,
        ]
        #expect(names == (0...1000).compactMap { NFCReaderError.Code(rawValue: $0) })
    }

    @Test func userInfoIsKeptAndMayReplaceTheText() {
        let cause = CocoaError(.fileNoSuchFile)
        let error = NFCReaderError(
            .readerTransceiveErrorTagResponseError,
            userInfo: [NSUnderlyingErrorKey: cause, NFCISO15693TagResponseErrorKey: 0x0F])
        #expect(error.userInfo[NSUnderlyingErrorKey] as? CocoaError == cause)
        #expect((error as NSError).userInfo["ISO15693TagResponseErrorCode"] as? Int == 0x0F)
        #expect(error.localizedDescription == "Tag response error / no response")
        let worded = NFCReaderError(.readerErrorInvalidParameter, userInfo: [NSLocalizedDescriptionKey: "Too odd"])
        #expect(worded.localizedDescription == "Too odd")
        #expect((worded as NSError).localizedDescription == "Too odd")
    }

    /// Logs and alerts of apps show the error in this form, not by its description.
    @Test func itPrintsItselfAsOnAnIPhone() {
        let error: any Error = NFCReaderError(
            .readerTransceiveErrorTagConnectionLost, userInfo: [NSUnderlyingErrorKey: ReaderError.tagLost])
        #expect(
            "\(error)"
                == """
                Error Domain=NFCError Code=100 "Tag connection lost" UserInfo={NSLocalizedDescription=Tag connection lost, \
                NSUnderlyingError=The tag left the field.}
                """)
    }

    @Test func errorsAreEqualWhenTheirCodesAre() {
        let (a, b) = (
            NFCReaderError(.readerErrorInvalidParameter, userInfo: ["x": 1]),
            NFCReaderError(.readerErrorInvalidParameter)
        )
        #expect(a == b)
        #expect(Set([a, b]).count == 1)
        #expect(a != NFCReaderError(.readerErrorInvalidParameterLength))
    }
}
