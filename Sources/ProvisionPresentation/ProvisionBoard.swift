// The operator's display of a run, as a value: events in, lines out — Docs/CommandLine.md, provision

package import Foundation
package import Provisioning

/// The state of a run for the terminal view.
///
/// It has no clock: each event comes with the time since the run began.
package struct ProvisionBoard: Sendable {
    let plan: String
    /// The options that name the journal in printed commands.
    let journal: String
    /// The time when the run began.
    let began: Date
    /// The progress of the run.
    package private(set) var progress: RunProgress
    package private(set) var readers: [ProvisionBoardReader] = []
    /// The positions of the readers in the command, by the names given there and by their own names.
    private var positions: [String: Int]
    /// The names to show for the readers.
    package private(set) var names: ReaderNames
    /// The reasons for rows that failed in this run, by row number.
    private(set) var failures: [Int: RefusalCause] = [:]
    /// The number of rows that failed before this run.
    ///
    /// They may have been done since.
    private(set) var earlierFailures: Int
    /// The last events that have a line, newest first.
    private(set) var results: [Result] = []

    struct Result: Sendable {
        let event: ProvisionEvent
        let time: Duration
    }

    /// The number of results to keep, as many as the tallest terminal shows.
    private static let keptResults = 200

    /// Starts with the state of the journal.
    ///
    /// The panels have the order of `order`, which are the readers' names in the command. Readers open in any order.
    /// Commands in the advice end with `journal`, the options that name the journal, such as ` --plan tags.csv`.
    package init(
        plan: String, naming journal: String = "", start: ProvisionSummary, limit: Int? = nil, began: Date = .now,
        names: ReaderNames = ReaderNames(), order: [String] = []
    ) {
        positions = Dictionary(zip(order, 0...)) { first, _ in first }
        self.names = names
        self.plan = plan
        self.journal = journal
        self.began = began
        progress = RunProgress(start, limit: limit)
        earlierFailures = start.counts.failed
    }

    /// Applies an event.
    package mutating func apply(_ event: ProvisionEvent, at time: Duration) {
        progress.apply(event, at: time)
        names.learn(event)
        noteFailure(event)
        show(event)
        switch event {
        case .started, .removed, .ended: break
        default:
            results.insert(Result(event: event, time: time), at: 0)
            if results.count > Self.keptResults { results.removeLast() }
        }
    }

    private mutating func noteFailure(_ event: ProvisionEvent) {
        switch event {
        case .failed(_, let row, let cause, _): failures[row.number] = cause
        case .started(_, let row), .finished(_, let row, _, _, _), .known(_, let row, _, _):
            failures[row.number] = nil
        case .ended(let summary): earlierFailures = max(0, summary.counts.failed - failures.count)
        default: break
        }
    }

    // MARK: Readers

    private mutating func show(_ event: ProvisionEvent) {
        switch event {
        case .readerOpened(let reader, let named):
            positions[reader] = positions[named]
            // Until a reader is opened for the first time, its panel shows the name from the command.
            let known = readers.firstIndex { $0.name == named }
            let index = known ?? place(of: reader)
            readers[index].opened(as: reader)
        case .readerLost(let reader, _, let reason):
            let known = readers.firstIndex { $0.name == reader }
            let index = known ?? newPlace(of: reader)
            readers[index].lost(because: reason)
        case .started(let tag, let row): readers[place(of: tag.reader)].started(tag, row)
        case .removed(let tag): readers[place(of: tag.reader)].removed(tag)
        case .weakField(let reader, let troubled, let count):
            readers[place(of: reader)].alarmed("antenna? \(troubled) of \(count) tags had trouble")
        case .manyRefused(let reader, let refused, let count):
            readers[place(of: reader)].alarmed("\(refused) of \(count) tags refused: wrong tags?")
        case .ended: break
        default:
            guard let verdict = ProvisionVerdict(event, naming: journal) else { return }
            readers[place(of: verdict.tag.reader)].ended(with: verdict)
        }
    }

    /// The index of a reader.
    ///
    /// A reader that returns under another name, as on another USB port, keeps its place.
    private mutating func place(of name: String) -> Int {
        if let place = readers.firstIndex(where: { $0.name == name }) { return place }
        if let place = readers.firstIndex(where: { $0.mayComeBack(as: name) }) { return place }
        return newPlace(of: name)
    }

    private mutating func newPlace(of name: String) -> Int {
        let place = readers.firstIndex { position(of: $0.name) > position(of: name) } ?? readers.count
        readers.insert(ProvisionBoardReader(name: name), at: place)
        return place
    }

    private func position(of name: String) -> Int { positions[name] ?? .max }
}
