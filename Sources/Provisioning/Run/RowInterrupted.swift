// What is known of a tag in whose work the user ended a provisioning — Docs/Provisioning.md

public import ReaderInterface
public import SafeTag
import TagTypes

/// The user ended the run while a tag with a row was worked on.
public struct RowInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The tag's UID as it is shown.
    public let uid: String
    /// The number of its row.
    public let row: Int
    /// What the tag holds, a sentence.
    public let state: String

    /// Makes the error of a tag that holds a row, or a part of it.
    ///
    /// The text depends on how far the row has come (`state`), on what the row wants of its tag after the message
    /// (`seal`), and on `error`, which ended the step that was under way.
    package init(uid: String, row: Int, seal: RowSeal, state: RowState, during error: any Error) {
        (self.uid, self.row) = (uid, row)
        let tag = "Tag \(uid)"
        self.state =
            switch (error, state) {
            case (TagError.lockInterrupted(_, missing: [], _), _):
                "\(tag) is locked and holds row \(row); this is not verified yet."
            // The step that was under way may have been carried out.
            case (TagError.lockInterrupted(done: [], _, _), _):
                "\(tag) holds row \(row) and may be partly locked."
            case (TagError.lockInterrupted(let done, let missing, _), _):
                "\(tag) holds row \(row) and is partly locked. Locked so far: \(done.joined(separator: ", "));"
                    + " not done, or not verified: \(missing.joined(separator: ", "))."
            case (_, .proven) where !seal.isNone:
                "\(tag) holds row \(row); whether it is \(Self.words(for: seal)) is not verified yet."
            default:
                "\(tag) has row \(row), which is not verified yet."
            }
    }

    private static func words(for seal: RowSeal) -> String {
        ((seal.protect ? ["protected"] : []) + (seal.lock ? ["locked"] : [])).joined(separator: " and ")
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind { .interrupted }

    /// What happened, in sentences.
    public var description: String { "\(state) Keep it, run the same command and place it again." }
}
