// Reasons why a dump was not restored, or not restored completely

public import ReaderInterface

/// The dump is from a different chip.
public struct WrongChip: ClassifiedError {
    /// The kind of tag in the dump.
    public let dump: String
    /// The kind of the tag.
    public let tag: String

    /// The kind of failure.
    public var kind: FailureKind { .wrongChip }

    /// A description in one sentence.
    public var description: String { "The dump is from \(dump), but the tag is \(tag)." }
}

/// A dump of a MIFARE Classic that has zeros in place of keys A that a restore would write.
///
/// A card returns zeros in place of its key A — NXP MF1S50yyX, Sector Trailer. If they were written, they
/// would become the key.
public struct DumpLacksKey: ClassifiedError {
    /// The sectors, in ascending order.
    public let sectors: [Int]

    /// The kind of failure.
    public var kind: FailureKind { .badFile }

    /// A description in one sentence.
    public var description: String {
        let list = sectors.map(String.init).joined(separator: ", ")
        return "The dump lacks key A of sector\(sectors.count == 1 ? "" : "s") \(list): "
            + "it has zeros there, which a card returns in place of its key A."
    }
}

/// A restore that ended early.
///
/// The tag may hold part of the dump.
public struct RestoreInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The error that ended the restore.
    public let cause: any ClassifiedError
    /// The path of a dump with the earlier content of the tag.
    public let old: String
    /// The path of a dump from before an earlier interrupted restore, if the tag was written after that restore.
    public let older: String?
    /// The options of the restore, which are also needed to restore the old content.
    public let options: [String]
    /// The names of bits that this or an earlier restore may have set and that nothing can clear.
    public let permanent: [String]
    /// The bits that the tag did not keep, if they ended the restore.
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

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description in sentences.
    public var description: String { "\(cause) Some blocks may have been written, others not." }
}
