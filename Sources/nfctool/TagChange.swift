// The one tag a command changes: found, connected, and looked at before anything is written

import CoreNFC
import NDEF
import NFCReader
import TagTypes
import WriteJournal

/// The tag a command is about to change.
struct TagChange: Sendable {
    let session: TagSession
    private(set) var tag: SessionTag
    private let write: SafeWrite
    private let confirmation: Confirmation

    /// Waits for the one tag, connects to it, and brings an earlier write that was cut off to an end.
    init(_ session: TagSession, _ options: TagOptions, _ write: WriteOptions? = nil) async throws {
        let tag = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
        try await self.init(session, tag, options, write)
    }

    /// Connects to a tag, and brings an earlier write that was cut off to an end.
    init(_ session: TagSession, _ tag: SessionTag, _ options: TagOptions, _ write: WriteOptions? = nil) async throws {
        // A command without these options changes nothing that could be cut off, but ends what was.
        let safeWrite = SafeWrite(
            session, options, journal: write.map(\.journal) ?? .ofThisUser, isWithoutWait: write?.isWithoutWait ?? false
        )
        try await self.init(tag, safeWrite, Confirmation(options.output))
    }

    /// Connects to a tag, and brings an earlier write that was cut off to an end: the new one, if it was of the message that is
    /// wanted now.
    init(
        _ tag: SessionTag, _ write: SafeWrite, _ confirmation: Confirmation, for wanted: [UInt8]? = nil
    ) async throws {
        session = write.session
        self.write = write
        self.confirmation = confirmation
        try await session.session?.connect(to: tag)
        self.tag = try await write.settle(tag, for: wanted)
    }

    /// The records on the tag; none when it is blank.
    func records() async throws -> [NDEFRecord] {
        let bytes = try await tag.perform { tag in try tag.detect().messageLength == nil ? [] : tag.readNDEF() }
        return bytes.isEmpty ? [] : try NDEFMessage(bytes: bytes).records
    }

    /// Initialises a blank tag once the user has agreed and if a message of this length will fit; true when it was blank.
    @discardableResult
    func initialiseIfBlank(for length: Int) async throws -> Bool {
        let state = try await tag.perform { try $0.detect() }
        guard state.isBlank else { return false }
        guard length <= state.capacity || state.capacity == 0 else {
            throw TagError.tooLong(length: length, capacity: state.capacity)
        }
        if !state.needsOnlyTLV {
            try confirmation.ask(
                "The tag \(tag.uid) is blank. Initialise it?", facts: Self.facts(ofInitialising: tag.target))
        }
        try await tag.perform { try $0.initialise() }
        return true
    }

    /// What initialising does to a tag, as far as activation tells what it is.
    private static func facts(ofInitialising target: Target) -> String {
        switch TagDetection.tagType(of: target).type {
        case .type2:
            "To hold a message a blank tag must be initialised, which sets one-time bits and cannot be undone."
        case .mifareClassic:
            """
            To hold a message a MIFARE Classic is given a directory and other keys, the public ones for NDEF. \
            Many phones, all iPhones among them, do not read it.
            """
        case .type4: "To hold a message the card is given an NDEF application; what else is on it stays."
        default: "To hold a message a blank tag must be initialised."
        }
    }

    /// Keeps the tag's content in the journal while something else than its message changes.
    ///
    /// Should the tag be torn so that it cannot be read any more, `recover` writes what is kept.
    func insured<Value>(_ message: [UInt8], _ work: () async throws -> Value) async throws -> Value {
        try await write.insure(tag, holding: message)
        let value = try await work()
        try write.settled(tag)
        return value
    }

    /// Asks before what cannot be undone.
    func ask(_ question: String, facts: String) throws { try confirmation.ask(question, facts: facts) }

    /// Replaces the message, proves it, and tells what the tag holds now.
    ///
    /// What the chip shows in the old message is turned off first, once it is sure that the new one can be written.
    func replaceMessage(_ plan: @escaping @Sendable (any ForumTag) throws -> WritePlan) async throws -> TagReading {
        try await write.run(on: try await withoutMirror(plan), plan)
    }

    /// The tag when it shows its memory as it is.
    private func withoutMirror(
        _ plan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> SessionTag {
        let wasMirroring = try await tag.perform { tag in
            guard let chip = tag as? Type2Tag else { return false }
            chip.confirmChip()
            guard try chip.shownMirror() != nil else { return false }
            _ = try plan(tag)
            try chip.removeMirror()
            return true
        }
        return wasMirroring ? try await write.afterPowerUp(tag) : tag
    }

    /// The same tag after its field was off, as the next reader will see it.
    func afterPowerUp() async throws -> TagChange {
        var change = self
        change.tag = try await write.afterPowerUp(tag)
        return change
    }
}

extension TagReading {
    /// Prints the outcome of a change: JSON, or what was done and what the tag holds now.
    func report(_ deed: TagDeed, _ output: OutputOptions) throws {
        if output.json {
            try JSONLine.print(self, after: deed.sentence(tag: "\(name) \(uid)", length: bytes.count))
        } else {
            TagPresentation(self, style: .standardOutput).print(deed, isQuiet: output.quiet)
        }
    }
}
