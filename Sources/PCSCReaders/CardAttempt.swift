// SCardConnect with a time limit, because pcscd blocks it without limit while another program has a transaction

import Dispatch
import Synchronization

/// An attempt to connect to a card, which runs on its own thread.
final class CardAttempt: Sendable {
    private enum State: Sendable {
        case waiting, abandoned
        case done(Result<CardConnection, PCSCStatus>)
    }

    private let state = Mutex(State.waiting)
    private let isDone = DispatchSemaphore(value: 0)
    /// The interval at which to check whether the call was aborted.
    private static let look = DispatchTimeInterval.milliseconds(100)

    /// Starts to connect, with its own PC/SC context.
    init(reader: String) {
        DispatchQueue(label: "PCSCReaders.connect").async {
            let result = Result { () throws(PCSCStatus) in
                try CardConnection(try SmartCardContext(), reader: reader)
            }
            // If no call is waiting for the connection any more, it is closed when it is released.
            self.state.withLock { state in
                if case .waiting = state { state = .done(result) }
            }
            self.isDone.signal()
        }
    }

    /// Waits for the connection.
    ///
    /// - Parameters:
    ///   - limit: how long to wait. After this time, the card counts as used by another program.
    ///   - isAborted: whether the call was aborted. It is checked every 0.1 s.
    /// - Returns: the connection.
    /// - Throws: CANCELLED if the call was aborted, SHARING_VIOLATION after the limit, or the attempt's own error.
    func connection(limit: Duration, isAborted: () -> Bool) throws(PCSCStatus) -> CardConnection {
        let end = ContinuousClock.now + limit
        while isDone.wait(timeout: .now() + Self.look) == .timedOut, .now < end, !isAborted() {}
        let found = state.withLock { state in
            defer { state = .abandoned }
            return state
        }
        guard case .done(let result) = found else { throw isAborted() ? .cancelled : .shared }
        return try result.get()
    }
}
