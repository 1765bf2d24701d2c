// Waits for a reader that pcscd does not list yet

import Dispatch
import PCSCReaders
package import ReaderInterface
import ReaderProcess
import Synchronization

/// Waits until pcscd lists a reader.
struct SmartCardWait: Sendable {
    private let connection: String
    /// Whether opening can succeed if pcscd already lists the reader: not if another program uses it.
    private let isSureToOpen: Bool

    /// The interval at which to try again when pcscd is not running.
    private static let retry = Duration.milliseconds(100)

    init(_ connection: String, isSureToOpen: Bool) {
        (self.connection, self.isSureToOpen) = (connection, isSureToOpen)
    }

    /// Returns when the reader is listed, when the time has passed, or when the task is cancelled.
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
                // Once pcscd is running again, all of its readers are new.
                known = []
                try? await Task.sleep(for: min(Self.retry, left))
            }
        }
    }
}

/// The names of pcscd's readers, requested in a separate process if a program for that is available.
package final class SmartCardNames: Sendable {
    private let isolated: IsolatedReader?
    private let queue = DispatchQueue(label: "ReaderSession.smartCardNames")

    /// Starts the process, if available.
    package init() throws(ReaderError) { isolated = try LibNFCHost.start() }

    /// Returns the names once they differ from the known ones, or when the time has passed; nil if pcscd does not answer or
    /// the task is cancelled.
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
            // Return without waiting for pcscd.
            answer.give(nil)
            isolated?.abort()
        }
    }

    /// Delivers the first of two answers: the names, or nil on cancellation.
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
