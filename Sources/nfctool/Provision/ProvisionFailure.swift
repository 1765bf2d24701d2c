// The failures of the provision commands — Docs/JSON.md, Errors

import Doctor
import Foundation
import Hexadecimal
import ProvisionPresentation
import Provisioning
import ReaderInterface

/// The run ended before the plan was complete.
struct RowsLeft: Failure {
    let summary: ProvisionSummary

    var name: ErrorName { .rowsLeft }
    var message: String {
        let left = summary.counts.left
        let share = "\(left) of \(summary.rows) \(summary.rows == 1 ? "row" : "rows")"
        if summary.pending == left { return "\(share) not written yet." }
        let open = summary.open.compactMap(\.tag).map(\.uid.hex)
        let failed = summary.counts.failed
        var clauses: [String] = []
        if summary.pending > 0 { clauses.append("\(summary.pending) without a tag") }
        if !open.isEmpty {
            let more = left - summary.pending - failed - open.count
            clauses.append("waiting for \(open.joined(separator: ", "))" + (more > 0 ? " and \(more) more" : ""))
        }
        if failed > 0 { clauses.append("\(failed) failed") }
        return "\(share) not finished yet: \(clauses.joined(separator: "; "))."
    }
    var details: [String: FailureDetail] {
        ["pending": .number(summary.pending), "uids": .list(summary.open.compactMap { $0.tag?.uid.hex })]
    }
}

/// All rows were written, but some tags were changed after they were verified.
struct TagsChanged: Failure, AdvisedError {
    /// The first rows whose tags were changed.
    let rows: [JournalRow]

    /// The maximum number of tags that the error names.
    private static let named = 10

    /// Finds the rows that this station wrote, or returns nil if there are none or the database does not answer.
    ///
    /// - Throws: `JournalError` if the journal is damaged.
    init?(in journal: any ProvisionJournal) throws {
        do {
            rows = try journal.changedRows(after: 0, limit: Self.named + 1)
        } catch JournalError.away {
            return nil
        }
        if rows.isEmpty { return nil }
    }

    var name: ErrorName { .rowsLeft }
    var message: String {
        let tags = rows.prefix(Self.named).map { "\($0.tag?.uid.hex ?? "") (row \($0.row.number))" }
            .joined(separator: ", ")
        return rows.count == 1
            ? "All rows are done, but a tag was changed after it was verified: \(tags)."
            : "All rows are done, but tags were changed after they were verified: \(tags)\(rows.count > Self.named ? " …" : "")."
    }
    var advice: String? {
        """
        `nfctool provision status` says what was found. To check the tags again:  nfctool provision verify
        A tag that lost its password gets it back with `nfctool protect`.
        """
    }
    var details: [String: FailureDetail] {
        ["pending": .number(0), "uids": .list(rows.prefix(Self.named).compactMap { $0.tag?.uid.hex })]
    }
}

extension NothingToExtend: Failure, AdvisedError {
    var message: String { description }
    var advice: String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        guard let (journal, range) = shorter(among: names, suffix: JournalArgument.suffix).first else {
            return "To start this plan, leave out --extend. To extend another one, name its journal:  --journal FILE"
        }
        return """
            \(journal) is the journal of \(range.options). To extend that one, name it in this and all later runs:
            --journal \(journal)
            """
    }
}

extension OtherPassword: Failure, AdvisedError {
    var message: String { description }
    var advice: String? {
        let (given, other) = isOfKeys ? ("key file", "For other keys") : ("password", "For another password")
        return """
            To continue, give the earlier \(given).
            \(other), put the remaining rows into a separate plan with a new file name.
            """
    }
}

