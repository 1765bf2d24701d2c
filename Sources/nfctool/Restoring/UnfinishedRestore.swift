// The state in which an interrupted restore left a tag, and the commands that finish or undo the restore

import Doctor
import Foundation
import Hexadecimal
import SafeTag
import Terminal
import WriteJournal

extension PendingRestore {
    /// The command that finishes the restore.
    ///
    /// Nil if the dump came from a pipe or is the old content itself, or if the record cannot be read.
    var finishing: String? { record?.dump.map { command(for: $0) } }

    private func command(for dump: String, without dropped: String? = nil) -> String {
        let options = (record?.options ?? []).filter { $0 != dropped }
        return (["nfctool restore", ShellLine.quoted(dump)] + options).joined(separator: " ")
    }

    /// Returns the line about the old content: a command and what it brings back, or the reason why there is no
    /// command.
    private func bringingBack(_ wayBack: WayBack) -> String {
        switch wayBack {
        case .whole, .exceptBits: "\(command(for: old.path))   \(wayBack.clause)"
        case .data:
            "\(command(for: old.path, without: RestorePlan.Parts.configurationOption))   \(wayBack.clause)"
        case .none: "\(wayBack.clause). It is kept in \(old.path)."
        }
    }

    /// Returns the commands and their effects, one per line.
    func commands(_ wayBack: WayBack) -> [String] {
        let brought =
            bringingBack(wayBack)
            + (record == nil
                ? " (the options of that restore are not known: it may need --configuration, --otp or --uid-block)"
                : "")
        return (finishing.map { ["\($0)   finishes the restore", brought] } ?? [brought]).map(TerminalText.escaped)
    }
}

extension HalfRestore {
    /// The note that a command prints after it has read the tag.
    fileprivate var note: String {
        """
        \(pending.sentence) The tag may hold part of the dump and part of its old content.
        \(pending.commands(wayBack).joined(separator: "\n"))

        """
    }
}

extension [HalfRestore] {
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        for restore in self { StandardError.print(restore.note) }
    }
}

extension UnfinishedRestore: AdvisedError {
    var advice: String? {
        let erasing = isReadOnly ? [] : ["nfctool erase   leaves the tag empty; the old content stays on disk"]
        return (half.pending.commands(half.wayBack) + erasing).joined(separator: "\n")
    }
}

/// Interrupted restores, which `recover` does not finish.
struct PendingRestores: Failure, AdvisedError {
    private let restores: [PendingRestore]

    /// - Parameter restores: at least one restore.
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
        restores.count == 1 ? FailureDetail.all(of: restores[0]) : ["uids": .list(restores.map(\.uid.hex))]
    }

    var advice: String? {
        restores.count == 1
            ? restores[0].commands(restores[0].presumedWayBack).joined(separator: "\n")
            : "nfctool recover --list   shows the commands for each tag"
    }
}

struct PendingRestoreReport: Encodable {
    private let schema = 1
    private let event = "pending"
    private let uid: String
    private let chip: String
    private let started: String
    private let operation = "restore"
    /// The path of the dump with the tag's old content.
    private let old: String
    private let dump: String?

    init(_ pending: PendingRestore) {
        uid = pending.uid.hex
        chip = Self.chip(of: pending)
        started = pending.started.formatted(.iso8601)
        old = pending.old.path
        dump = pending.record?.dump
    }

    /// Returns the kind of the tag, or "a tag" if the dump with its old content does not show the kind.
    private static func chip(of pending: PendingRestore) -> String {
        (try? DumpFile(path: pending.old.path).read())?.kindName ?? "a tag"
    }

    static func text(of pending: PendingRestore) -> String {
        let first = "\(pending.uid.hex)  \(pending.time)  \(TerminalText.escaped(chip(of: pending)))  restore"
        let commands = pending.commands(pending.presumedWayBack)
        return ([first] + commands.map { "  " + $0 }).joined(separator: "\n")
    }
}
