// What the journal knows of one row, and of tags that got none

public import Foundation

/// A row of the plan with what became of it.
public struct JournalRow: Hashable, Sendable {
    /// The row as it stands in the plan.
    public let row: PlanRow
    /// How far it has come.
    public let state: RowState
    /// The tag it belongs to; nil while the row is pending.
    public let tag: BoundTag?
    /// What the tag was proven to hold; nil before.
    public let proof: RowProof?
    /// Why the row failed, or why its tag was not finished the last time; nil when nothing went wrong.
    public let reason: String?
    /// When the last step was made.
    public let changed: Date?
    /// The station that gave it its tag; nil where one process works alone, and while the row is pending.
    public let station: String?

    /// Makes what is known of a row of its facts.
    public init(
        row: PlanRow, state: RowState, tag: BoundTag?, proof: RowProof?, reason: String?, changed: Date?,
        station: String? = nil
    ) {
        self.row = row
        self.state = state
        self.tag = tag
        self.proof = proof
        self.reason = reason
        self.changed = changed
        self.station = station
    }
}

/// The tag a row belongs to.
public struct BoundTag: Hashable, Sendable {
    /// 4, 7, 8 or 10 bytes.
    public let uid: [UInt8]
    /// The chip's name.
    public let chip: String
    /// The reader's connection string.
    public let reader: String
    /// When it got the row.
    public let bound: Date

    /// Makes a tag of its facts.
    public init(uid: [UInt8], chip: String, reader: String, bound: Date) {
        self.uid = uid
        self.chip = chip
        self.reader = reader
        self.bound = bound
    }
}

/// What a tag was proven to hold.
public struct RowProof: Hashable, Sendable {
    /// In bytes.
    public let messageLength: Int
    /// Of the message's bytes, upper-case hexadecimal.
    public let sha256: String
    /// What the chip's originality signature says: `genuine`, `notGenuine` or `notSupported`; nil when it was not asked.
    public let signature: String?
    /// From the tag's arrival to its proof, in seconds.
    public let seconds: Double

    /// Makes a proof of its facts.
    public init(messageLength: Int, sha256: String, signature: String?, seconds: Double) {
        self.messageLength = messageLength
        self.sha256 = sha256
        self.signature = signature
        self.seconds = seconds
    }
}

/// A tag that got no row.
public struct RefusedTag: Hashable, Sendable {
    /// 4, 7, 8 or 10 bytes.
    public let uid: [UInt8]
    /// The chip's name.
    public let chip: String
    /// The reader's connection string.
    public let reader: String
    /// As `error` in Docs/JSON.md: `wrongChip`, `readOnly`, `tooLarge`, `tagProtocol` …, or `foreignContent`,
    /// `sameContent`, `contentChanged`, `cannotLock`, `uselessLock`, `dynamicMessage`,
    /// `otherKeys`.
    public let cause: String
    /// In a sentence.
    public let reason: String
    /// Set for a tag that failed: it gets no row any more, also when it comes again.
    public let isQuarantined: Bool
    /// When it was refused the last time.
    public let time: Date

    /// Makes a refused tag of its facts.
    public init(
        uid: [UInt8], chip: String, reader: String, cause: String, reason: String, isQuarantined: Bool, time: Date
    ) {
        self.uid = uid
        self.chip = chip
        self.reader = reader
        self.cause = cause
        self.reason = reason
        self.isQuarantined = isQuarantined
        self.time = time
    }
}
