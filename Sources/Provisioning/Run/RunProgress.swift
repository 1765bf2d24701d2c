// The progress of a run, from its events, for display

import Hexadecimal

/// The state of a run as its events tell it.
///
/// It knows no clock: each event comes with the time since the run began.
public struct RunProgress: Sendable {
    /// A row whose tag has to come back.
    public struct OpenRow: Hashable, Sendable {
        /// The row's number.
        public let row: Int
        /// The tag's UID in upper-case hexadecimal.
        public let uid: String
    }

    /// The rows of the plan.
    public let rows: Int
    /// How many rows this run finishes at most; nil for no limit.
    public let limit: Int?
    /// How fast rows are finished.
    public private(set) var pace = RunPace()
    /// Rows that are done, also before this run.
    public private(set) var done: Int
    /// Rows this run finished.
    public private(set) var doneNow = 0
    /// The tags that were placed and hold no row by now, by UID.
    public private(set) var bad: Set<String> = []
    /// The rows whose tags have to come back.
    public private(set) var open: [OpenRow]
    /// How many more there were at the beginning; nobody told which.
    public private(set) var unnamedOpen: Int
    /// At the end.
    public private(set) var summary: ProvisionSummary?
    /// The rows that readers work on, by the readers' names.
    private var atWork: [String: Int] = [:]

    /// Begins with what the journal knows.
    public init(_ start: ProvisionSummary, limit: Int? = nil) {
        self.limit = limit
        rows = start.rows
        done = start.done
        open = Self.open(start)
        unnamedOpen = max(0, start.rows - start.done - start.pending - open.count)
    }

    /// Takes an event.
    public mutating func apply(_ event: ProvisionEvent, at time: Duration) {
        switch event {
        case .started(let tag, let row):
            pace.tagCame(at: time)
            atWork[tag.reader] = row.number
        case .finished(let tag, let row, _, _, _):
            pace.finished(at: time)
            done += 1
            doneNow += 1
            bad.remove(tag.uid)
            close(row.number, tag)
        case .known(let tag, let row, _, _):
            close(row.number, tag)
        case .erased(let tag, let row):
            done = max(0, done - 1)
            reopen(row, tag)
        case .refused(let tag, let cause, _, _):
            pace.tagCame(at: time)
            atWork[tag.reader] = nil
            guard cause.isOfTag else { return }
            bad.insert(tag.uid)
            open.removeAll { $0.uid == tag.uid }
        case .cut(let tag, let row, _), .failed(let tag, let row, _, _):
            bad.insert(tag.uid)
            reopen(row, tag)
        case .removed(let tag): atWork[tag.reader] = nil
        case .readerLost(let reader, _, _): atWork[reader] = nil
        case .ended(let summary):
            self.summary = summary
            done = summary.done
            let failed = open
            open = Self.open(summary)
            // The summary does not name rows that failed.
            open += failed.filter { row in !open.contains { $0.row == row.row } }
            unnamedOpen = max(0, summary.rows - summary.done - summary.pending - open.count)
        case .readerOpened, .databaseAway, .databaseBack, .initialising, .weakField, .manyRefused, .commandFailed,
            .checked, .checkedAll:
            break
        }
    }

    private mutating func close(_ row: Int, _ tag: ProvisionedTag) {
        open.removeAll { $0.row == row || $0.uid == tag.uid }
        atWork[tag.reader] = nil
    }

    private mutating func reopen(_ row: PlanRow, _ tag: ProvisionedTag) {
        if !open.contains(where: { $0.row == row.number }) { open.append(OpenRow(row: row.number, uid: tag.uid)) }
        atWork[tag.reader] = nil
    }

    private static func open(_ summary: ProvisionSummary) -> [OpenRow] {
        summary.open.compactMap { row in row.tag.map { OpenRow(row: row.row.number, uid: $0.uid.hex) } }
    }

    /// Of the tags that were placed and ended one way or the other, those that hold their rows.
    public var yield: (good: Int, all: Int) { (doneNow, doneNow + bad.count) }

    /// The rows that this run is to finish yet.
    public var left: Int {
        let left = max(0, rows - done)
        return limit.map { min(left, max(0, $0 - doneNow)) } ?? left
    }

    /// How long that takes at the pace of the last minute; nil when nothing moves.
    public func timeLeft(at now: Duration) -> Duration? {
        guard left > 0, let rate = pace.perMinute(at: now) else { return nil }
        return .seconds(min(Double(left) / rate * 60, 1e9))
    }

    /// Whether only tags that have a row already can go on.
    public var isWithoutRows: Bool {
        let fresh = atWork.values.count { row in !open.contains { $0.row == row } }
        return rows - done - open.count - unnamedOpen - fresh <= 0
    }
}

extension RefusalCause {
    /// Whether it says something of the tag itself, not of how many are on the reader or of what is left.
    public var isOfTag: Bool { self != .severalTags && self != .noRow }
}
