// How this process ends when requested: after SIGINT, SIGTERM or SIGHUP, or when no program reads its output any more

import Foundation
import Glibc
import Synchronization

/// The request to end this process.
///
/// Work that needs cleaning up subscribes with ``onRequest(_:)``. Its handler is called, and the work must end within
/// ``patience``. Without such work, the process ends at once. It also ends at once after a second signal, or when
/// ``patience`` has passed. In these two cases, the closures of ``onForcedEnd(_:)`` do the necessary cleanup.
package enum Interruption {
    /// The maximum time from the request to the end of the process, in seconds.
    private static let patience = 1.8
    /// The time in which a second signal counts as part of the same request.
    ///
    /// A terminal that closes, or a supervisor, may send two signals.
    private static let echo = Duration.milliseconds(200)

    private struct State {
        /// Reports why the program ends, and ends it.
        var finish: (@Sendable (ProgramEnd) -> Never)?
        /// The first signal that requested the end, or nil if there was none.
        var request: Int32?
        var requestTime = ContinuousClock.now
        var lastNumber = 0
        var handlers: [Int: @Sendable () -> Void] = [:]
        var holdsResult = false
    }

    private static let state = Mutex(State())
    /// The closures that ``end(isForced:)`` calls to clean up.
    ///
    /// ``end(isForced:)`` does not release the lock, so that no further work begins.
    private static let repairs = Mutex<[Int: @Sendable () -> Void]>([:])

    /// Accepts requests from now on.
    ///
    /// Call this before a second thread starts.
    ///
    /// - Parameter finish: reports why the program ends, and ends it with its exit code.
    package static func begin(endingWith finish: @escaping @Sendable (ProgramEnd) -> Never) {
        state.withLock { $0.finish = finish }
        SignalSource.install { request($0) }
    }

    package static var isRequested: Bool { state.withLock { $0.request != nil } }

    /// Whether no program reads standard output any more.
    package static var isOutputClosed: Bool { state.withLock { $0.request == SIGPIPE } }

    /// A subscription, which ends when this object is released.
    package final class Subscription: Sendable {
        private let number: Int

        fileprivate init(_ number: Int) { self.number = number }

        deinit {
            // Release the closures outside the locks, because they may hold a subscription.
            let handler = Interruption.state.withLock { $0.handlers.removeValue(forKey: number) }
            let repair = Interruption.repairs.withLock { $0.removeValue(forKey: number) }
            withExtendedLifetime((handler, repair)) {}
        }
    }

    /// Calls a handler when the process is asked to end, or at once if it was already asked.
    ///
    /// While the subscription exists, a request does not end the process at once.
    package static func onRequest(_ handler: @escaping @Sendable () -> Void) -> Subscription {
        let (subscription, isLate) = state.withLock { state in
            state.lastNumber += 1
            state.handlers[state.lastNumber] = handler
            return (Subscription(state.lastNumber), state.request != nil)
        }
        if isLate { handler() }
        return subscription
    }

    /// Calls a closure when the process ends at once.
    ///
    /// The closure cleans up a temporary file, a link, or the terminal's settings.
    package static func onForcedEnd(_ repair: @escaping @Sendable () -> Void) -> Subscription {
        onForcedEnd(repair, making: {}).subscription
    }

    /// Creates something, and registers a closure that cleans it up when the process ends at once.
    ///
    /// The process ends either before both steps or after both. If it ends before them, this call never returns.
    ///
    /// - Parameters:
    ///   - repair: the closure that cleans up.
    ///   - make: creates the result. It must not wait for a device, because the end of the process would wait for it,
    ///     too.
    /// - Returns: the result of `make`, and the subscription.
    /// - Throws: the error that `make` throws.
    package static func onForcedEnd<Made, Problem>(
        _ repair: @escaping @Sendable () -> Void, making make: () throws(Problem) -> Made
    ) throws(Problem) -> (made: Made, subscription: Subscription) {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let made = try repairs.withLock { (repairs) throws(Problem) in
            let made = try make()
            repairs[number] = repair
            return made
        }
        return (made, Subscription(number))
    }

    /// Records that only the result remains to be printed.
    ///
    /// From now on, a signal does not prevent the output.
    package static func keepResult() { state.withLock { $0.holdsResult = true } }

    /// Asks the process to end, like the signal with this number.
    ///
    /// - Parameter signal: the number of the signal. SIGPIPE means that no program reads standard output, and ends the
    ///   process silently.
    static func request(_ signal: Int32) {
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
            // Use separate threads, because the Dispatch pool may be exhausted, and a handler may take a while.
            Thread.detachNewThread { for handler in handlers { handler() } }
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: patience)
                end(isForced: true)
            }
        }
    }

    private static func end(isForced: Bool) -> Never {
        let signal = state.withLock(\.request)
        repairs.withLock { repairs -> Never in
            for repair in repairs.values { repair() }
            finish(signal == SIGPIPE ? .outputClosed : isForced ? .forced : .interrupted)
        }
    }

    /// Ends the process.
    ///
    /// If the process does not accept requests yet, it ends silently.
    static func finish(_ end: ProgramEnd) -> Never {
        if let finish = state.withLock(\.finish) { finish(end) }
        _exit(EXIT_FAILURE)
    }
}

/// The reason why a program ends before its work is complete.
package enum ProgramEnd: Hashable, Sendable {
    /// The end was requested, and no running work needed cleaning up.
    case interrupted
    /// The end was requested, and the work did not end in time or the user did not want to wait.
    case forced
    /// No program reads standard output any more.
    case outputClosed
    /// Standard output cannot be written.
    ///
    /// `reason` is a clause. `change` is a sentence about a change that was already made, or nil if there was none.
    case outputFailed(reason: String, change: String?)
}
