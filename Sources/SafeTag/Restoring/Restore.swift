// A dump back onto a tag of the same chip: planned, shown, kept on disk, written, proven

import Composing
import Foundation
import NDEF
import ReaderInterface
package import ReaderSession
package import TagImage
import TagTypes
import WriteJournal

/// A restore of a dump.
package struct Restore: Sendable {
    /// What is restored.
    let dump: TagImage
    /// What is restored besides data.
    let parts: RestorePlan.Parts
    /// The dump's file, for the record of a restore that is interrupted; `-` for none.
    let path: String
    let session: TagSession
    private let write: SafeWrite
    /// Whether it gives the tag back the state in which it was delivered.
    private let isReset: Bool

    package init(
        _ dump: TagImage, _ parts: RestorePlan.Parts, from path: String, in session: TagSession, isReset: Bool = false
    ) {
        self.isReset = isReset
        self.dump = dump
        self.parts = parts
        self.path = path
        self.session = session
        write = SafeWrite(session, patience: .none)
    }

    /// What was restored.
    package enum Result: Sendable {
        /// The number of blocks written, and the number in the plan.
        case blocks(RestorePlan, RestoredLocks?, of: Int)
        /// The message of a Type 4 Tag, in these files; those that differ and stay.
        case files([UInt16], kept: [UInt16])
    }

    /// Restores the dump to a tag.
    ///
    /// - Returns: the tag as it is connected now.
    /// - Throws: ``WrongChip``, ``ChangedWhileAsked``, ``UnfinishedProtection``, `TagError` and what the dialogue throws before
    ///   anything is changed; ``RestoreInterrupted`` later; `TagImageError` for a dump without a message.
    package func run(on detected: DetectedTag) async throws -> (tag: ConnectedTag, result: Result) {
        let tag = try await session.connect(to: detected)
        let (present, memory) = try await tag.image(offering: dump.keys)
        guard dump.fits(present) else {
            // Perhaps this reader cannot identify the tag: then report that instead.
            try await tag.perform { try Self.requireIdentifyingReader($0) }
            throw WrongChip(dump: dump.kindName, tag: present.kindName)
        }
        if dump.kind == .type4 { return try await restoreMessage(over: present, of: tag) }
        let plan = try RestorePlan(
            dump, to: memory, parts: parts, openedBy: tag.unlocking.credential, isOwn: dump.isOf(tag.target.identifier))
        if !plan.configuration.isEmpty { try session.gate.requireNoPendingChange(on: tag.target.identifier) }
        // Do not ask about something that cannot be done.
        try await requireWrites(plan, on: tag)
        try await ask(.of(plan, dump, for: tag, in: session, isReset: isReset)) {
            let now = try await tag.image(offering: dump.keys).0
            // A counter that the chip shows differs at each power-up.
            return plan.mirrors.withoutShown(now.comparedBlocks)
                == plan.mirrors.withoutShown(present.comparedBlocks)
        }
        let restored = try await carryOut(plan, over: present, on: tag)
        // A whole dump takes the place of what a write that was interrupted would bring back; one that changes nothing does not.
        if plan.missing.isEmpty, !plan.writes.isEmpty {
            try RestoreSafety.afterRestoring { () throws(WriteJournalError) in
                try session.journals.writes.supersede(uid: tag.target.identifier)
            }
        }
        let locks = try await RestoredLocks.proven(by: plan, on: restored)
        return (restored, .blocks(plan, locks, of: memory.blocks.count))
    }

    private static func requireIdentifyingReader(_ tag: any ForumTag) throws(TagError) {
        if let tag = tag as? Type2Tag { try tag.requireIdentifyingReader() }
        if let tag = tag as? Type5Tag { try tag.requireIdentifyingReader() }
    }

    /// Replaces the NDEF message as a write does, journal and all; the capability container stays.
    private func restoreMessage(
        over present: TagImage, of tag: ConnectedTag
    ) async throws -> (tag: ConnectedTag, result: Result) {
        guard let message = dump.message else {
            throw TagImageError.malformed(
                "files", found: "without a whole NDEF file", expected: "E103, and the file that it names")
        }
        let isContainerOther = dump.difference(from: present).contains { $0.place == .file(TagImage.containerFile) }
        let kept = isContainerOther ? [TagImage.containerFile] : []
        // What an earlier write that was interrupted left is not touched for the sake of what is there already.
        guard message != present.message else { return (tag, .files([], kept: kept)) }
        do throws(BrokenMessage) {
            _ = try NDEFMessage(onTag: message)
        } catch {
            throw TagImageError.malformed("the NDEF message", found: "broken (\(error.error))", expected: "whole")
        }
        try await ask(.ofMessage(dump, for: tag, in: session)) {
            try await tag.image().0.message == present.message
        }
        // The journal keeps the old content of an earlier write when this write's entry replaces that entry.
        let change = TagChange(of: tag, write)
        _ = try await session.withoutChange { try await tag.perform { try $0.planWrite(message, .throughEmpty) } }
        _ = try await change.replaceMessage { try $0.planWrite(message, .throughEmpty) }
        let files = present.files.map(\.identifier).filter { $0 != TagImage.containerFile }
        return (tag, .files(files, kept: kept))
    }

    /// Asks where there is something to ask; `isSame` tells whether the tag still is as it was shown.
    ///
    /// - Throws: ``ChangedWhileAsked``; what the dialogue throws.
    private func ask(_ draft: RestoreDraft, _ isSame: () async throws -> Bool) async throws {
        guard draft.isQuestionable else { return }
        try await TagChange(of: draft.tag, write).ask(.restore(draft), about: isSame)
    }

    /// Finds out whether all of a plan can be written; nothing is changed.
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

    /// - Returns: the tag as it is connected now.
    private func carryOut(
        _ plan: RestorePlan, over present: TagImage, on tag: ConnectedTag
    ) async throws -> ConnectedTag {
        let uid = tag.target.identifier
        let safety = RestoreSafety.compared(
            in: session.journals.restores, uid: uid, holding: present, restoring: dump, from: path,
            options: parts.options, plan)
        guard !plan.writes.isEmpty else {
            try await session.withoutChange { try safety.needsNoWrite() }
            return tag
        }
        // What cannot be written is found out before anything is kept: from then on, no error proves that nothing was written.
        try await requireWrites(plan, on: tag)
        let writes = plan.steps.map { (number: $0.number, bytes: $0.bytes) }
        var tag = tag
        if let limit = plan.protection?.rules.limit { try session.gate.willLimit(to: limit, on: uid) }
        let kept = try await session.withoutChange { try safety.keep(try present.bytes(.json)) }
        do {
            if plan.mirror.turnedOff != nil {
                try await tag.perform { try ($0 as? Type2Tag)?.removeMirror() }
                // The chip shows it until it loses power.
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
        try RestoreSafety.afterRestoring { () throws(WriteJournalError) in try safety.proven() }
        return tag
    }

    /// The tag once it is seen to show what the restore turned on, after a power-up.
    ///
    /// - Throws: `TagError.verificationFailed(offset:)` when it does not.
    private func proven(
        _ mirror: MirrorOutcome, _ protection: Protection?, on tag: ConnectedTag
    ) async throws -> ConnectedTag {
        // A tag that asks for a password from now on shows nothing to those without.
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
