// Whether the error of an operation, even a nested one, means that the reader failed or that the tag is gone

package import ReaderInterface
import TagTypes

extension ReaderError {
    /// Extracts the reader's own failure, which ends the session, from an operation's error.
    ///
    /// Returns nil if the error contains no such failure.
    package init?(failureIn error: any Error) {
        guard let error = Self.cause(of: error), case .readerFailed = error else { return nil }
        self = error
    }

    /// Whether an operation's error shows that the tag is gone.
    static func saysTagIsGone(_ error: any Error) -> Bool {
        switch cause(of: error) {
        case .tagLost, .initiatorLost: true
        default: false
        }
    }

    private static func cause(of error: any Error) -> ReaderError? {
        switch error {
        case let error as ReaderError: error
        case TagError.reader(let error): error
        case TagError.writeInterrupted(_, _, _, let cause), TagError.lockInterrupted(_, _, let cause),
            TagError.protectionInterrupted(_, _, let cause):
            Self.cause(of: cause)
        default: nil
        }
    }
}
