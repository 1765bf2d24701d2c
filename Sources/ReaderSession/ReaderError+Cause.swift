// What an operation's error says about the reader and about the presence of the tag, however deep it is

package import ReaderInterface
import TagTypes

extension ReaderError {
    /// The reader's own failure in an operation's error; it ends the session.
    package init?(failureIn error: any Error) {
        guard let error = Self.cause(of: error), case .readerFailed = error else { return nil }
        self = error
    }

    /// Whether an operation's error says that the tag is gone.
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
