// What a restore that was interrupted left on a tag, and the commands that bring it to an end

import Doctor
import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import SafeTag
import TagImage
import TagTypes
import WriteJournal

extension RestoreJournal {
    /// The journal in this user's state folder.
    static let ofThisUser = RestoreJournal(beside: .ofThisUser)
}

extension TagImage {
    /// The blocks that a restore can be judged by: those that can be read and that the chip does not change by itself, in
    /// sector trailers without the keys.
    var comparedBlocks: [Int: [UInt8]] {
        let known = blocks.compactMap { block in
            kind.isChangedByChip(block.number)
                ? nil : block.bytes.map { (block.number, compared($0, of: block.number)) }
        }
        return Dictionary(known) { first, _ in first }
    }

    /// A block's bytes without keys, which only show where they are known.
    func compared(_ bytes: [UInt8], of number: Int) -> [UInt8] {
        guard kind == .classic1K || kind == .classic4K, Kind.isClassicTrailer(number), bytes.count == 16 else {
            return bytes
        }
        return [UInt8](repeating: 0, count: 6) + bytes[6..<10] + [UInt8](repeating: 0, count: 6)
    }
}

extension TagSession {
    /// The restore of a connected tag that is not proven, and what the tag holds of it; nil without one, and then nothing is
    /// asked of the tag.
    func unfinishedRestore(
        of tag: ConnectedTag
    ) async throws -> (half: HalfRestore, standing: RestoreRecord.Standing)? {
        guard let pending = RestoreJournal.ofThisUser.pending(uid: tag.target.identifier) else { return nil }
        guard let record = pending.record else {
            return (HalfRestore(pending: pending, wayBack: pending.presumedWayBack), .halfway)
        }
        let (present, memory) = try await tag.image()
        let wayBack = pending.wayBack(to: present, memory, openedBy: tag.unlocking.credential)
        return (HalfRestore(pending: pending, wayBack: wayBack), record.standing(of: present.comparedBlocks))
    }

    /// The restore that left a connected tag with a part of a dump, for a command that reads; nil when none did.
    func halfRestore(of detected: DetectedTag) async -> HalfRestore? {
        guard let pending = RestoreJournal.ofThisUser.pending(uid: detected.target.identifier) else { return nil }
        do {
            let tag = try await connect(to: detected)
            return try await unfinishedRestore(of: tag).flatMap { $0.standing == .halfway ? $0.half : nil }
        } catch {
            // A tag that cannot be compared is not known to be whole.
            return HalfRestore(pending: pending, wayBack: pending.presumedWayBack)
        }
    }
}

extension TagChange {
    /// Makes sure that no earlier restore left the tag with a part of a dump.
    ///
    /// One that turns out to be done, or never to have begun, is forgotten.
    /// - Throws: ``UnfinishedRestore``; nothing was changed.
    func requireNoHalfRestore() async throws {
        guard let (half, standing) = try await session.unfinishedRestore(of: tag) else { return }
        switch standing {
        case .halfway:
            // A tag whose state does not show may well be written.
            let isReadOnly = (try? await tag.perform { try $0.detect().status == .readOnly }) ?? false
            throw UnfinishedRestore(half, isReadOnly: isReadOnly)
        case .untouched, .done: try RestoreJournal.ofThisUser.end(uid: half.uid)
        case .changed: break
        }
    }
}

extension SafeWrite {
    /// Keeps the old content of a restore that was interrupted aside: the tag has been given another whole message.
    func supersedeRestore(of tag: ConnectedTag) {
        // That this cannot be noted takes nothing from the write.
        guard let old = try? RestoreJournal.ofThisUser.supersede(uid: tag.target.identifier) else { return }
        hint.show("A restore of this tag was interrupted earlier. What the tag held before it is kept in \(old.path).")
    }
}

extension PendingRestore {
    /// When it began, for people.
    var time: String { started.formatted(.iso8601.dateTimeSeparator(.space)) }

    /// What happened, in a sentence.
    var sentence: String { "A restore of tag \(uid.hex) was interrupted; it was begun \(time)." }

    /// The command that finishes the restore; nil where its dump is not a file, or is the old content itself.
    var finishing: String? { record?.dump.map { command(for: $0) } }

    private func command(for dump: String, without dropped: String? = nil) -> String {
        let options = (record?.options ?? []).filter { $0 != dropped }
        return (["nfctool restore", ShellLine.quoted(dump)] + options).joined(separator: " ")
    }

