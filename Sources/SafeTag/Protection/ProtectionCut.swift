// The password of a tag that left during a change of its protection. TagTypes turns protection off first and on last

public import ReaderInterface
import TagTypes

/// The error for an interrupted change of protection, with what is known about the tag's password now.
public struct ProtectionCut: ClassifiedError, TellsWhatTheTagHolds {
    /// What is known about the password that opens the tag.
    public enum Opener: String, Sendable {
        /// No password is needed.
        case none
        /// The new password.
        case new
        /// The tag requires either no password or, respectively, the old or the new one.
        case oldOrNone, newOrNone

        /// Whether the new password should be tried.
        public var isNew: Bool { self == .new || self == .newOrNone }

        fileprivate var clause: String {
            switch self {
            case .none: "requires no password now"
            case .new: "requires the new password now"
            case .oldOrNone: "requires its old password, or none"
            case .newOrNone: "requires the new password, or none"
            }
        }
    }

    /// The error that interrupted the change.
    public let cause: any ClassifiedError
    /// What is known about the password that opens the tag.
    public let opener: Opener

    /// Returns the error to throw.
    ///
    /// This is the given error if it occurred before the first change.
    static func error(_ error: any Error, wasProtected: Bool, isProtecting: Bool) -> any Error {
        let cut = ProtectionCut(error, wasProtected: wasProtected, isProtecting: isProtecting)
        return cut.map { $0 as any Error } ?? error
    }

    /// Returns the error to throw if verifying the tag after the change failed.
    package static func error(_ error: any Error, afterProtecting isProtected: Bool) -> any Error {
        (error as? any ClassifiedError).map { ProtectionCut($0, opener: isProtected ? .new : .none) as any Error }
            ?? error
    }

    /// Whether the change that ended with this error may have carried out its first step.
    static func isStarted(_ error: any Error) -> Bool {
        if case .protectionInterrupted? = error as? TagError { true } else { false }
    }

    init(_ cause: any ClassifiedError, opener: Opener) {
        self.cause = cause
        self.opener = opener
    }

    private init?(_ error: any Error, wasProtected: Bool, isProtecting: Bool) {
        guard let error = error as? TagError, case .protectionInterrupted(let done, let missing, _) = error else {
            return nil
        }
        // Protection is removed first and set last; see TagTypes.
        let isLast = isProtecting && missing.count == 1
        self.init(error, opener: isLast ? .newOrNone : wasProtected && done.isEmpty ? .oldOrNone : .none)
    }

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description in sentences.
    public var description: String { "\(cause) The tag \(opener.clause)." }
}
