// A write that was interrupted, and whether its tag came back

import Hexadecimal
public import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

/// An interruption of a write: the tag left, the tag or the reader failed, or the user ended the command.
public struct WriteCut: Sendable {
    /// The error that caused the interruption.
    public let cause: any ClassifiedError

    /// Whether the tag left, so that waiting for it may help.
    public var isTagGone: Bool { cause.kind == .tagGone }

    /// Whether the description of the cause includes the state of the tag.
    var tellsWhatTheTagHolds: Bool { (cause as? any TellsWhatTheTagHolds)?.tellsWhatTheTagHolds ?? false }

    /// Creates the interruption from an error.
    ///
    /// Returns nil if the tag is still present and refused without being changed.
    init?(_ error: any Error) {
        guard let cause = error as? any ClassifiedError else { return nil }
        switch cause {
        case TagError.writeInterrupted: break
        default: guard [.tagGone, .readerGone, .interrupted].contains(cause.kind) else { return nil }
        }
        self.cause = cause
    }
}

/// The error for a write that was interrupted: usually, the tag left and did not come back.
public struct WriteInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The interruption.
    public let cut: WriteCut
    private let patience: SafeWrite.Patience
    /// The UIDs of other tags that were placed instead.
    private let others: [[UInt8]]
    /// The error that ended the wait for the tag early, or the refusal of the returned tag.
    ///
    /// Nil if there is neither.
    public let end: (any ClassifiedError)?
    /// Whether the journal keeps the old content of the tag.
    public let isJournaled: Bool
    /// Whether the UID of the tag changes at each power-up, so that the tag cannot be recognised when it is back.
    public let hasRandomUID: Bool
    private let isWiping: Bool

    init(
        _ cut: WriteCut, of uid: [UInt8], _ write: SafeWrite, others: [[UInt8]] = [],
        end: (any ClassifiedError)? = nil, hasRandomUID: Bool = false
    ) {
        self.cut = cut
        self.hasRandomUID = hasRandomUID
        self.end = end
        patience = write.patience
        self.others = others
        let entry = write.entry(of: uid)
        isJournaled = entry != nil
        isWiping = entry?.plan.isWiping ?? false
    }

    /// The kind of failure.
    public var kind: FailureKind { (end ?? cut.cause).kind }

    /// A description in sentences.
    public var description: String {
        // If the user ended the wait, describe only the interruption.
        if let end { return end.kind == .interrupted ? state : "\(state) \(end)" }
        guard cut.isTagGone else { return state }
        if hasRandomUID { return "\(state) Its UID changes each time, so nfctool cannot recognise it." }
        guard case .upTo(let time) = patience else { return state }
        let uids = others.map(\.hex).joined(separator: ", ")
        let instead = others.isEmpty ? "" : "; other tags on the reader, not changed: \(uids)"
        return "\(state) The tag did not come back within \(time.inWords)\(instead)."
    }

    /// A sentence about the interruption and the state in which it left the tag.
    private var state: String {
        guard isWiping, case TagError.writeInterrupted(let contents, _, _, _) = cut.cause, contents != .unchanged else {
            return "\(cut.cause)"
        }
        return "\(cut.cause) Old data after the message can still be read."
    }
}
