// What opens a tag whose protection was being changed when it left — write order of TagTypes: off first, on last

public import ReaderInterface
import TagTypes

/// A change of protection that was interrupted, and what opens the tag now.
public struct ProtectionCut: ClassifiedError, TellsWhatTheTagHolds {
    /// What opens the tag.
    public enum Opener: String, Sendable {
        case none, new, oldOrNone, newOrNone

        /// Whether the new password is the one to try.
        public var isNew: Bool { self == .new || self == .newOrNone }

        fileprivate var clause: String {
            switch self {
            case .none: "asks for no password now"
            case .new: "asks for the new password now"
            case .oldOrNone: "asks for its old password, or for none"
            case .newOrNone: "asks for the new password, or for none"
            }
        }
    }

    /// Why it was interrupted.
    public let cause: any ClassifiedError
    /// What opens the tag.
    public let opener: Opener

    /// The error as it is to be thrown: as it is when it came before the first change.
    static func error(_ error: any Error, wasProtected: Bool, isProtecting: Bool) -> any Error {
        let cut = ProtectionCut(error, wasProtected: wasProtected, isProtecting: isProtecting)
        return cut.map { $0 as any Error } ?? error
    }

    /// The error of a look at the tag after all was changed.
    package static func error(_ error: any Error, afterProtecting isProtected: Bool) -> any Error {
        (error as? any ClassifiedError).map { ProtectionCut($0, opener: isProtected ? .new : .none) as any Error }
            ?? error
    }

    init(_ cause: any ClassifiedError, opener: Opener) {
        self.cause = cause
        self.opener = opener
    }

    private init?(_ error: any Error, wasProtected: Bool, isProtecting: Bool) {
        guard let error = error as? TagError, case .protectionInterrupted(let done, let missing, _) = error else {
            return nil
        }
        // The protection is taken off first, and put on last: see TagTypes.
        let isLast = isProtecting && missing.count == 1
        self.init(error, opener: isLast ? .newOrNone : wasProtected && done.isEmpty ? .oldOrNone : .none)
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind { cause.kind }

    /// What happened, in sentences.
    public var description: String { "\(cause) The tag \(opener.clause)." }
}
