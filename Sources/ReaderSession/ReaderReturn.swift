// When to try a reader again that was lost

import Synchronization
import USBReaders

/// The waits for one reader, which may be lost many times.
///
/// A reader that fails again as soon as it is open is not tried without a pause.
public final class ReaderReturn: Sendable {
    private struct State {
        /// Asks pcscd, from the first pause until the reader is open.
        var wait: SmartCardWait?
        /// When the last pause ended.
        var lastTry: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let retry: Duration
    private let names: @Sendable () -> SmartCardWait.Names

    /// A pcscd that is mute does not delay the next try by more than this.
    private static let patience = Duration.milliseconds(500)

    /// Makes the waits for a reader.
    public convenience init() {
        self.init(retry: .seconds(1)) {
            let names = SmartCardNames()
            return { await names.names(unlike: $0, within: $1) }
        }
    }

    /// - Parameters:
    ///   - retry: the longest time between two tries: a reader that is mute, or on a serial port, does not signal when it
    ///     works again.
    ///   - names: starts to ask for the names of pcscd's readers.
    init(retry: Duration, names: @escaping @Sendable () -> SmartCardWait.Names) {
        (self.retry, self.names) = (retry, names)
    }

    /// Returns when a reader is plugged in, when pcscd lists the reader again, or when it is time to try again.
    ///
    /// - Parameters:
    ///   - loss: why the reader cannot be worked with.
    ///   - reader: the reader's lasting name.
    /// - Throws: `CancellationError` when the task was cancelled.
    public func pause(after loss: ReaderLoss, for reader: String?) async throws {
        let watch = ReaderWatch()
        defer { watch.stop() }
        let connection = (try? ReaderSpecification(reader).connection()).flatMap(\.self)
        let smartCard = connection.flatMap { BackEnds.isSmartCardReader($0) ? $0 : nil }
        let wait = smartCard.map { _ in currentWait() }
        // A reader that was tried a moment ago fails for another reason than that it was not there.
        let isAbsence = loss.isOfAbsence && state.withLock { $0.lastTry.map { $0 + retry < .now } ?? true }
        await withTaskGroup(of: Void.self) { [retry] group in
            group.addTask {
                for await event in watch.events { if case .arrived = event { return } }
                // A watch that sees nothing any more leaves it to the time.
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

    /// The reader is open: what pcscd listed until now says nothing about the next loss.
    public func readerOpened() { state.withLock { $0.wait = nil } }

    private func currentWait() -> SmartCardWait {
        state.withLock { state in
            let wait = state.wait ?? SmartCardWait(names())
            state.wait = wait
            return wait
        }
    }
}