extension JournalError: Failure, AdvisedError {
    var message: String {
        switch self {
        case .severalPlans(let journal, nil, let known):
            "\(journal) has several plans. Name one with --plan: \(known.joined(separator: ", "))."
        default: description
        }
    }
    var advice: String? {
        switch self {
        case .held:
            """
            Only one process at a time works with a journal in a file. Wait until that one ends, or stop it.
            Several readers on this computer: repeat --reader in one run. Several computers: share a database \
            (--journal postgresql://…), or split the list before the first tag.
            Do not copy the journal: two copies give the same rows to different tags.
            """
        case .missing(let path):
            JournalArgument.othersText(besides: path)
                ?? (StartedJournals.ofThisUser.hasLost(URL(fileURLWithPath: path))
                    ? "It was used before. Restore it, or build it again: run the plan with --overwrite same, and first place all tags that are already written."
                    : nil)
                    ?? """
                    If the plan was started under another name or in another folder, name its journal:  --journal FILE
                    If no tag has a row of this plan yet, start it with nfctool provision.
                    """
        case .damaged:
            """
            Restore the journal from a backup. It records which tags have which rows. Run the plan with --overwrite same, and \
            first place the tags that were written after the backup: each gets the row that it holds.
            Without a backup, move it away, run the plan with its earlier options and --overwrite same, and first place \
            all written tags: each gets the row that it holds. With {random}, put the rows that no tag has into a new plan instead.
            """
        case .deleted(_, isBack: true): "If you moved it, delete the moved file: use only one of the two."
        case .deleted: "If you moved it, move it back. The tags of this run have their rows: do not use them again."
        case .notAJournal:
            """
            If tags already have rows of this plan, restore the journal from a backup.
            If not, move this file away, or name another file for the journal:  --journal FILE
            """
        case .otherVersion(_, let found, let known):
            found > known ? "Update nfctool." : "Use the version of nfctool that started the plan."
        // No file can be opened or created next to the journal. SQLite: 8 is SQLITE_READONLY, 14 SQLITE_CANTOPEN, and
        // 1544 SQLITE_READONLY_DIRECTORY.
        case .unusable(let path, EACCES, _), .unusable(let path, EROFS, _), .unusable(let path, 8, _),
            .unusable(let path, 14, _), .unusable(let path, 1544, _):
            JournalRights.advice(forFile: path)
        case .full: "Free some space on the disk, and run the same command again."
        case .away:
            "Run the same command again when the database answers. Every tag that was changed has a row assigned to it."
        case .stepsKept:
            "When the database answers, run the same command with the same --station and place these rows' tags again."
        case .notPrepared: "Prepare the database once, as its owner:  nfctool provision init-db URI"
        case .otherSchema(_, let found, let known):
            found > known
                ? "Update nfctool on this machine."
                : found < 1
                    ? "This nfctool cannot upgrade the tables."
                    : "Upgrade the tables, as the owner of the database:  nfctool provision init-db URI"
        case .refusedByServer where isContention: "Run the same command again."
        // SQLSTATE 42501 is insufficient_privilege.
        case .rowsNotShown, .refusedByServer(_, "42501", _): "Use a login with the role nfctool_station."
        case .planReplaced: "Start this station again, with the new plan's file and options, or with neither."
        case .planInUse:
            "Stop that station, or wait a minute after it has stopped, and run the same command again to replace its plan."
        case .libraryMissing: "Install it, as an administrator:  apt install libpq5"
        case .loginRefused: "Check the user in the URI, and its password: ~/.pgpass (mode 0600) or PGPASSFILE."
        case .noSuchDatabase: "Check the URI. To create a database, as an administrator:  createdb NAME"
        case .severalPlans: "--plan needs a name, at least 8 digits of the SHA-256, or \"NAME of OWNER\"."
        case .stationTaken: "Give this process another name:  --station NAME"
        case .passwordInAddress: "Put it into ~/.pgpass (mode 0600), a service file, or the file that PGPASSFILE names."
        case .badAddress: "Use the form postgresql://USER@HOST:5432/DATABASE."
        default: nil
        }
    }
}

extension RowNotStored: Failure {
    var message: String { description }
    var details: [String: FailureDetail] { ["uid": .text(tag.uid), "row": .number(tag.row)] }
}

/// The options of a command differ from those of the plan that it continues.
struct OtherOptions: Failure, AdvisedError {
    let journal: String
    /// Whether the command names no records, but changes settings of the plan.
    let isOfSettings: Bool
    var name: ErrorName { .badPlan }
    var message: String { "\(journal) was started with other options." }
    var advice: String? {
        isOfSettings
            ? "To continue the plan as it is, give no options: they are stored. To add --lock, repeat all options of the plan, and add --lock --extend."
            : "Omit the options: this run uses those that are stored."
    }
}

/// The records of a plan in a database name files on this computer, and the plan's options were not repeated here.
struct FilesOfStation: Failure, AdvisedError {
    let journal: String
    let template: String
    var name: ErrorName { .badPlan }
    var message: String { "\(journal) writes files of this computer to tags: \(template)." }
    var advice: String? { "If this is intended, repeat the plan's options here:  \(template)" }
}

extension ReportError: Failure {
    var name: ErrorName {
        switch self {
        case .unknownFormat: .usage
        case .notWritable, .tooManyColumns: .badFile
        }
    }
    var message: String { description }
}

extension BadRows: Failure, AdvisedError {
    /// The maximum number of rows that the text lists.
    ///
    /// Further rows are only counted.
    private static let shownInText = 50

    var message: String { description }
    var advice: String? {
        let hasFault = rows.contains { if case .faulty = $0.reason { true } else { false } }
        return hasFault ? "Correct the plan, or add --force to write messages that phones cannot use." : nil
    }
    var lines: [String] {
        let shown = BadRowGroup.all(of: rows).prefix(Self.shownInText)
        let more = count - shown.reduce(0) { $0 + $1.count }
        return shown.map(\.text) + (more > 0 ? ["… and \(more) more"] : [])
            + (UnusedColumn.text(unused).map { [$0] } ?? [])
    }
    var details: [String: FailureDetail] {
        ["rows": .list(rows.map(\.text)), "badRows": .number(count)]
    }
}

extension PlanError: Failure {
    var message: String { text }
}
