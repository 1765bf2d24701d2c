// The one tag a command changes: found, connected, and looked at before anything is written

import Composing
import NDEF
import ReaderInterface
import ReaderSession
import TagTypes
import WriteJournal

/// The tag a command is about to change.
struct TagChange: Sendable {
    let session: TagSession
    var tag: ConnectedTag
    let write: SafeWrite
    private let confirmation: Confirmation
    /// An earlier write that was interrupted, to be brought to an end before the message is replaced.
    var unfinished: UnfinishedWork?

    /// Waits for the one tag, connects to it, and looks whether an earlier command on it was interrupted.
    ///
    /// - Throws: ``UnfinishedWrite`` for what is not to be done then.
    init(_ session: TagSession, _ options: TagOptions, _ write: WriteOptions? = nil, to aim: Aim) async throws {
        let tag = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
        self = try await TagFailure.beforeAnyChange { try await Self(session, tag, options, write, to: aim) }
    }

    /// The same for a command that changes something else than the message.
    ///
    /// - Parameter new: a password that opens the tag instead, where this computer is known to have set it.
    init(
        _ session: TagSession, _ options: TagOptions, _ wait: WaitOptions, orOpeningWith new: Type2Credential? = nil
    ) async throws {
        let tag = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
        let write = SafeWrite(session, options, journal: .ofThisUser, isWithoutWait: wait.isWithoutWait)
        let unlocking = session.unlocking(for: tag, orWith: new)
        self = try await TagFailure.beforeAnyChange {
            try await Self(tag, write, Confirmation(options.output), to: .keepMessage, opening: unlocking)
        }
    }

    /// Connects to a tag, and looks whether an earlier command on it was interrupted.
    init(
        _ session: TagSession, _ tag: DetectedTag, _ options: TagOptions, _ write: WriteOptions? = nil, to aim: Aim,
        opening unlocking: Unlocking? = nil
    ) async throws {
        // A command without these options changes nothing that could be interrupted, but looks for what was.
        let write = SafeWrite(
            session, options, journal: write.map(\.journal) ?? .ofThisUser,
            isWithoutWait: write?.wait.isWithoutWait ?? false)
        try await self.init(tag, write, Confirmation(options.output), to: aim, opening: unlocking)
    }

    /// Connects to a tag, and looks whether an earlier command on it was interrupted.
    ///
    /// - Throws: ``UnfinishedWrite`` or ``UnfinishedRestore`` for what is not to be done then.
    init(
        _ tag: DetectedTag, _ write: SafeWrite, _ confirmation: Confirmation, to aim: Aim,
        opening unlocking: Unlocking? = nil
    ) async throws {
        try await self.init(connecting: tag, write, confirmation, opening: unlocking)
        if let work = try await write.unfinishedWork(on: self.tag) { self = try facing(work, aim) }
        if aim != .replaceMessage { try await requireNoHalfRestore() }
    }

    /// Connects to a tag, and brings an earlier write that was interrupted to an end: the new one, if it was of the message that is
    /// wanted now.
    init(
        _ tag: DetectedTag, _ write: SafeWrite, _ confirmation: Confirmation, replacingBy wanted: [UInt8]?,
        opening unlocking: Unlocking? = nil
    ) async throws {
        try await self.init(tag, write, confirmation, to: .replaceMessage, opening: unlocking)
        if let unfinished { self = try await settled(unfinished, for: wanted) }
    }

    /// Connects to a tag, whatever it holds.
    init(
        connecting tag: DetectedTag, _ write: SafeWrite, _ confirmation: Confirmation,
        opening unlocking: Unlocking? = nil
    ) async throws {
        session = write.session
        self.write = write
        self.confirmation = confirmation
        self.tag = try await session.connect(to: tag, opening: unlocking)
    }

    /// The records on the tag; none when it is blank.
    func records() async throws -> [NDEFRecord] {
        let bytes = try await tag.perform { tag in try tag.detect().messageLength == nil ? [] : tag.readNDEF() }
        return bytes.isEmpty ? [] : try NDEFMessage(bytes: bytes).records
    }

