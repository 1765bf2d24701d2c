// The operator's display of a run, as a value that receives events and returns lines — Docs/CommandLine.md, provision

package import Foundation
package import Provisioning

/// The state of a run for the terminal view.
///
/// It has no clock: each event comes with the time since the run began.
package struct ProvisionBoard: Sendable {
    let plan: String
    /// The options that name the journal in printed commands.
    let journal: String
    let labels: RowLabels
    let began: Date
    package private(set) var progress: RunProgress
    private(set) var readerPanels: ReaderPanels
    package var readers: [ProvisionBoardReader] { readerPanels.readers }
    /// The names under which the readers are shown.
    package var names: ReaderNames { readerPanels.names }
    /// The reasons for rows that failed in this run, by row number.
    private(set) var failures: [Int: RefusalCause] = [:]
    /// The number of rows that failed before this run.
    ///
    /// Some of them may be finished by now.
    private(set) var earlierFailures: Int
    /// The most recent events that have a line, newest first.
    private(set) var results = RecentResults()

    /// Creates the board for the current state of the journal.
    ///
    /// `order` contains the readers' names in the order of the command line. The panels keep this order, regardless of the
    /// order in which the readers are opened. Commands in the advice end with `journal`, the options that name the
    /// journal, such as ` --plan tags.csv`. `labels` supplies the labels of the rows.
    package init(
        plan: String, naming journal: String = "", start: ProvisionSummary, limit: Int? = nil, began: Date = .now,
        names: ReaderNames = ReaderNames(), order: [String] = [], labels: RowLabels = RowLabels()
    ) {
        readerPanels = ReaderPanels(order: order, names: names, labels: labels, naming: journal)
        self.plan = plan
        self.journal = journal
        self.labels = labels
        self.began = began
        progress = RunProgress(start, limit: limit)
        earlierFailures = start.counts.failed
    }

    package mutating func apply(_ event: ProvisionEvent, at time: Duration) {
        progress.apply(event, at: time)
        readerPanels.apply(event)
        noteFailure(event)
        switch event {
        case .started, .removed, .ended: break
        default: results.add(event, at: time)
        }
    }

    private mutating func noteFailure(_ event: ProvisionEvent) {
        switch event {
        case .failed(_, let row, let cause, _): failures[row.number] = cause
        case .started(_, let row, _), .finished(_, let row, _, _, _), .known(_, let row, _, _):
            failures[row.number] = nil
        case .ended(let summary): earlierFailures = max(0, summary.counts.failed - failures.count)
        default: break
        }
    }
}
