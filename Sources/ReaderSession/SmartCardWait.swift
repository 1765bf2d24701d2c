// A wait for a reader of pcscd's that is not there

import Dispatch
import PCSCReaders
package import ReaderInterface
import ReaderProcess
import Synchronization

/// Waits until pcscd has a reader.
struct SmartCardWait: Sendable {
    private let connection: String
    /// Whether one that is there already is worth opening: not one that another program has.
    private let isSureToOpen: Bool

    /// The time between two tries to reach a pcscd that does not run.
    private static let retry = Duration.milliseconds(100)

    init(_ connection: String, isSureToOpen: Bool) {
        (self.connection, self.isSureToOpen) = (connection, isSureToOpen)
    }

    /// Returns when the reader comes, or after that time, or when the task is cancelled.
    func run(for time: Duration) async {
        let source = try? SmartCardNames()
        let end = ContinuousClock.now + time
        var known: [String]?
        while !Task.isCancelled, .now < end {
            let left = ContinuousClock.now.duration(to: end)
            if let names = await source?.names(unlike: known, within: left) {
                let isThere = PCSCReader.isNamed(connection, among: names)
                if isThere, isSureToOpen || known != nil { return }
                known = names
            } else {
                // When it runs again, each of its readers is new.
                known = []
                try? await Task.sleep(for: min(Self.retry, left))
            }
        }
    }
}

/// The names of pcscd's readers, asked for in a process of its own where there is a program for that.
package final class SmartCardNames: Sendable {
    private let isolated: IsolatedReader?
    private let queue = DispatchQueue(label: "ReaderSession.smartCardNames")

    /// Starts the process.
    package init() throws(ReaderError) { isolated = try LibNFCHost.start() }

    /// The names as soon as they differ from those known, or after that time; nil when pcscd does not answer, or the task
    /// was cancelled.
    package func names(unlike known: [String]?, within time: Duration) async -> [String]? {
        let answer = Answer()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.expect(continuation)
                queue.async {
                    let names =
                        if let isolated = self.isolated {
                            try? isolated.smartCardReaderNames(unlike: known, within: time)
                        } else {
                            try? PCSCReader.names(unlike: known, within: time)
                        }
                    answer.give(names)
                }
            }
        } onCancel: {
            // pcscd is not waited for.
            answer.give(nil)
            isolated?.abort()
        }
    }

    /// The first of two answers, wherever it comes from.
    private final class Answer: Sendable {
        private enum State: Sendable {
            case new, given
            case expected(CheckedContinuation<[String]?, Never>)
        }

        private let state = Mutex(State.new)

        func expect(_ continuation: CheckedContinuation<[String]?, Never>) {
            let isGiven = state.withLock { state in
                if case .given = state { return true }
                state = .expected(continuation)
                return false
            }
            if isGiven { continuation.resume(returning: nil) }
        }

        func give(_ names: [String]?) {
            let before = state.withLock { state in
                defer { state = .given }
                return state
            }
            if case .expected(let continuation) = before { continuation.resume(returning: names) }
        }
    }
}