    /// The line about the old content: a command and what it brings back, or why there is none.
    private func bringingBack(_ wayBack: WayBack) -> String {
        switch wayBack {
        case .whole, .exceptBits: "\(command(for: old.path))   \(wayBack.clause)"
        case .data:
            "\(command(for: old.path, without: RestorePlan.Parts.configurationOption))   \(wayBack.clause)"
        case .none: "\(wayBack.clause). It is kept in \(old.path)."
        }
    }

    /// The commands and what they do, a line each.
    func commands(_ wayBack: WayBack) -> [String] {
        let brought =
            bringingBack(wayBack)
            + (record == nil
                ? "; which options that restore had is not known: it may need --configuration, --otp or --uid-block"
                : "")
        return (finishing.map { ["\($0)   finishes the restore", brought] } ?? [brought]).map(TerminalText.escaped)
    }

    fileprivate var details: [String: FailureDetail] {
        let dump = record?.dump.map { ["dump": FailureDetail.text($0)] } ?? [:]
        return dump.merging(
            [
                "uid": .text(uid.hex), "operation": .text("restore"), "started": .text(started.formatted(.iso8601)),
                "old": .text(old.path),
            ]) { $1 }
    }
}

extension HalfRestore {
    /// What a command that reads the tag says.
    fileprivate var note: String {
        """
        \(pending.sentence) The tag may hold a part of the dump and a part of its old content.
        \(pending.commands(wayBack).joined(separator: "\n"))

        """
    }
}

extension [HalfRestore] {
    /// Notes on stderr which tags of a command that reads are not whole; nothing for scripts.
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        for restore in self { StandardError.print(restore.note) }
    }
}

/// An earlier restore was interrupted on this tag, and the tag is not whole.
struct UnfinishedRestore: Failure {
    private let half: HalfRestore
    private let isReadOnly: Bool
    private var pending: PendingRestore { half.pending }

    /// - Parameter isReadOnly: whether the tag cannot be erased.
    init(_ half: HalfRestore, isReadOnly: Bool) {
        self.half = half
        self.isReadOnly = isReadOnly
    }

    var name: ErrorName { .unfinishedWrite }
    var message: String {
        "\(pending.sentence) The tag may hold a part of the dump and a part of its old content. Nothing was changed."
    }
    var details: [String: FailureDetail] { pending.details }

    /// What to do, a line each.
    var advice: String {
        let erasing = isReadOnly ? [] : ["nfctool erase   leaves the tag empty; the old content stays on disk"]
        return (pending.commands(half.wayBack) + erasing).joined(separator: "\n")
    }
}

/// Restores were interrupted, which `recover` does not bring to an end.
struct PendingRestores: Failure {
    private let restores: [PendingRestore]

    /// - Parameter restores: one at least.
    init(_ restores: [PendingRestore]) { self.restores = restores }

    var name: ErrorName { .unfinishedWrite }
    var message: String {
        if let only = restores.first, restores.count == 1 {
            return "\(only.sentence) No write was interrupted, and recover does not finish restores."
        }
        let uids = restores.map(\.uid.hex).joined(separator: ", ")
        return "Restores of \(restores.count) tags were interrupted: \(uids). recover does not finish restores."
    }
    var details: [String: FailureDetail] {
        restores.count == 1 ? restores[0].details : ["uids": .list(restores.map(\.uid.hex))]
    }

    /// What to do, a line each.
    var advice: String {
        restores.count == 1
            ? restores[0].commands(restores[0].presumedWayBack).joined(separator: "\n")
            : "nfctool recover --list   shows the commands for each tag"
    }
}

/// A restore that is not proven, in JSON.
struct PendingRestoreReport: Encodable {
    private let schema = 1
    private let event = "pending"
    private let uid: String
    private let chip: String
    private let started: String
    private let operation = "restore"
    /// The path of a dump of what the tag held before.
    private let old: String
    /// The path of the dump to restore.
    private let dump: String?

    init(_ pending: PendingRestore) {
        uid = pending.uid.hex
        chip = Self.chip(of: pending)
        started = pending.started.formatted(.iso8601)
        old = pending.old.path
        dump = pending.record?.dump
    }

    /// The kind of the tag, as far as the file of its old content tells.
    private static func chip(of pending: PendingRestore) -> String {
        (try? DumpFile(path: pending.old.path).read())?.kindName ?? "a tag"
    }

    /// The same as text.
    static func text(of pending: PendingRestore) -> String {
        let first = "\(pending.uid.hex)  \(pending.time)  \(TerminalText.escaped(chip(of: pending)))  restore"
        let commands = pending.commands(pending.presumedWayBack)
        return ([first] + commands.map { "  " + $0 }).joined(separator: "\n")
    }
}
