// Why a card session does not start or has ended — CoreNFC CardSession.Error

import ReaderInterface
import ReaderSession

extension CardSession {
    /// What went wrong with a card session.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// The session has ended: the program ended it.
        case invalidated
        /// The user ended it; not on Linux, where a program asks its user itself.
        case userInvalidated
        /// Emulation lasted as long as it may.
        case maxSessionDurationReached
        /// The answer did not reach the other reader; it may be tried again while that is there.
        case transmissionError
        /// There is no reader, another program has it, or it failed.
        case systemNotAvailable
        /// This user may not open the reader.
        case accessNotAccepted
        /// The reader cannot be a card: it has no PN532, or its driver does not let it.
        case systemEligibilityFailed
        /// Emulation was stopped before the answer.
        case emulationStopped
        /// The radio is off; not on Linux.
        case radioDisabled
    }

    /// How a phone's sheet closes after an emulation.
    public enum EmulationUIStatus: Hashable, Sendable {
        /// All went well.
        case success
        /// Something failed.
        case failure
    }
}

extension CardSession.Error {
    /// The case for an error of the reader, or of what names it.
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
