// What a command says that was interrupted: in which state things are

import TagTypes

/// The user ended the command.
struct Interrupted: Failure {
    /// What was under way and failed by it, where that says more than "cancelled".
    let cause: (any Error)?
    /// How far the command came, or that it changed nothing: a sentence.
    var remark: String?

    init(cause: (any Error)?, remark: String? = nil) {
        self.cause = cause
        self.remark = remark
    }

    /// The failure that tells what state the tag was left in.
    var told: TagFailure? {
        guard let cause, let failure = TagFailure(cause) else { return nil }
        switch failure.cause {
        case TagError.writeInterrupted, TagError.lockInterrupted, TagError.protectionInterrupted: return failure
        case is WriteUnfinished, is MirrorUnfinished, is ProtectionCut, is RestoreInterrupted, is RowInterrupted:
            return failure
        default: return nil
        }
    }

    var name: ErrorName { .interrupted }
    var message: String {
        [told?.message ?? "Interrupted.", remark].compactMap(\.self).joined(separator: " ")
    }
    var details: [String: FailureDetail] { told?.details ?? [:] }
}
