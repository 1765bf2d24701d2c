// What an error means for the tag that was to get a row

import ReaderInterface
import SafeTag
import TagTypes

/// What an error means for a tag that was to get a row.
struct TagTrouble {
    let cause: RefusalCause
    let message: String
    let chip: String?
    /// Whether a test showed that the tag's lock has no effect or changes the wrong data.
    ///
    /// Another attempt would find the lock bits set, and could no longer compare the data.
    let isFinal: Bool

    /// Classifies an error.
    ///
    /// Returns nil if the error does not concern the tag.
    init?(_ error: any Error) {
        isFinal = Self.isOfUselessLock(error)
        if let refusal = error as? TagRefusal {
            (cause, message, chip) = (refusal.cause, refusal.reason, refusal.chip)
            return
        }
        guard let failure = error as? any ClassifiedError, let cause = RefusalCause(failure.kind) else { return nil }
        self.cause =
            switch error {
            case _ where isFinal: .uselessLock
            case _ where Self.isWithoutLock(error): .cannotLock
            case is BrokenMessage: .brokenMessage
            case TagError.messageNeedsKey: .dynamicMessage
            // nfctool does not support the passwords of such a chip.
            case TagError.passwordUnsupported: .readOnly
            case TagError.wrongKey, TagError.factoryKeys: .otherKeys
            default: cause
            }
        (message, chip) = ("\(failure)", nil)
    }

    var isTagGone: Bool { cause == .tagGone }

    /// Whether the tag violated its specification, instead of refusing a command properly.
    var isOfBrokenRules: Bool { cause == .brokenRules }

    private static func isWithoutLock(_ error: any Error) -> Bool {
        switch error {
        case TagError.cannotMakeReadOnly: true
        case TagError.lockInterrupted(_, _, let cause): isWithoutLock(cause)
        default: false
        }
    }

    /// Whether selecting the tag again may help.
    var isWorthAnotherTry: Bool { (isOfBrokenRules || cause == .brokenMessage) && !isFinal }

    /// Whether the reason that a journal stores for a failed row is a lock that changed other data of the tag.
    ///
    /// The lock bits are set now, so a later run could not find this out again.
    static func isOfChangedData(_ reason: String?) -> Bool {
        reason?.contains("changed while the tag was being locked.") == true
    }

    private static func isOfUselessLock(_ error: any Error) -> Bool {
        switch error {
        case TagError.lockInterrupted(_, _, let cause): isOfUselessLock(cause)
        case TagError.lockWithoutEffect, TagError.changedByLock: true
        default: false
        }
    }
}
