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
    ) async throws -> (pending: PendingRestore, standing: RestoreRecord.Standing)? {
        guard let pending = RestoreJournal.ofThisUser.pending(uid: tag.target.identifier) else { return nil }
        guard let record = pending.record else { return (pending, .halfway) }
        return (pending, record.standing(of: try await tag.image().0.comparedBlocks))
    }

    /// The restore that left a connected tag with a part of a dump, for a command that reads; nil when none did.
    func halfRestore(of detected: DetectedTag) async -> PendingRestore? {
        guard let pending = RestoreJournal.ofThisUser.pending(uid: detected.target.identifier) else { return nil }
        do {
            let tag = try await connect(to: detected)
            return try await unfinishedRestore(of: tag).flatMap { $0.standing == .halfway ? $0.pending : nil }
        } catch {
            // A tag that cannot be compared is not known to be whole.
            return pending
        }
    }
}

extension TagChange {
    /// Makes sure that no earlier restore left the tag with a part of a dump.
    ///
    /// One that turns out to be done, or never to have begun, is forgotten.
    /// - Throws: ``UnfinishedRestore``; nothing was changed.
    func requireNoHalfRestore() async throws {
        guard let (pending, standing) = try await session.unfinishedRestore(of: tag) else { return }
        switch standing {
        case .halfway: throw UnfinishedRestore(pending)
        case .untouched, .done: try RestoreJournal.ofThisUser.end(uid: pending.uid)
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

    /// The command that brings the old content back.
    var bringingBack: String { command(for: old.path) }

    private func command(for dump: String) -> String {
        (["nfctool restore", ShellLine.quoted(dump)] + (record?.options ?? [])).joined(separator: " ")
    }

    /// The commands and what they do, a line each.
    var commands: [String] {
        let brought =
            "\(bringingBack)   brings the old content back"
            + (record == nil
                ? "; which options that restore had is not known: it may need --configuration, --otp or --uid-block"
                : "")
        return (finishing.map { ["\($0)   finishes the restore", brought] } ?? [brought]).map(TerminalText.escaped)
    }

    /// What a command that reads the tag says.
    var note: String {
        """
        \(sentence) The tag may hold a part of the dump and a part of its old content.
        \(commands.joined(separator: "\n"))

        """
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

extension [PendingRestore] {
    /// Notes on stderr which tags of a command that reads are not whole; nothing for scripts.
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        for restore in self { StandardError.print(restore.note) }
    }
}

/// An earlier restore was interrupted on this tag, and the tag is not whole.
struct UnfinishedRestore: Failure {
    private let pending: PendingRestore

    init(_ pending: PendingRestore) { self.pending = pending }

    var name: ErrorName { .unfinishedWrite }
    var message: String {
        "\(pending.sentence) The tag may hold a part of the dump and a part of its old content. Nothing was changed."
    }
    var details: [String: FailureDetail] { pending.details }

    /// What to do, a line each.
    var advice: String {
        (pending.commands + ["nfctool erase   leaves the tag empty; the old content stays on disk"])
            .joined(separator: "\n")
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
            ? restores[0].commands.joined(separator: "\n")
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
        return ([first] + pending.commands.map { "  " + $0 }).joined(separator: "\n")
    }
}
