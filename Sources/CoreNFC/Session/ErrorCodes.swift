// Maps reader, tag and message errors to Apple's codes. The cause is kept as the underlying error

import Foundation
import NDEF
import ReaderInterface
import ReaderSession
import TagTypes

extension NFCReaderError {
    init(_ end: SessionEnd) {
        switch end {
        case .invalidated: self.init(.readerSessionInvalidationErrorUserCanceled)
        case .timeLimit: self.init(.readerSessionInvalidationErrorSessionTimeout)
        case .notOpened(let error): self.init(startingFailedWith: error)
        case .readerFailed(let error): self.init(readerFailedWith: error)
        case .client(let error): self = error as? NFCReaderError ?? NFCReaderError(operationFailedWith: error)
        }
    }

    /// Creates the error for a session that could not start.
    ///
    /// The code is 203 if the reader is busy, 2 if permission is missing, 202 if the reader failed, and 1 in all other
    /// cases.
    init(startingFailedWith error: any Error) {
        switch (error as? any ClassifiedError)?.kind {
        case .readerBusy, .readerGone: self.init(readerFailedWith: error)
        case .noPermission: self.init(.readerErrorSecurityViolation, causedBy: error)
        default: self.init(.readerErrorUnsupportedFeature, causedBy: error)
        }
    }

    /// Creates the error for a reader that cannot go on.
    ///
    /// The code is 203 if another session or program is using the reader, and 202 in all other cases.
    private init(readerFailedWith error: any Error) {
        let isTaken = if case ReaderError.readerFailed(_, _, _, .taken) = error { true } else { false }
        let isBusy = isTaken || (error as? any ClassifiedError)?.kind == .readerBusy
        self.init(
            isBusy
                ? .readerSessionInvalidationErrorSystemIsBusy
                : .readerSessionInvalidationErrorSessionTerminatedUnexpectedly,
            causedBy: error)
    }

    /// Creates the error for a failed operation on a tag.
    ///
    /// An ``NFCReaderError`` is kept unchanged.
    init(operationFailedWith error: any Error) {
        switch error {
        case let error as NFCReaderError: self = error
        case SessionError.ended: self.init(.readerTransceiveErrorSessionInvalidated)
        case SessionError.notConnected: self.init(.readerTransceiveErrorTagNotConnected)
        case SessionError.foreignTag: self.init(.readerErrorInvalidParameter)
        case SessionError.noRadio: self.init(.readerErrorUnsupportedFeature, causedBy: error)
        case let error as ReaderError: self.init(error.code, causedBy: error)
        case let error as TagError: self.init(error.code, causedBy: error)
        case let error as ISO15693Refusal:
            self.init(
                .readerTransceiveErrorTagResponseError,
                userInfo: [NSUnderlyingErrorKey: error, NFCISO15693TagResponseErrorKey: Int(error.error.rawValue)])
        case let error as NDEFError: self.init(.readerTransceiveErrorTagResponseError, causedBy: error)
        default: self.init(.readerTransceiveErrorTagResponseError, causedBy: error)
        }
    }
}

extension ReaderError {
    var code: NFCReaderError.Code {
        switch self {
        case .tagLost, .initiatorLost: .readerTransceiveErrorTagConnectionLost
        case .noAnswer, .notInFile: .readerTransceiveErrorTagResponseError
        case .commandTooLong: .readerTransceiveErrorPacketTooLong
        case .aborted, .readerFailed: .readerTransceiveErrorSessionInvalidated
        case .busy: .readerSessionInvalidationErrorSystemIsBusy
        case .noReader, .noPermission, .cannotListen, .cannotSend: .readerErrorUnsupportedFeature
        }
    }
}

extension TagError {
    var code: NFCReaderError.Code {
        switch self {
        case .reader(let error): error.code
        case .notNDEF: .ndefReaderSessionErrorZeroLengthMessage
        case .readOnly, .passwordNeeded, .passwordUnsupported, .keyNeeded, .messageNeedsKey, .wrongPassword, .wrongKey,
            .factoryKeys, .foreignPACK, .passwordAtRisk, .cannotMakeReadOnly:
            .ndefReaderSessionErrorTagNotWritable
        case .tooLong, .noRoomBeside: .ndefReaderSessionErrorTagSizeTooSmall
        case .protocolViolation, .commandFailed, .sectorBlocked, .noReliableAnswer, .refused, .passwordUnanswered:
            .readerTransceiveErrorTagResponseError
        case .verificationFailed, .changedSincePlanned, .lockWithoutEffect, .changedByLock:
            .ndefReaderSessionErrorTagUpdateFailure
        case .writeInterrupted(_, _, _, let cause), .lockInterrupted(_, _, let cause),
            .protectionInterrupted(_, _, let cause):
            cause.code == .readerTransceiveErrorTagConnectionLost ? cause.code : .ndefReaderSessionErrorTagUpdateFailure
        case .notBlank, .unsupported: .readerErrorUnsupportedFeature
        }
    }
}
