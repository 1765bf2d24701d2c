// What opens a tag whose protection was being changed when it left — write order of TagTypes: off first, on last

import TagTypes

/// A change of protection that was interrupted, and what opens the tag now.
struct ProtectionCut: Failure {
    /// What opens the tag.
    enum Opener: String {
        case none, new, oldOrNone, newOrNone

        /// Whether the new password is the one to try.
        var isNew: Bool { self == .new || self == .newOrNone }

        fileprivate var clause: String {
            switch self {
            case .none: "asks for no password now"
            case .new: "asks for the new password now"
            case .oldOrNone: "asks for its old password, or for none"
            case .newOrNone: "asks for the new password, or for none"
            }
        }
    }

    let failure: TagFailure
    let opener: Opener

    /// The error as it is to be thrown: as it is when it came before the first change.
    static func error(_ error: any Error, wasProtected: Bool, isProtecting: Bool) -> any Error {
        let cut = ProtectionCut(error, wasProtected: wasProtected, isProtecting: isProtecting)
        return cut.map { $0 as any Error } ?? error
    }

    /// The error of a look at the tag after all was changed.
    static func error(_ error: any Error, afterProtecting isProtected: Bool) -> any Error {
        TagFailure(error).map { ProtectionCut(failure: $0, opener: isProtected ? .new : .none) as any Error } ?? error
    }

    init(failure: TagFailure, opener: Opener) {
        self.failure = failure
        self.opener = opener
    }

    private init?(_ error: any Error, wasProtected: Bool, isProtecting: Bool) {
        guard let failure = TagFailure(error),
            case TagError.protectionInterrupted(let done, let missing, _) = failure.cause
        else { return nil }
        // The protection is taken off first, and put on last: see TagTypes.
        let isLast = isProtecting && missing.count == 1
        self.init(failure: failure, opener: isLast ? .newOrNone : wasProtected && done.isEmpty ? .oldOrNone : .none)
    }

    var name: ErrorName { failure.name }
    var message: String { "\(failure.message) The tag \(opener.clause)." }
    var details: [String: FailureDetail] {
        failure.details.merging(["password": .text(opener.rawValue)]) { $1 }
    }
}
