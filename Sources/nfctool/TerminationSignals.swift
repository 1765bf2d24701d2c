// SIGINT and SIGTERM end a command in good order

import Dispatch
import Foundation
import Synchronization

// Unchecked: the sources never change, and Dispatch lets any thread cancel them.
/// Watches for the signals that ask a program to end.
///
/// While it lives, they do nothing but call the handler, on a queue of Dispatch's.
final class TerminationSignals: @unchecked Sendable {
    private static let numbers = [SIGINT, SIGTERM]
    /// How many live: the last to go gives the signals their own effect back.
    private static let watchers = Mutex(0)
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        Self.watchers.withLock { watchers in
            // Dispatch puts a handler of its own there for the first source: ignoring them again would take it away.
            if watchers == 0 { for number in Self.numbers { signal(number, SIG_IGN) } }
            watchers += 1
        }
        sources = Self.numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                handler()
                StuckOutput.giveUp(after: number)
            }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        Self.watchers.withLock { watchers in
            watchers -= 1
            guard watchers == 0 else { return }
            for number in Self.numbers { signal(number, SIG_DFL) }
        }
    }

    /// Returns when one of them comes.
    static func wait() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let signals = TerminationSignals { continuation.finish() }
        for await _ in stream {}
        withExtendedLifetime(signals) {}
    }
}
