// What a command that reads says of a tag that an interrupted write left without its message

import Hexadecimal
import ReaderInterface
import ReaderSession
import WriteJournal

/// A write that was interrupted and must be finished, or taken back, before the message on its tag counts.
struct InterruptedWrite {
    private let uid: [UInt8]

    /// Nil where the journal knows of no write that left the tag so; a journal that cannot be read says nothing here.
    init?(_ target: Target, holding held: HeldMessage) {
        let entries = (try? WriteJournal.ofThisUser.entries().entries) ?? []
        guard let entry = entries.first(where: { $0.uid == target.identifier }),
            UnfinishedWork(entry, on: held).leavesNoMessage
        else { return nil }
        uid = entry.uid
    }

    /// Nil also for a connected tag that shows no message to compare.
    init?(of tag: ConnectedTag) async {
        guard let held = try? await tag.perform({ try HeldMessage($0) }) else { return nil }
        self.init(tag.target, holding: held)
    }

    /// Notes on stderr how the write is finished; nothing for scripts.
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        StandardError.print("A write to tag \(uid.hex) was interrupted: nfctool recover finishes it.\n")
    }
}
