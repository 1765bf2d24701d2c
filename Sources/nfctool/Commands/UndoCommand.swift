// nfctool undo: brings back the message that a tag held before its last write

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag

struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Bring back the message that a tag held before its last write.",
        discussion: """
            The messages that write, erase, copy, restore and sdm setup replaced are kept on this computer for 30 days, \
            and those of the latest 20 writes longer. Only you can read them. Hold the tag on the reader: undo reverts \
            its last write, and the next undo reverts the one before it. undo --redo brings back what the last undo \
            removed. If the tag now holds a different message, undo keeps it, and asks first unless --yes is given.

            Messages that --no-journal, erase --wipe, format --factory or provision replaced are not kept.

              nfctool undo
              nfctool undo --redo
              nfctool undo --list
              nfctool undo --forget --uid 04A1B2C3D4E5F6
            """)

    @Flag(help: "Bring back the message that the last undo removed. The next undo takes this back again.")
    var redo = false

    @Flag(
        help: """
            Only show the writes that can be undone or redone: of the tag on --reader or with --uid, else of all tags.
            """)
    var list = false

    @Flag(
        help: """
            Delete the kept messages of the tag on --reader or with --uid, else of all tags. Asks first, unless --yes is \
            given.
            """)
    var forget = false

    @OptionGroup var wait: WaitOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func validate() throws {
        guard [redo, list, forget].count(where: \.self) < 2 else {
            throw ValidationError("Give only one of --redo, --list and --forget.")
        }
    }

    func run() async throws {
        let kept = KeptWrites(of: try await chosenTag())
        if list { return try kept.show(options.output) }
        if forget { return try kept.forget(options.output) }
        guard try !kept.isEmpty(redone: redo) else {
            try UndoReport(nil, uid: options.uid?.bytes, isRedo: redo).print(options.output)
            return kept.tellOfInterrupted(Hint(options.output))
        }
        let isRedo = redo
        let (uid, reading, wasThere, isLeftKept) = try await TagSession.run(options) { session in
            let write = SafeWrite(session, options, isWithoutWait: wait.isWithoutWait)
            let (timeout, wanted) = (options.waitingTime, options.uid?.bytes)
            guard isRedo else { return try await write.undo(within: timeout, uid: wanted) }
            let (uid, reading, wasThere) = try await write.redo(within: timeout, uid: wanted)
            return (uid, reading, wasThere, false)
        }
        try UndoReport(reading, uid: uid, isRedo: isRedo, wasThere: wasThere, isLeftKept: isLeftKept)
            .print(options.output)
        let hint = Hint(options.output)
        // A message that no stored write left is kept among the writes that can be undone.
        if reading != nil, !isRedo, !wasThere {
            hint.show("To take this back:  nfctool undo" + (isLeftKept ? "" : " --redo"))
        }
        if reading == nil { KeptWrites(of: uid).tellOfInterrupted(hint) }
        if reading?.failure != nil {
            hint.tell(
                isRedo
                    ? "The message was already broken before the undo. To replace it, write the tag again."
                    : "The old message was already broken before the last write. To replace it, write the tag again.")
        }
    }

    /// Returns the UID of the tag whose kept messages are wanted, or nil for all tags.
    ///
    /// `--list` and `--forget` need a tag only if the user names its reader.
    private func chosenTag() async throws -> [UInt8]? {
        guard list || forget, options.reader != nil, options.uid == nil else { return options.uid?.bytes }
        return try await TagSession.runForReading(options) { session in
            try await session.onlyTag(for: options).target.identifier
        }
    }
}
