// Why a dump was not restored, or not whole

public import ReaderInterface

/// The dump is of another chip than the tag.
public struct WrongChip: ClassifiedError {
    /// The kind of the dump.
    public let dump: String
    /// The kind of the tag.
    public let tag: String

    /// What kind of thing went wrong.
    public var kind: FailureKind { .wrongChip }

    /// What happened, in a sentence.
    public var description: String { "The dump is of \(dump), but the tag is \(tag)." }
}

/// A restore that ended early: the tag may hold a part of the dump.
public struct RestoreInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// Why it ended.
    public let cause: any ClassifiedError
    /// The path of a dump of what the tag held before.
    public let old: String
    /// The path of a dump from before an earlier restore that was interrupted, where the tag has been written since.
    public let older: String?
    /// Those of the restore, which the way back needs, too.
    public let options: [String]
    /// The bits that it, or one before it, may have set and that nothing clears, names.
    public let permanent: [String]
    /// Bits that the tag did not keep, with which the restore ended.
    public let unkept: UnkeptBits?

    package init(
        cause: any ClassifiedError, old: String, older: String? = nil, options: [String] = [], permanent: [String] = [],
        unkept: UnkeptBits? = nil
    ) {
        self.cause = cause
        self.old = old
        self.older = older
        self.options = options
        self.permanent = permanent
        self.unkept = unkept
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind { cause.kind }

    /// What happened, in sentences.
    public var description: String { "\(cause) Some blocks may have been written, others not." }
}
