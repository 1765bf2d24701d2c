// How this process ends when it is asked to: SIGINT, SIGTERM, SIGHUP, or an output that nobody reads

import Foundation
import Glibc
import Synchronization

/// The request to end this process.
///
/// Work that has something to give back subscribes with ``onRequest(_:)``: it is told, and ends by itself. It has
/// ``patience`` for that. Without such work the process ends at once; it also does when a second signal comes, or when the
/// patience is over. Then ``onForcedEnd(_:)`` puts right what must not stay behind.
package enum Interruption {
    /// The longest time from the request to the end of the process.
    private static let patience = 1.8
    /// A terminal that closes, or a supervisor, may send two signals for one request.
    private static let echo = Duration.milliseconds(200)

    private struct State {
        /// Says why the program ends, and ends it.
        var finish: (@Sendable (ProgramEnd) -> Never)?
        /// The signal that asked first.
        var request: Int32?
        var requestTime = ContinuousClock.now
        var lastNumber = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
        var repairs: [Int: @Sendable () -> Void] = [:]
        var holdsResult = false
    }

    private static let state = Mutex(State())

    /// Takes requests from now on; called before there is a second thread.
    ///
    /// - Parameter finish: says why the program ends, and ends it with its exit code.
    package static func begin(endingWith finish: @escaping @Sendable (ProgramEnd) -> Never) {
        state.withLock { $0.finish = finish }
        SignalSource.install { request($0) }
    }

    /// Whether the process was asked to end.
    package static var isRequested: Bool { state.withLock { $0.request != nil } }

    /// Whether nobody reads the standard output any more.
    package static var isOutputClosed: Bool { state.withLock { $0.request == SIGPIPE } }

    /// A subscription, which ends with this object.
    package final class Subscription: Sendable {
        private let number: Int

        fileprivate init(_ number: Int) { self.number = number }

        deinit {
            // What a closure holds is released outside the lock: it may hold a subscription.
            let dropped = Interruption.state.withLock { state in
                (state.handlers.removeValue(forKey: number), state.repairs.removeValue(forKey: number))
            }
            withExtendedLifetime(dropped) {}
        }
    }

    /// Calls a handler when the process is asked to end; at once when it was asked already.
    ///
    /// While the subscription lives, a request does not end the process at once.
    package static func onRequest(_ handler: @escaping @Sendable () -> Void) -> Subscription {
        let (subscription, isLate) = state.withLock { state in
            state.lastNumber += 1
            state.handlers[state.lastNumber] = handler
            return (Subscription(state.lastNumber), state.request != nil)
        }
        if isLate { handler() }
        return subscription
    }

    /// Calls a closure when the process ends at once: for a temporary file, a link, a terminal that shows nothing.
    package static func onForcedEnd(_ repair: @escaping @Sendable () -> Void) -> Subscription {
        state.withLock { state in
            state.lastNumber += 1
            state.repairs[state.lastNumber] = repair
            return Subscription(state.lastNumber)
        }
    }

    /// Notes that the work is done and only its result is left to be printed: a signal does not take that away.
    package static func keepResult() { state.withLock { $0.holdsResult = true } }

    /// Asks the process to end, as a signal of this number does.
    ///
    /// - Parameter signal: SIGPIPE for a standard output that nobody reads: that end is silent.
    package static func request(_ signal: Int32) {
        enum Step {
            case tell([@Sendable () -> Void])
            case end(isForced: Bool)
            case none
        }
        let step: Step = state.withLock { state in
            guard state.request == nil else {
                return signal == SIGPIPE || .now - state.requestTime < echo ? .none : .end(isForced: true)
            }
            state.request = signal
            state.requestTime = .now
            let isIdle = state.handlers.isEmpty && (!state.holdsResult || signal == SIGPIPE)
            return isIdle ? .end(isForced: false) : .tell(Array(state.handlers.values))
        }
        switch step {
        case .none: break
        case .end(let isForced): end(isForced: isForced)
        case .tell(let handlers):
            // Each on a thread of its own: the pool of Dispatch may be taken, and a handler may take its time.
            Thread.detachNewThread { for handler in handlers { handler() } }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: patience)
                end(isForced: true)
            }
        }
    }

    private static func end(isForced: Bool) -> Never {
        let (repairs, signal) = state.withLock { (Array($0.repairs.values), $0.request) }
        for repair in repairs { repair() }
        finish(signal == SIGPIPE ? .outputClosed : isForced ? .forced : .interrupted)
    }

    /// Ends the process; without words where it has not begun to take requests.
    static func finish(_ end: ProgramEnd) -> Never {
        if let finish = state.withLock(\.finish) { finish(end) }
        _exit(EXIT_FAILURE)
    }
}

/// Why a program ends before its work does.
package enum ProgramEnd: Hashable, Sendable {
    /// It was asked to; no work is under way that has something to give back.
    case interrupted
    /// It was asked to; the work did not end in time, or the user did not want to wait for that.
    case forced
    /// Nobody reads the standard output any more.
    case outputClosed
    /// The standard output takes nothing more: why, a clause, and what was done all the same, a sentence.
    case outputFailed(reason: String, change: String?)
}
