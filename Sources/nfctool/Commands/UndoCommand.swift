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
            its last write, and the next undo reverts the one before it. undo does not keep the message of the write \
            that it reverts. If the tag now holds a different message, undo keeps it, and asks first unless --yes is given.

            Messages that --no-journal, erase --wipe, format --factory or provision replaced are not kept.

              nfctool undo
              nfctool undo --list
              nfctool undo --forget --uid 04A1B2C3D4E5F6
            """)

    @Flag(help: "Only show the writes that can be undone: of the tag on --reader or with --uid, else of all tags.")
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
        if list, forget { throw ValidationError("Give --list or --forget, not both.") }
    }

    func run() async throws {
        let kept = KeptWrites(of: try await chosenTag())
        if list { return try kept.show(options.output) }
        if forget { return try kept.forget(options.output) }
        guard try !kept.isEmpty else {
            try UndoReport(nil, uid: options.uid?.bytes).print(options.output)
            return kept.tellOfInterrupted(Hint(options.output))
        }
        let (uid, reading, wasThere, isLeftKept) = try await TagSession.run(options) { session in
            try await SafeWrite(session, options, isWithoutWait: wait.isWithoutWait)
                .undo(within: options.waitingTime, uid: options.uid?.bytes)
        }
        try UndoReport(reading, uid: uid, wasThere: wasThere, isLeftKept: isLeftKept).print(options.output)
        let hint = Hint(options.output)
        if reading == nil { KeptWrites(of: uid).tellOfInterrupted(hint) }
        if reading?.failure != nil {
            hint.tell("The old message was already broken before the last write. To replace it, write the tag again.")
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
