// What can go wrong with the journal of a plan — cases differ by what the caller does next

import GRDB
import Glibc
import Hexadecimal
public import ReaderInterface

/// An error of the journal; `code` and `reason` are SQLite's or the system's own.
public enum JournalError: Error, Hashable, Sendable {
    /// There is no journal: the plan was not begun.
    case missing(path: String)
    /// There is one already: it is opened, not made.
    case exists(path: String)
    /// Another process works with it; `process` is nil when it ended, or could not be found, in this moment.
    case held(path: String, byProcess: Int32?, command: String)
    /// The file is something else; `found` is a noun phrase.
    case notAJournal(path: String, found: String)
    /// Another version of nfctool made it.
    case otherVersion(path: String, found: Int, known: Int)
    /// The steps of a journal that is gone are here, and would be lost by a new one.
    case orphanedLog(path: String)
    /// It is ours and not whole.
    case damaged(path: String, code: Int32, reason: String)
    /// There is no space left: what was not confirmed did not happen, and everything before is kept.
    case full(path: String, code: Int32, reason: String)
    /// It cannot be opened, read or written.
    case unusable(path: String, code: Int32, reason: String)
    /// The plan has no such row.
    case noSuchRow(Int)
    /// A row is bound only while it is pending.
    case notPending(row: Int, state: RowState)
    /// A tag gets one row, and it has this one.
    case tagHasRow(uid: [UInt8], row: Int)
    /// The tag is in quarantine: it gets no row.
    case quarantined(uid: [UInt8])
    /// A row does not go from the one state to the other; `to` is what was asked for.
    case illegalStep(row: Int, from: RowState, to: RowState)
    /// A row is proven only by what was read.
    case proofMissing(row: Int)
    /// A tag has the row in hand: such a row is released, or its tag placed again, but not reset.
    case underWay(row: Int, state: RowState, uid: [UInt8])
    /// The row is on a tag that was proven to hold it, which would be in the world twice if it were released.
    case tagHoldsRow(row: Int, state: RowState, uid: [UInt8])
    /// Its server does not answer: what was asked may have been done or not, and is asked again when it is back.
    case away(journal: String, reason: String)
    /// Its server has no such database, or the folder of its socket is not there; `reason` is a sentence.
    case noSuchDatabase(journal: String, reason: String)
    /// PostgreSQL's client library is not installed.
    case libraryMissing
    /// Another plan took the place of the one that this station worked on, while it was away.
    case planReplaced(journal: String)
    /// Another station works on a plan that was to be replaced.
    case planInUse(journal: String)
    /// Its server answers, and will not; `code` is an SQLSTATE.
    case refusedByServer(journal: String, code: String, reason: String)
    /// The database has no tables for journals, or this login may not see them.
    case notPrepared(journal: String)
    /// Another version of nfctool prepared the database.
    case otherSchema(journal: String, found: Int, known: Int)
    /// Another process works under the same name.
    case stationTaken(journal: String, station: String)
    /// The database has no such plan; `known` are those that this login may see.
    case noSuchPlan(journal: String, plan: String, known: [String])
    /// The login may see how far plans are, and not what their rows hold.
    case rowsNotShown(journal: String)
    /// Several plans may be meant; `plan` is what they match, nil where no plan was named.
    case severalPlans(journal: String, plan: String?, known: [String])
    /// A connection URI that libpq does not understand.
    case badAddress
    /// A station's name that is empty, too long, or not one line.
    case badStation
    /// A connection URI with a password, which other users of the machine can read.
    case passwordInAddress
    /// A text that PostgreSQL cannot store: it has a NUL.
    case unstorable(journal: String)
    /// Another station was given the row first: no tag was touched.
    case claimLost(row: Int)
    /// The row was released while its tag was being written.
    case rowMoved(row: Int)
    /// The run ended before all was stored: the last steps of these rows, and why these tags were refused, are not in the
    /// journal; `reason` is why, in sentences.
    case stepsKept(journal: String, rows: [Int], tags: [[UInt8]], reason: String)
}

