// The error for a journal that failed while a tag was being handled — Docs/Provisioning.md

public import ReaderInterface

/// The run ended because the journal could not store a step for a row, for example because its disk is full.
public struct RowNotStored: ClassifiedError {
    /// The journal's error.
    public let cause: JournalError
    /// The tag that was being handled, its row, and its content.
    public let tag: RowInterrupted

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description in sentences.
    public var description: String { "\(cause) \(tag)" }

    /// Creates the error from a journal's error.
    ///
    /// Returns nil if the run can continue or if another tag may already have the row.
    package init?(_ error: any Error, of tag: RowInterrupted) {
        guard let cause = error as? JournalError else { return nil }
        switch cause {
        case .away, .rowMoved, .planReplaced: return nil
        default: (self.cause, self.tag) = (cause, tag)
        }
    }
}
