// Why a card session did not start, or why it ended — CoreNFC CardSession.Error

import ReaderInterface
import ReaderSession

extension CardSession {
    /// A card session error.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The program ended the session.
        case invalidated
        /// The user ended the session.
        ///
        /// Never used on Linux, where the program itself interacts with the user.
        case userInvalidated
        /// The time limit of the emulation was reached.
        case maxSessionDurationReached
        /// The answer did not reach the other reader, but can be sent again while that reader is present.
        case transmissionError
        /// No reader was found, the reader failed, or another program uses it.
        case systemNotAvailable
        /// The user has no permission to open the reader.
        case accessNotAccepted
        /// The reader cannot emulate a card: it has no PN532, or its driver does not allow emulation.
        case systemEligibilityFailed
        /// Emulation was stopped before the answer was sent.
        case emulationStopped
        /// The radio is off.
        ///
        /// Never used on Linux.
        case radioDisabled
    }

    /// The result that a phone's sheet shows after an emulation.
    public enum EmulationUIStatus: Hashable, Sendable {
        /// The emulation succeeded.
        case success
        /// The emulation failed.
        case failure
    }
}

extension CardSession.Error {
    /// Converts an error from the reader, or an error in its specification, to a card session error.
    init(_ error: any Swift.Error) {
        self =
            switch error {
            case let error as CardSession.Error: error
            case ListeningSession.ResponseError.ended: .invalidated
            case ListeningSession.ResponseError.notSent: .transmissionError
            case ListeningSession.ResponseError.paused: .emulationStopped
            case ReaderError.cannotListen: .systemEligibilityFailed
            case ReaderError.noPermission: .accessNotAccepted
            case ReaderError.aborted: .invalidated
            default: .systemNotAvailable
            }
    }
}
