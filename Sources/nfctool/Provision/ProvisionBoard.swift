// What the operator of a provisioning is shown, as a value: events in, lines out — Docs/CommandLine.md, provision

import Foundation
import Hexadecimal
import Provisioning

/// The state of a run for the terminal view.
///
/// It knows no clock: each event comes with the time since the run began.
struct ProvisionBoard: Sendable {
    let plan: String
    /// When the run began.
    let began: Date
    let rows: Int
    let limit: Int?

    private(set) var readers: [ProvisionBoardReader] = []
    private(set) var pace = ProvisionPace()
    /// Rows that are done, also before this run.
    private(set) var done: Int
    /// Rows this run finished.
    private(set) var doneNow = 0
    /// The tags that were placed and hold no row by now, by UID.
    private(set) var bad: Set<String> = []
    /// The last events worth a line, the newest first.
    private(set) var results: [Result] = []
    /// The rows whose tags have to come back.
    private(set) var open: [OpenRow]
    /// How many more there were at the beginning; nobody told which.
    private(set) var unnamedOpen: Int
    /// At the end.
    private(set) var summary: ProvisionSummary?

    struct Result: Sendable {
        let event: ProvisionEvent
        let time: Duration
    }

    struct OpenRow: Hashable, Sendable {
        let row: Int
        let uid: String
    }

    /// As many as the tallest terminal shows.
    private static let keptResults = 200

    /// Begins with what the journal knows.
    init(plan: String, start: ProvisionSummary, limit: Int? = nil, began: Date = .now) {
        self.plan = plan
        self.began = began
        self.limit = limit
        rows = start.rows
        done = start.done
        open = Self.open(start)
        unnamedOpen = max(0, start.rows - start.done - start.pending - open.count)
    }

    /// Takes an event.
    mutating func apply(_ event: ProvisionEvent, at time: Duration) {
        note(event, at: time)
        show(event)
        switch event {
        case .started, .removed, .ended: break
        default:
            results.insert(Result(event: event, time: time), at: 0)
            if results.count > Self.keptResults { results.removeLast() }
        }
    }

    /// Counts.
    private mutating func note(_ event: ProvisionEvent, at time: Duration) {
        switch event {
        case .started:
            pace.tagCame(at: time)
        case .finished(let tag, let row, _, _, _):
            pace.finished(at: time)
            done += 1
            doneNow += 1
            bad.remove(tag.uid)
            close(row.number, tag.uid)
        case .known(let tag, let row, _, _):
            close(row.number, tag.uid)
        case .erased(let tag, let row):
            done = max(0, done - 1)
            if !open.contains(where: { $0.row == row.number }) { open.append(OpenRow(row: row.number, uid: tag.uid)) }
        case .refused(let tag, let cause, _, _):
            pace.tagCame(at: time)
            guard ProvisionVerdict.isOfTag(cause) else { return }
            bad.insert(tag.uid)
            open.removeAll { $0.uid == tag.uid }
        case .cut(let tag, let row, _), .failed(let tag, let row, _, _):
            bad.insert(tag.uid)
            if !open.contains(where: { $0.row == row.number }) { open.append(OpenRow(row: row.number, uid: tag.uid)) }
        case .ended(let summary):
            self.summary = summary
            done = summary.done
            let failed = open
            open = Self.open(summary)
            // The summary does not name rows that failed.
            open += failed.filter { row in !open.contains { $0.row == row.row } }
            unnamedOpen = max(0, summary.rows - summary.done - summary.pending - open.count)
        case .readerOpened, .readerLost, .initialising, .weakField, .removed, .commandFailed:
            break
        }
    }

    private mutating func close(_ row: Int, _ uid: String) { open.removeAll { $0.row == row || $0.uid == uid } }

    private static func open(_ summary: ProvisionSummary) -> [OpenRow] {
        summary.open.compactMap { row in row.tag.map { OpenRow(row: row.row.number, uid: $0.uid.hex) } }
    }

    // MARK: Readers

    private mutating func show(_ event: ProvisionEvent) {
        switch event {
        case .readerOpened(let reader): readers[place(of: reader)].opened(as: reader)
        case .readerLost(let reader, _, let reason): readers[place(of: reader)].lost(because: reason)
        case .started(let tag, let row): readers[place(of: tag.reader)].started(tag, row)
        case .removed(let tag): readers[place(of: tag.reader)].removed(tag)
        case .ended: break
        default:
            guard let verdict = ProvisionVerdict(event) else { return }
            readers[place(of: verdict.tag.reader)].ended(with: verdict)
        }
    }

    /// The place of a reader; one that comes back under another name, as on another USB port, takes the one it had.
    private mutating func place(of name: String) -> Int {
        if let place = readers.firstIndex(where: { $0.name == name }) { return place }
        if let place = readers.firstIndex(where: { $0.mayComeBack(as: name) }) { return place }
        readers.append(ProvisionBoardReader(name: name))
        return readers.count - 1
    }
}

extension ProvisionBoard {
    /// Of the tags that were placed and ended one way or the other, those that hold their rows.
    var yield: (good: Int, all: Int) { (doneNow, doneNow + bad.count) }

    /// The rows that this run is to finish yet.
    var left: Int {
        let left = max(0, rows - done)
        return limit.map { min(left, max(0, $0 - doneNow)) } ?? left
    }

    /// How long that takes at the pace of the last minute; nil when nothing moves.
    func timeLeft(at now: Duration) -> Duration? {
        guard left > 0, let rate = pace.perMinute(at: now) else { return nil }
        return .seconds(min(Double(left) / rate * 60, 1e9))
    }

    /// Whether only tags that have a row already can go on.
    var isWithoutRows: Bool {
        let atWork = readers.count { reader in
            reader.current.map { current in !open.contains { $0.row == current.row.number } } ?? false
        }
        return rows - done - open.count - unnamedOpen - atWork <= 0
    }
}
