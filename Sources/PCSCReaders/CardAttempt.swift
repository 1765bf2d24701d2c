// SCardConnect waits in pcscd, without end, while another program has a transaction: here it has one

import Dispatch
import Synchronization

/// An attempt to connect to a card, on a thread of its own.
final class CardAttempt: Sendable {
    private enum State: Sendable {
        case waiting, abandoned
        case done(Result<CardConnection, PCSCStatus>)
    }

    private let state = Mutex(State.waiting)
    private let isDone = DispatchSemaphore(value: 0)
    /// The time between two looks whether the call was aborted.
    private static let look = DispatchTimeInterval.milliseconds(100)

    /// Begins to connect, in a context of its own.
    init(reader: String) {
        DispatchQueue(label: "PCSCReaders.connect").async {
            let result = Result { () throws(PCSCStatus) in
                try CardConnection(try SmartCardContext(), reader: reader)
            }
            // A connection that nobody waits for any more closes as it goes.
            self.state.withLock { state in
                if case .waiting = state { state = .done(result) }
            }
            self.isDone.signal()
        }
    }

    /// Waits for the connection.
    ///
    /// - Parameters:
    ///   - limit: how long to wait; after that it counts as shared with another program.
    ///   - isAborted: looked at every 0.1 s.
    /// - Returns: the connection that the attempt made.
    /// - Throws: CANCELLED when it was aborted; SHARING_VIOLATION after the limit; the attempt's own error.
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
