// Output that nobody takes: a full pipe, a named one without a reader — pipe(7)

import Dispatch
import Foundation
import Synchronization

/// Writing that may never end.
///
/// A command that is asked to end does so after what it is at. It cannot, while it waits for a program that reads nothing: then
/// the signal does what it would do without us.
enum StuckOutput {
    private static let writes = Mutex((begun: 0, ended: 0))
    /// Whoever reads at all has done so by then.
    private static let patience = DispatchTimeInterval.seconds(1)

    /// Writes; while it does, a signal has the last word.
    static func watched<Value>(_ write: () throws -> Value) rethrows -> Value {
        writes.withLock { $0.begun += 1 }
        defer { writes.withLock { $0.ended += 1 } }
        return try write()
    }

    /// Ends the process if nothing is written any more.
    static func giveUp(after signal: Int32) {
        let before = writes.withLock(\.self)
        guard before.begun > before.ended else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
            guard writes.withLock(\.self) == before else { return }
            Foundation.signal(signal, SIG_DFL)
            // Not raise: the threads of Dispatch block signals.
            kill(getpid(), signal)
        }
    }
}
