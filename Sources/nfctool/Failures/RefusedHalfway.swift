// Refusals in the middle of a change, when part of it is already done

import ReaderInterface
import SafeTag
import TagTypes

/// Tells whether a tag refused a later step of a change, as opposed to the whole change.
enum RefusedHalfway {
    /// Whether a tag refused to continue a change to its locks or its protection.
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
    /// Whether the tag refused the step, so that advice must not assume an unchanged tag.
    fileprivate var isRefusal: Bool {
        switch self {
        case .passwordNeeded, .passwordUnsupported, .keyNeeded, .messageNeedsKey, .wrongPassword, .readOnly,
            .cannotMakeReadOnly, .unsupported, .refused:
            true
        default: false
        }
    }
}
