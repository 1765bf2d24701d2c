// The progress of a run, derived from its events, for display

import Hexadecimal

/// The state of a run according to its events.
///
/// It has no clock of its own: each event comes with the time since the run began.
public struct RunProgress: Sendable {
    /// A row whose tag must be placed again.
    public struct OpenRow: Hashable, Sendable {
        /// The row's number.
        public let row: Int
        /// The tag's UID in upper-case hexadecimal.
        public let uid: String
    }

    /// The number of rows in the plan.
    public let rows: Int
    /// The maximum number of rows to finish in this run, or nil for no limit.
    public let limit: Int?
    /// The rate at which rows are finished.
    public private(set) var pace = RunPace()
    /// The number of finished rows, including those before this run.
    public private(set) var done: Int
    /// The number of rows finished in this run.
    public private(set) var doneNow = 0
    /// The UIDs of the tags that were refused or could not be finished.
    public private(set) var bad: Set<String> = []
    /// The rows whose tags must be placed again.
    public private(set) var open: [OpenRow]
    /// The number of rows whose tags must be placed again here, apart from those in ``open``.
    public private(set) var unnamedOpen: Int
    /// The number of other rows that no new tag can get: rows of other stations, and rows that failed before this run.
    private var taken: Int
    /// The summary, or nil until the run has ended.
    public private(set) var summary: ProvisionSummary?
    /// The numbers of the rows that readers are working on, by reader name.
    private var atWork: [String: Int] = [:]

    /// Creates the progress of a run that begins with `start`, the progress that the journal records.
    public init(_ start: ProvisionSummary, limit: Int? = nil) {
        self.limit = limit
        rows = start.rows
        done = start.done
        open = Self.open(start)
        unnamedOpen = start.openHere - open.count
        taken = Self.taken(start)
    }

    /// Applies an event.
    ///
    /// `time` is the time since the run began.
    public mutating func apply(_ event: ProvisionEvent, at time: Duration) {
        switch event {
        case .started(let tag, let row, let isNew):
            pace.tagCame(at: time)
            if !isNew { name(row, tag) }
            atWork[tag.reader] = row.number
        case .finished(let tag, let row, _, _, _):
            pace.finished(at: time)
            done += 1
            doneNow += 1
            bad.remove(tag.uid)
            close(row.number, tag)
        case .known(let tag, let row, _, _):
            bad.remove(tag.uid)
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
            unnamedOpen = summary.openHere - open.count
            taken = Self.taken(summary)
            // Keep the rows that failed, because the summary does not list them.
            open += failed.filter { row in !open.contains { $0.row == row.row } }
        case .readerOpened, .databaseAway, .databaseBack, .initialising, .weakField, .manyRefused, .commandFailed,
            .checked, .checkedAll:
            break
        }
    }

    private mutating func close(_ row: Int, _ tag: ProvisionedTag) {
        open.removeAll { $0.row == row || $0.uid == tag.uid }
        atWork[tag.reader] = nil
    }

    /// Lists a row that a tag had before this run, if it was only counted until now.
    private mutating func name(_ row: PlanRow, _ tag: ProvisionedTag) {
        guard !open.contains(where: { $0.row == row.number }) else { return }
        if unnamedOpen > 0 { unnamedOpen -= 1 } else { taken = max(0, taken - 1) }
        open.append(OpenRow(row: row.number, uid: tag.uid))
    }

    private mutating func reopen(_ row: PlanRow, _ tag: ProvisionedTag) {
        if !open.contains(where: { $0.row == row.number }) { open.append(OpenRow(row: row.number, uid: tag.uid)) }
        atWork[tag.reader] = nil
    }

    private static func open(_ summary: ProvisionSummary) -> [OpenRow] {
        summary.open.compactMap { row in row.tag.map { OpenRow(row: row.row.number, uid: $0.uid.hex) } }
    }

    private static func taken(_ summary: ProvisionSummary) -> Int {
        max(0, summary.rows - summary.done - summary.pending - summary.openHere)
    }

    /// The number of tags finished in this run, and the sum of this number and that of the ``bad`` tags.
    public var yield: (good: Int, all: Int) { (doneNow, doneNow + bad.count) }

    /// The number of rows that this run still has to finish.
    public var left: Int {
        let left = max(0, rows - done)
        return limit.map { min(left, max(0, $0 - doneNow)) } ?? left
    }

    /// Returns the estimated time until this run has finished its rows, at the rate of the last minute.
    ///
    /// Returns nil if there is no estimate.
    public func timeLeft(at now: Duration) -> Duration? {
        guard left > 0, let rate = pace.perMinute(at: now) else { return nil }
        return .seconds(min(Double(left) / rate * 60, 1e9))
    }

    /// Whether all rows have tags, so that no other tag can get a row.
    public var isWithoutRows: Bool {
        let fresh = atWork.values.count { row in !open.contains { $0.row == row } }
        return rows - done - open.count - unnamedOpen - taken - fresh <= 0
    }
}
