// Errors from a plan's journal — one case for each reaction of a caller

import GRDB
import Glibc
import Hexadecimal
public import ReaderInterface

/// A journal error.
///
/// `code` and `reason` come from SQLite or the operating system.
public enum JournalError: Error, Hashable, Sendable {
    /// There is no journal, because the plan was not started.
    case missing(path: String)
    /// The journal already exists, so it must be opened instead of created.
    case exists(path: String)
    /// Another process works with the journal. `byProcess` is nil if that process has just ended or cannot be
    /// identified.
    case held(path: String, byProcess: Int32?, command: String)
    /// The file is not a journal. `found` says what it is, in words that can follow "it is".
    case notAJournal(path: String, found: String)
    /// Another version of nfctool created the journal.
    case otherVersion(path: String, found: Int, known: Int)
    /// The journal is missing, but its write-ahead log exists. A new journal would destroy the steps in the log.
    case orphanedLog(path: String)
    /// The file was deleted or moved while this process worked with it. `isBack` says whether it was created again with
    /// all its rows.
    case deleted(path: String, isBack: Bool)
    /// The journal is damaged.
    case damaged(path: String, code: Int32, reason: String)
    /// No space is left. Unconfirmed steps were not stored, but all earlier ones are kept.
    case full(path: String, code: Int32, reason: String)
    /// The journal cannot be opened, read or written.
    case unusable(path: String, code: Int32, reason: String)
    /// The plan has no such row.
    case noSuchRow(Int)
    /// The row cannot get a tag because it is not pending.
    case notPending(row: Int, state: RowState)
    /// The tag already has this row, and a tag gets only one row.
    case tagHasRow(uid: [UInt8], row: Int)
    /// The tag is in quarantine and gets no row.
    case quarantined(uid: [UInt8])
    /// The row cannot change from its state to the requested state `to`.
    case illegalStep(row: Int, from: RowState, to: RowState)
    /// The row cannot become verified, because the content that was read from its tag is missing.
    case proofMissing(row: Int)
    /// The row cannot be reset, because its tag is being written. Release the row or place its tag again instead.
    case underWay(row: Int, state: RowState, uid: [UInt8])
    /// The row cannot be released, because a tag was verified to hold it or was completely written. The row could end
    /// up on two tags.
    case tagHoldsRow(row: Int, state: RowState, uid: [UInt8])
    /// The server does not answer. The request may or may not have been carried out. It is repeated when the server
    /// answers again.
    case away(journal: String, reason: String)
    /// The server does not accept the login: there is no such user, or its password or host is refused. `reason` is a
    /// sentence.
    case loginRefused(journal: String, reason: String)
    /// The server has no such database, or the folder of its socket does not exist. `reason` is a sentence.
    case noSuchDatabase(journal: String, reason: String)
    /// PostgreSQL's client library is not installed.
    case libraryMissing
    /// While the journal was away, another plan replaced the one that this station worked on.
    case planReplaced(journal: String)
    /// Another station works on the plan that was to be replaced.
    case planInUse(journal: String)
    /// The server refused the request. `code` is an SQLSTATE.
    case refusedByServer(journal: String, code: String, reason: String)
    /// The database has no tables for journals, or this login is not allowed to see them.
    case notPrepared(journal: String)
    /// Another version of nfctool prepared the database.
    case otherSchema(journal: String, found: Int, known: Int)
    /// Another process uses the same station name.
    case stationTaken(journal: String, station: String)
    /// The database has no such plan. `known` lists the plans that this login may see.
    case noSuchPlan(journal: String, plan: String, known: [String])
    /// The login may see the progress of plans but not the content of their rows.
    case rowsNotShown(journal: String)
    /// Several plans match. `plan` is the text that they match, or nil if no plan was named.
    case severalPlans(journal: String, plan: String?, known: [String])
    /// libpq cannot parse the connection URI.
    case badAddress
    /// The station's name is empty, too long, or not a single line.
    case badStation
    /// The connection URI contains a password, which other users of the machine could read.
    case passwordInAddress
    /// A string contains a NUL, which PostgreSQL cannot store.
    case unstorable(journal: String)
    /// Another station got the row first. The tag was not touched.
    case claimLost(row: Int)
    /// The row was released while its tag was being written.
    case rowMoved(row: Int)
    /// The run ended before everything was stored. The last steps of these rows and the reasons for refusing these tags
    /// are not in the journal. `reason` explains why, in full sentences.
    case stepsKept(journal: String, rows: [Int], tags: [[UInt8]], reason: String)
}

