// The journal's entries for a row and for a refused tag

public import Foundation

/// A row of the plan and its progress.
public struct JournalRow: Hashable, Sendable {
    /// The row as it is in the plan.
    public let row: PlanRow
    /// The state of the row.
    public let state: RowState
    /// The tag that has the row, or nil if the row is pending.
    public let tag: BoundTag?
    /// The record of the tag's verified content, or nil if the row has not been verified.
    public let proof: RowProof?
    /// The reason why the row failed, or why its tag was not finished the last time.
    ///
    /// Nil if nothing went wrong.
    public let reason: String?
    /// The time of the last step, or nil if no step was stored.
    ///
    /// For a verified row, this is the time when its tag was verified, locked or protected.
    public let changed: Date?
    /// The station that gave the row to its tag, or nil if the row is pending or one process works alone.
    public let station: String?
    /// The lock and password that the row requires, if the journal stores them but the row's fields cannot be read.
    ///
    /// Nil otherwise.
    package var seal: RowSeal?

    /// Creates a journal entry for a row.
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

/// A tag that has a row.
public struct BoundTag: Hashable, Sendable {
    /// The UID: 4, 7, 8 or 10 bytes.
    public let uid: [UInt8]
    /// The chip's name.
    public let chip: String
    /// The reader's connection string.
    public let reader: String
    /// The time when the tag got the row.
    public let bound: Date

    /// Creates a tag that has a row.
    public init(uid: [UInt8], chip: String, reader: String, bound: Date) {
        self.uid = uid
        self.chip = chip
        self.reader = reader
        self.bound = bound
    }
}

/// The record of a tag's verified content.
public struct RowProof: Hashable, Sendable {
    /// The length of the message in bytes.
    public let messageLength: Int
    /// The SHA-256 digest of the message, in upper-case hexadecimal.
    public let sha256: String
    /// The result of the originality check: `genuine`, `notGenuine` or `notSupported`.
    ///
    /// Nil if there was no check.
    public let signature: String?
    /// The time from the tag's arrival until it was verified, in seconds.
    public let seconds: Double

    /// Creates the record of a verified tag.
    public init(messageLength: Int, sha256: String, signature: String?, seconds: Double) {
        self.messageLength = messageLength
        self.sha256 = sha256
        self.signature = signature
        self.seconds = seconds
    }
}

/// A tag that got no row.
public struct RefusedTag: Hashable, Sendable {
    /// The UID: 4, 7, 8 or 10 bytes.
    public let uid: [UInt8]
    /// The chip's name.
    public let chip: String
    /// The reader's connection string.
    public let reader: String
    /// The cause of the refusal.
    ///
    /// Its word is the value of `error` in JSON — Docs/JSON.md.
    public let cause: StoredCause
    /// The reason, in a sentence.
    public let reason: String
    /// Whether the tag failed and therefore gets no row, even if it is placed again.
    public let isQuarantined: Bool
    /// The time when the tag was last refused.
    public let time: Date
    /// The station that refused the tag, or nil if the entry does not come from the list of a plan that stations share.
    public package(set) var station: String?

    /// Creates a refused tag from the values in a journal.
    ///
    /// `cause` is the word for the cause.
    public init(
        uid: [UInt8], chip: String, reader: String, cause: String, reason: String, isQuarantined: Bool, time: Date,
        station: String? = nil
    ) {
        self.init(
            uid: uid, chip: chip, reader: reader, stored: StoredCause(word: cause), reason: reason,
            isQuarantined: isQuarantined, time: time, station: station)
    }

    package init(
        uid: [UInt8], chip: String, reader: String, cause: RefusalCause, reason: String, isQuarantined: Bool,
        time: Date, station: String? = nil
    ) {
        self.init(
            uid: uid, chip: chip, reader: reader, stored: .known(cause), reason: reason,
            isQuarantined: isQuarantined, time: time, station: station)
    }

    private init(
        uid: [UInt8], chip: String, reader: String, stored cause: StoredCause, reason: String, isQuarantined: Bool,
        time: Date, station: String?
    ) {
        self.station = station
        self.uid = uid
        self.chip = chip
        self.reader = reader
        self.cause = cause
        self.reason = reason
        self.isQuarantined = isQuarantined
        self.time = time
    }

    /// Whether another chip with this UID has a row.
    ///
    /// If so, both the row and this refusal are correct.
    package var isOtherChip: Bool { cause == .known(.sameUID) }

    /// Whether the tag was refused because its row was released.
    ///
    /// The tag may still carry that row.
    package var isReleased: Bool { cause == .known(.rowMoved) }

    /// Returns the record of a tag that had a row until the row was released.
    ///
    /// Its time is the current time.
    package static func released(from row: JournalRow, _ tag: BoundTag) -> RefusedTag {
        let number = row.row.number
        let fact =
            if row.proof != nil {
                row.reason == nil ? "It carries row \(number)" : "It was verified with row \(number)"
            } else {
                row.state == .written
                    ? "It probably carries row \(number)" : "It may carry all or part of row \(number)"
            }
        return RefusedTag(
            uid: tag.uid, chip: tag.chip, reader: tag.reader, cause: .rowMoved,
            reason: "\(fact), which was released.", isQuarantined: false, time: .now)
    }

    /// Returns the record of a tag whose row was released while the tag was being written.
    ///
    /// Its time is the current time.
    package static func moved(from row: Int, uid: [UInt8], chip: String, reader: String) -> RefusedTag {
        RefusedTag(
            uid: uid, chip: chip, reader: reader, cause: .rowMoved,
            reason: "\(JournalError.rowMoved(row: row)) The tag may still carry row \(row), or part of it.",
            isQuarantined: false, time: .now)
    }
}
