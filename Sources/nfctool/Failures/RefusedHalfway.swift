// Refusals in the middle of a change, after which part of it is done

import ReaderInterface
import SafeTag
import TagTypes

/// Tells the refusal of a later step of a change from the refusal of all of it.
enum RefusedHalfway {
    /// Whether a tag refused to go on with a change to its lock or its protection that was begun.
    static func isReason(for error: any Error) -> Bool {
        switch error {
        case TagError.lockInterrupted(_, _, let cause), TagError.protectionInterrupted(_, _, let cause):
            cause.isRefusal
        case let cut as ProtectionCut: (cut.cause as? TagError)?.isRefusal ?? false || isReason(for: cut.cause)
        default: false
        }
    }
}

extension TagError {
    /// Whether the tag said no, which advice for a tag that nothing was done to must not be given for.
    fileprivate var isRefusal: Bool {
        switch self {
        case .passwordNeeded, .keyNeeded, .messageNeedsKey, .wrongPassword, .readOnly, .cannotMakeReadOnly,
            .unsupported, .refused:
            true
        default: false
        }
    }
}