extension JournalError: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind {
        switch self {
        case .held, .stationTaken, .planInUse: .journalBusy
        case .missing, .exists, .notAJournal, .otherVersion, .orphanedLog, .deleted, .damaged, .full, .unusable:
            .badFile
        case .otherSchema, .notPrepared, .noSuchPlan, .severalPlans, .unstorable: .badFile
        case .away, .stepsKept: .journalAway
        case .planReplaced: .badPlan
        case .refusedByServer: isContention ? .journalBusy : .notAllowed
        case .rowsNotShown, .loginRefused: .notAllowed
        case .noSuchRow, .illegalStep, .tagHoldsRow, .underWay, .badAddress, .badStation, .passwordInAddress,
            .noSuchDatabase, .libraryMissing:
            .usage
        case .notPending, .tagHasRow, .quarantined, .proofMissing, .claimLost, .rowMoved: .internal
        }
    }

    /// A description in one or more sentences.
    public var description: String {
        switch self {
        case .missing(let path): "No journal found at \(path)."
        case .exists(let path): "The journal \(path) already exists."
        case .held(let path, let process?, let command):
            "The journal \(path) is in use by process \(process) (\(command))."
        case .held(let path, nil, _): "The journal \(path) is in use by another process."
        case .notAJournal(let path, let found): "\(path) is not an nfctool journal: it is \(found)."
        case .otherVersion(let path, let found, let known):
            "The journal \(path) has version \(found); this nfctool supports version \(known)."
        case .orphanedLog(let path):
            "\(path) belongs to a journal that is missing. Restore the journal, or delete this file."
        case .deleted(let path, let isBack):
            "The journal \(path) was deleted or moved during the run. "
                + (isBack ? "It was created there again, with all its rows." : "It could not be created there again.")
        case .damaged(let path, let code, let reason):
            "The journal \(path) is damaged: \(reason)\(Self.number(code))."
        case .full(let path, let code, let reason):
            "There is no space for the journal \(path): \(reason)\(Self.number(code)). All earlier steps are kept."
        case .unusable(let path, let code, let reason):
            "The journal \(path) cannot be used: \(reason)\(Self.number(code))."
        case .noSuchRow(let row): "The plan has no row \(row)."
        case .notPending(let row, let state): "Row \(row) is not pending but \(state.words())."
        case .tagHasRow(let uid, let row): "Tag \(uid.hex) already has row \(row)."
        case .quarantined(let uid): "Tag \(uid.hex) is in quarantine and gets no row."
        case .illegalStep(let row, .pending, .pending): "Row \(row) is already free: no tag has it."
        case .illegalStep(let row, let from, let to):
            "Row \(row) is \(from.words()) and cannot become \(to.words())."
        case .proofMissing(let row): "Row \(row) cannot be verified: the content read from its tag is missing."
        case .underWay(let row, let state, let uid):
            "Row \(row) is \(state.words()): tag \(uid.hex) may hold part of it. Place that tag again, or free the row. Nothing was changed."
        case .tagHoldsRow(let row, .written, let uid):
            "Row \(row) is written: tag \(uid.hex) probably holds it. If you free the row, a second tag could carry the same row."
        case .tagHoldsRow(let row, let state, let uid):
            "Row \(row) is \(state.words()): tag \(uid.hex) holds it. If you free the row, a second tag could carry the same row."
        case .away(let journal, let reason): "Cannot reach the database \(journal): \(reason)"
        case .rowsNotShown(let journal):
            "This login of \(journal) may see the progress of plans, but not the content of their rows."
        case .loginRefused(let journal, let reason): "The server of \(journal) refuses the login: \(reason)"
        case .noSuchDatabase(let journal, let reason): "Cannot reach the database \(journal): \(reason)"
        case .libraryMissing: "Cannot reach a database: PostgreSQL's client library (libpq) is missing on this machine."
        case .planReplaced(let journal):
            "Another station replaced the plan in \(journal) while this one was away. No tag was written with the options of the earlier plan."
        case .planInUse(let journal):
            "The plan in \(journal) differs from yours, and another station is working on it. Nothing was changed."
        case .refusedByServer(let journal, let code, let reason):
            "The database \(journal) refused: \(reason) (\(code))."
        case .notPrepared(let journal):
            "The database \(journal) is not prepared for plans, or this login is not allowed to see them."
        case .otherSchema(let journal, let found, let known):
            "The tables in \(journal) have version \(found); this nfctool supports version \(known)."
        case .stationTaken(let journal, let station):
            "Another process already uses the station name \"\(station)\" (\(journal))."
        case .noSuchPlan(let journal, _, []): "\(journal) has no plan that this login can see."
        case .noSuchPlan(let journal, let plan, let known):
            "\(journal) has no plan \(plan). Its plans: \(known.joined(separator: ", "))."
        case .severalPlans(let journal, nil, let known):
            "\(journal) has several plans: \(known.joined(separator: ", "))."
        case .severalPlans(_, let plan?, let known):
            "Several plans match \"\(plan)\": \(known.joined(separator: ", "))."
        case .badAddress: "PostgreSQL's client library cannot parse the connection URI."
        case .badStation: "A station's name is one line of 1 to 64 characters."
        case .passwordInAddress: "The connection URI contains a password, which other users of this machine can read."
        case .unstorable(let journal): "\(journal) cannot store text that contains a NUL character."
        case .claimLost(let row): "Row \(row) was given to another station."
        case .rowMoved(let row): "Row \(row) was released while this station was writing its tag."
        case .stepsKept(let journal, let rows, let tags, let reason):
            reason
                + (rows.isEmpty
                    ? ""
                    : " The last steps of \(rows.count == 1 ? "row" : "rows") \(rows.map(String.init).joined(separator: ", ")) are not stored in \(journal).")
                + (tags.isEmpty
                    ? ""
                    : " The reasons why these tags were refused are not stored either: \(tags.map(\.hex).joined(separator: ", ")).")
        }
    }

    private static func number(_ code: Int32) -> String { code == 0 ? "" : " (\(code))" }
}