extension JournalError: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind {
        switch self {
        case .held, .missing, .exists, .notAJournal, .otherVersion, .orphanedLog, .damaged, .full, .unusable: .badFile
        case .away, .stepsKept, .otherSchema, .notPrepared, .noSuchPlan, .severalPlans, .rowsNotShown, .stationTaken,
            .refusedByServer,
            .unstorable:
            .badFile
        case .planReplaced, .planInUse: .badFile
        case .noSuchRow, .illegalStep, .tagHoldsRow, .underWay, .badAddress, .badStation, .passwordInAddress,
            .noSuchDatabase, .libraryMissing:
            .usage
        case .notPending, .tagHasRow, .quarantined, .proofMissing, .claimLost, .rowMoved: .internal
        }
    }

    /// What happened, in a sentence or two.
    public var description: String {
        switch self {
        case .missing(let path): "No journal found at \(path). Run nfctool provision with this plan first."
        case .exists(let path): "The journal \(path) already exists."
        case .held(let path, let process?, let command):
            "The journal \(path) is in use by process \(process) (\(command))."
        case .held(let path, nil, _): "The journal \(path) is in use by another process."
        case .notAJournal(let path, let found): "\(path) is not an nfctool journal: it is \(found)."
        case .otherVersion(let path, let found, let known):
            "The journal \(path) has version \(found); this nfctool supports version \(known)."
        case .orphanedLog(let path):
            "\(path) belongs to a journal that is missing. Restore the journal, or delete this file."
        case .damaged(let path, let code, let reason):
            "The journal \(path) is damaged: \(reason)\(Self.number(code))."
        case .full(let path, let code, let reason):
            "There is no space for the journal \(path): \(reason)\(Self.number(code)). What was confirmed is kept."
        case .unusable(let path, let code, let reason):
            "The journal \(path) cannot be used: \(reason)\(Self.number(code))."
        case .noSuchRow(let row): "The plan has no row \(row)."
        case .notPending(let row, let state): "Row \(row) is not pending but \(state.rawValue)."
        case .tagHasRow(let uid, let row): "The tag \(uid.hex) already has row \(row)."
        case .quarantined(let uid): "The tag \(uid.hex) is in quarantine and gets no row."
        case .illegalStep(let row, let from, let to):
            "Row \(row) is \(from.rawValue) and cannot become \(to.rawValue)."
        case .proofMissing(let row): "Row \(row) cannot be verified: the content read from its tag is missing."
        case .underWay(let row, let state, let uid):
            "Row \(row) is \(state.rawValue): the tag \(uid.hex) may hold a part of it. Place that tag again, or free the row with nfctool provision release \(row). Nothing was changed."
        case .tagHoldsRow(let row, let state, let uid):
            "Row \(row) is \(state.rawValue): the tag \(uid.hex) holds it. A second tag would then carry the same row."
        case .away(let journal, let reason): "Cannot reach the database \(journal): \(reason)"
        case .rowsNotShown(let journal):
            "This login of \(journal) may see the progress of plans, but not the content of their rows."
        case .noSuchDatabase(let journal, let reason): "Cannot reach the database \(journal): \(reason)"
        case .libraryMissing: "Cannot reach a database: PostgreSQL's client library (libpq) is missing on this machine."
        case .planReplaced(let journal):
            "Another station replaced the plan in \(journal) while this one was away. No tag was written with the options of the earlier plan."
        case .planInUse(let journal):
            "The plan in \(journal) differs from yours, and another station is working on it. Nothing was changed."
        case .refusedByServer(let journal, let code, let reason):
            "The database \(journal) refused: \(reason) (\(code))."
        case .notPrepared(let journal):
            "The database \(journal) is not prepared for plans, or this login may not see them."
        case .otherSchema(let journal, let found, let known):
            "The tables in \(journal) have version \(found); this nfctool supports version \(known)."
        case .stationTaken(let journal, let station):
            "Another process already uses the station name \"\(station)\" (\(journal))."
        case .noSuchPlan(let journal, _, []): "\(journal) has no plan that this login can see."
        case .noSuchPlan(let journal, let plan, let known):
            "\(journal) has no plan \(plan). It has \(known.joined(separator: ", "))."
        case .severalPlans(let journal, nil, let known):
            "\(journal) has several plans. Name one with --plan: \(known.joined(separator: ", "))."
        case .severalPlans(_, let plan?, let known):
            "Several plans match \"\(plan)\": \(known.joined(separator: ", "))."
        case .badAddress: "PostgreSQL's client library cannot parse the connection URI."
        case .badStation: "A station's name is one line of 1 to 64 characters."
        case .passwordInAddress: "The connection URI holds a password, which other users of this machine can read."
        case .unstorable(let journal): "\(journal) cannot store text that contains a NUL character."
        case .claimLost(let row): "Row \(row) was given to another station."
        case .rowMoved(let row): "Row \(row) was released while this station was writing its tag."
        case .stepsKept(let journal, let rows, let tags, let reason):
            reason
                + (rows.isEmpty
                    ? ""
                    : " The last steps of \(rows.count == 1 ? "row" : "rows") \(rows.map(String.init).joined(separator: ", ")) are not stored in \(journal).")
                + (tags.isEmpty
                    ? "" : " Also not stored: why these tags were refused: \(tags.map(\.hex).joined(separator: ", ")).")
        }
    }

    private static func number(_ code: Int32) -> String { code == 0 ? "" : " (\(code))" }
}

extension JournalError {
    /// Whether the server put another session first (serialization failure, deadlock, a lock that was not free): the same may
    /// succeed now.
    public var isContention: Bool {
        if case .refusedByServer(_, let code, _) = self { ["40001", "40P01", "55P03"].contains(code) } else { false }
    }

    /// Whether another station, or the server, was in the way for a moment: the tag was not touched, and is tried again.
    var isPassing: Bool {
        switch self {
        case .away, .claimLost, .notPending, .tagHasRow: true
        case .refusedByServer: isContention
        default: false
        }
    }

    /// What an error of SQLite, or of anything on the way to it, means for the journal in a file.
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
        default: self = .unusable(path: path, code: code, reason: reason)
        }
    }

    /// The system's reason for a failed call.
    init(errno code: Int32, path: String) {
        let reason = String(cString: strerror(code))
        self =
            code == ENOSPC || code == EDQUOT || code == EFBIG
            ? .full(path: path, code: code, reason: reason) : .unusable(path: path, code: code, reason: reason)
    }
}
