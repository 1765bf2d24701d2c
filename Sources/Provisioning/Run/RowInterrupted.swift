// The state of a tag that was being handled when the user ended the run — Docs/Provisioning.md

public import ReaderInterface
public import SafeTag
import TagTypes

/// The user ended the run while a tag with a row was being handled.
public struct RowInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The tag's UID as shown to the user.
    public let uid: String
    /// The number of the tag's row.
    public let row: Int
    /// What the tag holds, in sentences.
    public let state: String

    /// Creates the error for a tag that holds a row or part of it.
    ///
    /// The text depends on the state of the row, the lock and password that the row requires, and the error that ended
    /// the current step.
    package init(uid: String, row: Int, seal: RowSeal, state: RowState, during error: any Error) {
        (self.uid, self.row) = (uid, row)
        let tag = "Tag \(uid)"
        self.state =
            switch (error, state) {
            case (TagError.lockInterrupted(_, missing: [], _), _):
                "\(tag) holds row \(row). All steps of its lock are done, but the lock is not verified yet."
            // The tag may nevertheless have carried out the current step.
            case (TagError.lockInterrupted(done: [], _, _), _):
                "\(tag) holds row \(row) and may be partly locked."
            case (TagError.lockInterrupted(let done, let missing, _), _):
                "\(tag) holds row \(row) and is partly locked. Locked so far: \(done.joined(separator: ", "));"
                    + " not done, or not verified: \(missing.joined(separator: ", "))."
            case (_, .proven) where !seal.isNone:
                "\(tag) holds row \(row). nfctool has not yet verified that the tag is \(Self.words(for: seal))."
            default:
                "\(tag) has row \(row), which is not verified yet."
            }
    }

    private static func words(for seal: RowSeal) -> String {
        ((seal.protect ? ["protected"] : []) + (seal.lock ? ["locked"] : [])).joined(separator: " and ")
    }

    /// The kind of failure.
    public var kind: FailureKind { .interrupted }

    /// A description in sentences.
    public var description: String { "\(state) Keep the tag, run the same command, and place the tag again." }
}
