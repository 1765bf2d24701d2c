// The work of a station on the tags placed on its reader

import ReaderSession
import SafeTag

/// The goal that several readers work towards.
protocol RunGoal: Sendable {
    /// Whether the readers can stop looking for tags.
    func isOver() async throws -> Bool
    /// Whether nothing is left to do.
    func isComplete() async throws -> Bool
    /// Whether a tag can be handled now. If not, the reader asks again soon.
    func isReady() async throws -> Bool
}

extension RunGoal {
    /// By default, always true.
    func isReady() async throws -> Bool { true }
}

/// Handles the tags on a reader, one at a time.
protocol TagWork: Sendable {
    /// Handles a tag that is alone on the reader.
    ///
    /// - Throws: an error from the reader or the journal that ends the reader's work; an interruption.
    func visit(_ tag: DetectedTag) async throws -> TagVisit
}

/// How a tag's visit to a reader ended.
enum TagVisit: Sendable {
    /// The tag is done.
    case done(ProvisionedTag)
    /// There is nothing left to do with the tag while it stays on the reader.
    case settled
    /// The tag itself is unsuitable, so there is nothing left to do with it while it stays on the reader.
    case refused
    /// The tag left before it was done. The work continues as soon as the tag is back.
    case left
    /// Another reader is using the row or the tag. The tag is tried again soon.
    case later
}

/// Gives rows to tags, and runs the action for each finished row.
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
                        ProvisionedTag(tag, on: delivery.session), cause: .known(.noRow),
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

    /// Runs the action for a finished row.
    ///
    /// The wait for the next tag begins only after the action has ended. An action that is interrupted counts as
    /// failed. It is not run again, so the user must be told the row.
    private func runCommand(_ job: RowDelivery.Job, _ reading: TagReading, _ event: ProvisionEvent) async throws {
        try await delivery.session.untilInterrupted { [delivery, observer] in
            let failure: String?
            do {
                failure = try await observer.rowIsDone(job.row, on: reading, event)
            } catch {
                guard Task.isCancelled else { throw error }
                failure = "\(error)"
            }
            await delivery.desk.commandEnded(for: job.row, hasFailed: failure != nil)
            guard let failure else { return }
            let isInterrupted = Task.isCancelled
            let reason = isInterrupted ? "The command was ended because the run was interrupted." : failure
            delivery.tell(.commandFailed(job.tag, row: job.row, reason: reason))
            // Report the interruption: if this was the last row, the run would otherwise look complete.
            if isInterrupted { throw Interrupted(cause: nil) }
        }
    }
}
