// What a station does with the tags that come to it

import ReaderSession
import SafeTag

/// What readers work for together.
protocol RunGoal: Sendable {
    /// Whether no more tags are wanted.
    func isOver() async throws -> Bool
    /// Whether nothing is left to do.
    func isComplete() async throws -> Bool
    /// Whether a tag can be worked on now; asked again soon when not.
    func isReady() async throws -> Bool
}

extension RunGoal {
    /// Always.
    func isReady() async throws -> Bool { true }
}

/// Work on one tag after the other.
protocol TagWork: Sendable {
    /// Does what is to be done with a tag that is alone on the reader.
    ///
    /// - Throws: what ends the reader's work: the reader itself, the journal, an interruption.
    func visit(_ tag: DetectedTag) async throws -> TagVisit
}

/// How a tag's visit to a reader ended.
enum TagVisit: Sendable {
    /// The tag is done.
    case done(ProvisionedTag)
    /// There is nothing more to do with it while it stays.
    case settled
    /// The same, and it does not hold a row because it is what it is.
    case refused
    /// It left before it was done, and is looked at again as soon as it is back.
    case left
    /// Another reader has what this tag needs; it is tried again soon.
    case later
}

/// Gives rows to tags, and runs what follows on each.
struct RowWork: TagWork {
    let delivery: RowDelivery
    let observer: any ProvisionObserver

    func visit(_ tag: DetectedTag) async throws -> TagVisit {
        switch try await delivery.deliver(to: tag) {
        case .finished(let job, let reading, let event):
            try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try await runCommand(job, reading, event)
            }
            return .done(job.tag)
        case .noRow:
            if try await !delivery.desk.isOver() {
                delivery.tell(
                    .refused(
                        ProvisionedTag(tag, on: delivery.session), cause: .noRow,
                        reason: "Every row has its tag, but some of these tags must be placed again.",
                        isQuarantined: false))
            }
            return .settled
        case .settled: return .settled
        case .refused: return .refused
        case .left: return .left
        case .later: return .later
        }
    }

    /// The wait for the next tag begins when the command has ended, too.
    private func runCommand(_ job: RowDelivery.Job, _ reading: TagReading, _ event: ProvisionEvent) async throws {
        try await delivery.session.untilInterrupted { [delivery, observer] in
            guard let failure = try await observer.rowIsDone(job.row, on: reading, event), !Task.isCancelled else {
                return
            }
            delivery.tell(.commandFailed(job.tag, row: job.row, reason: failure))
        }
    }
}
