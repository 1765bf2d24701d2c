// The reasons why a dump was not restored, or not restored completely

public import ReaderInterface

/// The error for a dump that is from a different chip than the tag's.
public struct WrongChip: ClassifiedError {
    /// The kind of the dumped tag, in words.
    public let dump: String
    /// The kind of the tag on the reader, in words.
    public let tag: String

    /// The kind of failure.
    public var kind: FailureKind { .wrongChip }

    /// A description in one sentence.
    public var description: String { "The dump is from \(dump), but the tag is \(tag)." }
}

/// The error for a dump of a MIFARE Classic with zeros in place of a key A that a restore would write.
///
/// A card returns zeros in place of its key A — NXP MF1S50yyX, Sector Trailer. If the zeros were written, they would
/// become the key.
public struct DumpLacksKey: ClassifiedError {
    /// The numbers of the sectors, in ascending order.
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

/// The error for a restore that ended early.
///
/// The tag may hold part of the dump.
public struct RestoreInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The error that ended the restore.
    public let cause: any ClassifiedError
    /// The path of a dump with the content that the tag had before.
    public let old: String
    /// The path of a dump from before an earlier interrupted restore.
    ///
    /// Nil unless the tag was written after that restore.
    public let older: String?
    /// The options of the restore, which are also needed to restore the old content.
    public let options: [String]
    /// The names of bits that this or an earlier restore may have set and that nothing can clear.
    public let permanent: [String]
    /// The bits that the tag did not keep if they ended the restore, or nil if something else ended it.
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
