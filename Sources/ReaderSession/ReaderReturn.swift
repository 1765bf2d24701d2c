// When to try a lost reader again

import Synchronization
import USBReaders

/// Waits before each new attempt to open a lost reader, which may be lost several times.
///
/// A reader that fails again immediately after opening is not retried without a pause.
public final class ReaderReturn: Sendable {
    private struct State {
        /// The wait that queries pcscd.
        ///
        /// It is kept from the first pause until the reader is open, and nil at other times.
        var wait: SmartCardWait?
        var lastTry: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let retry: Duration
    private let names: @Sendable () -> SmartCardWait.Names

    /// The maximum additional delay before the next attempt if pcscd does not answer.
    private static let patience = Duration.milliseconds(500)

    /// Creates a value for one reader.
    public convenience init() {
        self.init(retry: .seconds(1)) {
            let names = SmartCardNames()
            return { await names.names(unlike: $0, within: $1) }
        }
    }

    /// - Parameters:
    ///   - retry: the maximum time between two attempts. A reader that does not respond, or is on a serial port, gives
    ///     no sign that it works again.
    ///   - names: starts querying the names of pcscd's readers.
    init(retry: Duration, names: @escaping @Sendable () -> SmartCardWait.Names) {
        (self.retry, self.names) = (retry, names)
    }

    /// Returns when a reader is plugged in, when pcscd lists the reader again, or when it is time to try again.
    ///
    /// - Parameters:
    ///   - loss: the reason why the reader cannot be used.
    ///   - reader: the reader's lasting name, or nil if it is not known.
    /// - Throws: `CancellationError` if the task was cancelled.
    public func pause(after loss: ReaderLoss, for reader: String?) async throws {
        let watch = ReaderWatch()
        defer { watch.stop() }
        let connection = (try? ReaderSpecification(reader).connection()).flatMap(\.self)
        let smartCard = connection.flatMap { BackEnds.isSmartCardReader($0) ? $0 : nil }
        let wait = smartCard.map { _ in currentWait() }
        // If the reader was tried a moment ago, assume that it is present and has failed again.
        let isAbsence = loss.isOfAbsence && state.withLock { $0.lastTry.map { $0 + retry < .now } ?? true }
        await withTaskGroup(of: Void.self) { [retry] group in
            group.addTask {
                for await event in watch.events { if case .arrived = event { return } }
                // If the watch for plugged-in readers has ended, only the time limit applies.
                try? await Task.sleep(for: retry)
            }
            group.addTask { try? await Task.sleep(for: wait == nil ? retry : retry + Self.patience) }
            if let wait, let smartCard {
                group.addTask { await wait.run(for: smartCard, within: retry, isAbsence: isAbsence) }
            }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        state.withLock { $0.lastTry = .now }
    }

    /// Records that the reader is open.
    ///
    /// What pcscd listed before does not matter for the next loss.
    public func readerOpened() { state.withLock { $0.wait = nil } }

    private func currentWait() -> SmartCardWait {
        state.withLock { state in
            let wait = state.wait ?? SmartCardWait(names())
            state.wait = wait
            return wait
        }
    }
}
