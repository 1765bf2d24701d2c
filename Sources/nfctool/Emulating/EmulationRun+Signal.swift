// How `emulate` ends: by a signal, or because nobody came

import ReaderSession
import SafeTag
import Terminal

extension EmulationRun {
    /// Emulates until its end, or a signal.
    ///
    /// - Throws: ``NoReaderCame``, ``Interrupted``, or why the reader cannot or could not any more.
    consuming func runUntilSignal(waiting timeout: Duration?) async throws {
        let interruption = Interruption.onRequest(interrupt)
        defer { withExtendedLifetime(interruption) {} }
        switch try await run() {
        case .done: return
        case .nobodyCame: throw NoReaderCame(time: timeout ?? .zero)
        case .interrupted: throw Interrupted(cause: nil)
        }
    }
}

/// No reader came in time.
struct NoReaderCame: Failure {
    let time: Duration
    var name: ErrorName { .timeout }
    var message: String { "No reader came within \(time.inWords)." }
}
