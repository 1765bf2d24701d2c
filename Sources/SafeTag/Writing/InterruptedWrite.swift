// What a command that reads says of a tag that an interrupted write left without its message

public import ReaderInterface
public import ReaderSession
import WriteJournal

/// A write that was interrupted and must be finished, or taken back, before the message on its tag counts.
public struct InterruptedWrite: Sendable {
    /// The tag.
    public let uid: [UInt8]

    /// The write of a tag that was read; nil where the journal knows of no write that left the tag so; a journal that cannot be read says nothing here.
    public init?(_ target: Target, holding held: HeldMessage) {
        let entries = (try? WriteJournal.ofThisUser.entries().entries) ?? []
        guard let entry = entries.first(where: { $0.uid == target.identifier }),
            UnfinishedWork(entry, on: held).leavesNoMessage
        else { return nil }
        uid = entry.uid
    }

    /// The write of a connected tag; nil also for a connected tag that shows no message to compare.
    public init?(of tag: ConnectedTag) async {
        guard let held = try? await tag.perform({ try HeldMessage($0) }) else { return nil }
        self.init(tag.target, holding: held)
    }
}
