// Waits for a reader that pcscd does not list, or that it lists although the reader does not work

import Dispatch
import PCSCReaders
import ReaderInterface
import ReaderProcess
import Synchronization

/// Waits until pcscd lists a reader again, and remembers the list from one wait to the next.
final class SmartCardWait: Sendable {
    /// Returns the names of pcscd's readers when they differ from the known ones, or after the given time.
    ///
    /// Returns nil if pcscd does not answer.
    typealias Names = @Sendable (_ known: [String]?, _ time: Duration) async -> [String]?

    private let names: Names
    private let known = Mutex<[String]?>(nil)

    /// The interval between attempts while pcscd is not running.
    private static let retry = Duration.milliseconds(100)

    init(_ names: @escaping Names) { self.names = names }

    /// Returns when the reader is newly listed, when the time has passed, or when the task is cancelled.
    ///
    /// If the reader was lost because it was absent, it may already be back before the first check.
    func run(for connection: String, within time: Duration, isAbsence: Bool) async {
        let end = ContinuousClock.now + time
        while !Task.isCancelled, .now < end {
            let left = ContinuousClock.now.duration(to: end)
            let before = known.withLock { $0 }
            if let found = await names(before, left) {
                known.withLock { $0 = found }
                let isNews = before.map { $0 != found } ?? isAbsence
                if isNews, PCSCReader.isNamed(connection, among: found) { return }
            } else {
                // When pcscd is running again, all of its readers count as new.
                known.withLock { $0 = [] }
                try? await Task.sleep(for: min(Self.retry, left))
            }
        }
    }
}

/// Requests the names of pcscd's readers.
///
/// This is done in a separate process if a program for that is available.
package final class SmartCardNames: Sendable {
    private let isolated = Mutex<IsolatedReader?>(nil)
    private let queue = DispatchQueue(label: "ReaderSession.smartCardNames")

    package init() {}

    /// Returns the names when they differ from the known ones, or after the given time.
    ///
    /// Returns nil if pcscd does not answer or the task is cancelled.
    package func names(unlike known: [String]?, within time: Duration) async -> [String]? {
        let answer = Answer()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.expect(continuation)
                queue.async { answer.give(try? self.ask(unlike: known, within: time)) }
            }
        } onCancel: {
            // Return without waiting for pcscd.
            answer.give(nil)
            isolated.withLock { $0 }?.abort()
        }
    }

    private func ask(unlike known: [String]?, within time: Duration) throws(ReaderError) -> [String] {
        var process = isolated.withLock { $0 }
        // A process must be started the first time, and after one was aborted or did not answer in time.
        if process?.isEnded ?? true {
            process = try LibNFCHost.start()
            isolated.withLock { $0 = process }
        }
        guard let process else { return try PCSCReader.names(unlike: known, within: time) }
        return try process.smartCardReaderNames(unlike: known, within: time)
    }

    /// Delivers the answer that comes first: the names, or nil after a cancellation.
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