extension JournalError {
    /// The path of the journal if the error is about a file that cannot be used or read, or nil.
    public var path: String? {
        switch self {
        case .otherVersion(let path, _, _), .damaged(let path, _, _), .full(let path, _, _), .unusable(let path, _, _):
            path
        default: nil
        }
    }

    /// Whether the server refused in favour of another session (serialization failure, deadlock, a lock that was not
    /// free).
    ///
    /// A retry may succeed.
    public var isContention: Bool {
        if case .refusedByServer(_, let code, _) = self { ["40001", "40P01", "55P03"].contains(code) } else { false }
    }

    /// Whether the cause is temporary: another station was faster, or the server was busy or did not answer.
    ///
    /// The tag was not touched, and the program tries it again.
    package var isPassing: Bool {
        switch self {
        case .away, .claimLost, .notPending, .tagHasRow: true
        case .refusedByServer: isContention
        default: false
        }
    }

    /// Converts an error from SQLite, or from code that uses it, to a journal error for `path`.
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = error as? JournalError ?? .unusable(path: path, code: 0, reason: String(describing: error))
            return
        }
        let code = error.extendedResultCode.rawValue
        let reason = error.message ?? "SQLite gives no reason"
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .notAJournal(path: path, found: "not an SQLite database")
        case .SQLITE_CORRUPT: self = .damaged(path: path, code: code, reason: reason)
        case .SQLITE_FULL: self = .full(path: path, code: code, reason: reason)
        // SQLite reports a different error if the disk is full while it enlarges the file -shm, which it also needs for
        // reading.
        case .SQLITE_IOERR where Self.writeErrors.contains(error.extendedResultCode) && Self.isDiskFull(path):
            self = .full(path: path, code: code, reason: "the disk is full")
        default: self = .unusable(path: path, code: code, reason: reason)
        }
    }

    private static let writeErrors: [ResultCode] = [.SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_WRITE]
    /// The number of bytes by which SQLite enlarges the file -shm — https://www.sqlite.org/walformat.html, WAL-index.
    private static let pieceLength: UInt = 32_768

    /// Whether the file system of a path has no space to enlarge the file -shm.
    private static func isDiskFull(_ path: String) -> Bool {
        var system = statvfs()
        return statvfs(path, &system) == 0 && UInt(system.f_bavail) < pieceLength / max(UInt(system.f_frsize), 1) + 1
    }

    init(errno code: Int32, path: String) {
        let reason = String(cString: strerror(code))
        self =
            code == ENOSPC || code == EDQUOT || code == EFBIG
            ? .full(path: path, code: code, reason: reason) : .unusable(path: path, code: code, reason: reason)
    }
}