    /// Initialises a blank tag once the user has agreed and if a message of this length will fit; true when it was blank.
    @discardableResult
    func initialiseIfBlank(for length: Int) async throws -> Bool {
        // What was torn may look blank, and was not.
        guard unfinished == nil else { return false }
        let state = try await tag.perform { try $0.detect() }
        guard state.isBlank else { return false }
        guard length <= state.capacity || state.capacity == 0 else {
            throw TagError.tooLong(length: length, capacity: state.capacity)
        }
        if !state.needsOnlyTLV {
            try confirmation.ask(
                "The tag \(tag.uid) is blank. Initialise it?", facts: Self.facts(ofInitialising: tag.target))
        }
        write.begun.note(tag.target.identifier)
        try await tag.perform { try $0.initialise() }
        write.supersedeRestore(of: tag)
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

    /// Keeps the tag's content in the journal while something else than its message changes, until that is proven.
    ///
    /// Should the tag be torn so that it cannot be read any more, `recover` writes what is kept.
    func insured<Value>(
        _ reading: TagReading, against change: JournalEntry.InsuredChange, _ work: () async throws -> Value
    ) async throws -> Value {
        let isNew = try await session.withoutChange {
            try await write.insure(tag, holding: reading.bytes, showing: reading.mirror, for: change)
        }
        do {
            write.begun.note(tag.target.identifier)
            let value = try await work()
            try write.settled(tag, "locked and verified")
            return value
        } catch {
            // What an earlier command began stays: this one proved nothing about it.
            // That the entry cannot be removed matters less than why the change was refused.
            if isNew, TagFailure(error)?.isBeforeAnyChange == true { try? write.settled(tag) }
            throw error
        }
    }

    /// Asks before what cannot be undone.
    func ask(_ question: String, facts: String) throws { try confirmation.ask(question, facts: facts) }

    /// Replaces the message, proves it, and tells what the tag holds now.
    ///
    /// Once it is sure that the new message can be written, an earlier write that was interrupted is brought to an end, and what
    /// the chip shows in the old message is turned off.
    /// - Parameters:
    ///   - mirror: what the chip is to show in the new message: the write is not done before it does.
    ///   - meanwhile: what else there is to read of the tag, while its content is journaled.
    ///   - plan: plans the write.
    func replaceMessage(
        showing mirror: MirrorPlacement? = nil, meanwhile: (ConnectedTag) async throws -> Void = { _ in },
        _ plan: @escaping @Sendable (any ForumTag) throws -> WritePlan
    ) async throws -> TagReading {
        var change = self
        if let unfinished { change = try await settled(unfinished, for: try await message(of: plan)) }
        let written = try await write.run(on: change.tag, showing: mirror, meanwhile: meanwhile, plan)
        guard let mirror else { return written }
        let showing = try await change.show(mirror, in: written.bytes)
        try write.settled(change.tag)
        return showing
    }

    /// The message of a plan for a tag that was torn; nil when nothing can be planned before that is mended.
    ///
    /// - Throws: what will not be mended: a message that does not fit, a tag that cannot be written.
    private func message(of plan: @escaping @Sendable (any ForumTag) throws -> WritePlan) async throws -> [UInt8]? {
        try await tag.perform { tag in
            do {
                return try plan(tag).newMessage
            } catch let error as TagError {
                switch error {
                case .notNDEF, .notBlank, .protocolViolation: return nil
                default: throw error
                }
            }
        }
    }

    /// Does work on the tag; when the tag leaves, waits until it is back and begins the work again.
    ///
    /// So the work must look at what the tag has then, or be such that doing it twice does no harm.
    func persistently<Value>(_ work: (TagChange) async throws -> Value) async throws -> Value {
        try await write.persistently(on: tag) { tag in
            var change = self
            change.tag = tag
            return try await work(change)
        }
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
