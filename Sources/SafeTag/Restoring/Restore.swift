// Restores a dump to a tag with the same chip: plan, ask, keep the old content on disk, write, verify

import Composing
import Foundation
import NDEF
import ReaderInterface
package import ReaderSession
package import TagImage
import TagTypes
import WriteJournal

/// A restore of a dump to a tag.
package struct Restore: Sendable {
    let dump: TagImage
    /// The parts to restore besides data.
    let parts: RestorePlan.Parts
    /// The path of the dump, for the record of an interrupted restore, or `-` to record no path.
    let path: String
    let session: TagSession
    private let write: SafeWrite
    private let isReset: Bool

    package init(
        _ dump: TagImage, _ parts: RestorePlan.Parts, from path: String, in session: TagSession, isReset: Bool = false
    ) {
        self.isReset = isReset
        self.dump = dump
        self.parts = parts
        self.path = path
        self.session = session
        write = SafeWrite(session, isUndoable: true, patience: .none)
    }

    /// The result of a restore.
    package enum Result: Sendable {
        case blocks(RestorePlan, RestoredLocks?, of: Int)
        /// The message of a Type 4 Tag was restored in these files. `kept` are the files that differ from the dump and
        /// were not changed.
        case files([UInt16], kept: [UInt16])
    }

    /// Restores the dump to a tag.
    ///
    /// - Returns: the tag with its current connection, and the result.
    /// - Throws: ``WrongChip``, ``UnsoundDump``, ``MixedOneTimeBits``, ``DumpLacksKey``, ``ChangedWhileAsked``,
    ///   ``UnfinishedProtection``, `TagError` or what the dialogue throws, before anything is changed;
    ///   ``RestoreInterrupted`` from the first write on; `TagImageError` if the dump has no message.
    package func run(on detected: DetectedTag) async throws -> (tag: ConnectedTag, result: Result) {
        let tag = try await session.connect(to: detected)
        // What may be written depends on the chip, which is also unknown if an answer was lost.
        try await tag.perform { ($0 as? Type2Tag)?.confirmChip() }
        let (present, memory) = try await tag.image(offering: dump.keys)
        guard dump.fits(present) else {
            // If this reader cannot identify the tag, report that instead of a wrong chip.
            try await tag.perform { try Self.requireIdentifyingReader($0) }
            throw WrongChip(dump: dump.kindName, tag: present.kindName)
        }
        if dump.kind == .type4 { return try await restoreMessage(over: present, of: tag) }
        let plan = try RestorePlan(
            dump, to: memory, parts: parts, openedBy: tag.unlocking.credential, isOwn: dump.isOf(tag.target.identifier))
        try plan.requirePossibleContainer(of: dump, from: path)
        try plan.requireOneTimeData(of: dump, on: memory)
        guard plan.zeroKeys.isEmpty else { throw DumpLacksKey(sectors: plan.zeroKeys) }
        if !plan.configuration.isEmpty { try session.gate.requireNoPendingChange(on: tag.target.identifier) }
        // Do not ask about something that cannot be done.
        try await requireWrites(plan, on: tag)
        try await ask(.of(plan, dump, over: present, of: tag, in: session, isReset: isReset)) {
            let now = try await tag.image(offering: dump.keys).0
            // A mirrored counter is different after each power-up, so it is not compared.
            return plan.mirrors.withoutShown(now.comparedBlocks)
                == plan.mirrors.withoutShown(present.comparedBlocks)
        }
        let restored = try await carryOut(plan, over: present, on: tag)
        if supersedesWrite(plan) {
            try RestoreSafety.afterRestoring { () throws(WriteJournalError) in
                try session.journals.writes.supersede(uid: tag.target.identifier)
            }
        }
        let locks = try await RestoredLocks.proven(by: plan, on: restored)
        return (restored, .blocks(plan, locks, of: memory.blocks.count))
    }

    /// Whether a restore replaces the content that recovering an interrupted write would bring back.
    ///
    /// A restore of a complete dump does so, even if sectors that are blocked permanently are missing. A restore that
    /// changes nothing does not.
    private func supersedesWrite(_ plan: RestorePlan) -> Bool { plan.missingOpen.isEmpty && !plan.writes.isEmpty }

    private func unfinishedWrite(of tag: ConnectedTag) -> JournalEntry? {
        (try? session.journals.writes.entry(uid: tag.target.identifier)) ?? nil
    }

    private static func requireIdentifyingReader(_ tag: any ForumTag) throws(TagError) {
        if let tag = tag as? Type2Tag { try tag.requireIdentifyingReader() }
        if let tag = tag as? Type5Tag { try tag.requireIdentifyingReader() }
    }

    /// Replaces the NDEF message as a write does, with a journal entry.
    ///
    /// The capability container stays the same.
    private func restoreMessage(
        over present: TagImage, of tag: ConnectedTag
    ) async throws -> (tag: ConnectedTag, result: Result) {
        guard let message = dump.message else {
            throw TagImageError.malformed(
                "files", found: "incomplete", expected: "file E103, and the complete NDEF file that it names")
        }
        let isContainerOther = dump.difference(from: present).contains { $0.place == .file(TagImage.containerFile) }
        let kept = isContainerOther ? [TagImage.containerFile] : []
        // If the message is already there, leave the remains of an earlier interrupted write alone.
        guard message != present.message else { return (tag, .files([], kept: kept)) }
        do throws(BrokenMessage) {
            _ = try NDEFMessage(onTag: message)
        } catch {
            throw TagImageError.malformed(
                "the NDEF message", found: "broken (\(error.error))", expected: "a valid message")
        }
        try await ask(.ofMessage(dump, for: tag, in: session)) {
            try await tag.image().0.message == present.message
        }
        var change = TagChange(of: tag, write)
        _ = try await session.withoutChange { try await tag.perform { try $0.planWrite(message, .throughEmpty) } }
        // First bring back the message from before an interrupted write, so that an undo finds it.
        let unfinished = try await JournalFailure.beforeAnyChange { try await write.unfinishedWork(on: tag) }
        if let unfinished { change = try change.facing(unfinished, .replaceMessage) }
        _ = try await change.replaceMessage { try $0.planWrite(message, .throughEmpty) }
        let files = present.files.map(\.identifier).filter { $0 != TagImage.containerFile }
        return (tag, .files(files, kept: kept))
    }

    /// Asks for confirmation if it is needed.
    ///
    /// `isSame` checks whether the tag is still as it was shown to the user.
    ///
    /// - Throws: ``ChangedWhileAsked``; what the dialogue throws.
    private func ask(_ draft: RestoreDraft, _ isSame: () async throws -> Bool) async throws {
        guard draft.isQuestionable else { return }
        try await TagChange(of: draft.tag, write).ask(.restore(draft), about: isSame)
    }

    /// Checks whether all blocks of a plan can be written, without changing anything.
    private func requireWrites(_ plan: RestorePlan, on tag: ConnectedTag) async throws {
        guard !plan.writes.isEmpty else { return }
        let writes = plan.steps.map { (number: $0.number, bytes: $0.bytes) }
        try await session.withoutChange {
            try await tag.perform { tag in
                try tag.requireBlocks(writes)
                if plan.mirror.turnedOff != nil { try (tag as? Type2Tag)?.requireMirror(for: .uid) }
            }
        }
    }

    /// Checks that the UID of a tag can be changed, if the restore includes it.
    ///
    /// The check writes the current bytes again, so it is made after the question.
    private func requireUID(_ plan: RestorePlan, on tag: ConnectedTag) async throws {
        guard parts.contains(.uid) else { return }
        let writes = plan.writes.map { (number: $0.number, bytes: $0.bytes) }
        try await session.withoutChange {
            try await tag.perform { try ($0 as? Type2Tag)?.requireWritableUID(writes) }
        }
    }

    /// Writes the blocks of the plan, and verifies them.
    ///
    /// - Returns: the tag with its current connection.
    private func carryOut(
        _ plan: RestorePlan, over present: TagImage, on tag: ConnectedTag
    ) async throws -> ConnectedTag {
        let uid = tag.target.identifier
        let safety = try await session.withoutChange {
            try RestoreSafety.compared(
                in: session.journals.restores, uid: uid, holding: present, restoring: dump, from: path,
                options: parts.options, plan)
        }
        guard !plan.writes.isEmpty else {
            try await session.withoutChange {
                if let old = try safety.older { try keepMessage(in: old, replacedBy: present, on: tag) }
                try safety.needsNoWrite()
            }
            return tag
        }
        // Check what can be written before the old content is kept: after that, any error may mean that blocks were
        // written.
        try await requireWrites(plan, on: tag)
        try await requireUID(plan, on: tag)
        let writes = plan.steps.map { (number: $0.number, bytes: $0.bytes) }
        var tag = tag
        if let limit = plan.protection?.rules.limit { try session.gate.willLimit(to: limit, on: uid) }
        let before = try await session.withoutChange { try safety.older ?? present }
        let kept = try await session.withoutChange { try safety.keep(try present.bytes(.json)) }
        do {
            if plan.mirror.turnedOff != nil {
                try await tag.perform { try ($0 as? Type2Tag)?.removeMirror() }
                // The chip continues to mirror the content until it loses power.
                tag = try await write.afterPowerUp(tag)
            }
            try await tag.perform { try $0.writeBlocks(writes) }
            tag = try await proven(plan.mirror, plan.protection, on: tag)
        } catch {
            guard let cause = error as? any ClassifiedError else { throw error }
            throw RestoreInterrupted(
                cause: cause, old: kept.file.path, older: kept.older?.path, options: parts.options,
                permanent: safety.permanent, unkept: await UnkeptBits.seen(on: tag, plan, after: cause))
        }
        try RestoreSafety.afterRestoring { () throws(WriteJournalError) in
            // Do this before the file with the old content is deleted.
            let superseded = supersedesWrite(plan) ? unfinishedWrite(of: tag) : nil
            try keepMessage(in: before, replacedBy: present.after(plan), on: tag, superseding: superseded)
            try safety.proven()
        }
        return tag
    }

    /// Keeps the message that the restore replaced, unless the restore resets the tag to its factory state.
    private func keepMessage(
        in old: TagImage, replacedBy image: TagImage, on tag: ConnectedTag, superseding unfinished: JournalEntry? = nil
    ) throws(WriteJournalError) {
        if isReset { return }
        let isUnfinishedKept = try session.keepMessage(
            in: old, replacedBy: image, on: tag, named: image.kindName, superseding: unfinished)
        if isUnfinishedKept { write.dialogue.tell(.supersededWrite(uid: tag.target.identifier)) }
    }

    /// Verifies after a power-up that the tag shows the mirror that the restore turned on, and returns the tag.
    ///
    /// - Throws: `TagError.verificationFailed(offset:)` if it does not.
    private func proven(
        _ mirror: MirrorOutcome, _ protection: Protection?, on tag: ConnectedTag
    ) async throws -> ConnectedTag {
        // A tag that now requires a password shows nothing without it.
        guard let shown = mirror.shown, protection == nil else { return tag }
        let tag = try await write.afterPowerUp(tag)
        let found = try await tag.perform { try ($0 as? Type2Tag)?.shownMirror() }
        guard found?.content == shown else { throw TagError.verificationFailed(offset: 0) }
        let reading = try await session.currentReading(of: tag)
        if let place = reading.mirror, !place.isShown(in: reading.bytes, uid: tag.target.identifier) {
            throw TagError.verificationFailed(offset: place.offset)
        }
        return tag
    }
}
