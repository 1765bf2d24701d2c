// A reader that is gone while work goes on, and may come back

public import ReaderInterface
import USBReaders

/// Why a reader cannot be worked with any more, or not yet again.
public struct ReaderLoss: Sendable {
    /// One of those that are of the reader.
    public let kind: FailureKind
    /// What happened, in a sentence.
    public let reason: String
    /// The error itself.
    public let error: any Error

    /// Nil for errors of tags, of the user, and all others.
    public init?(_ error: any Error) {
        guard let failure = error as? any ClassifiedError, failure.kind.isOfReader else { return nil }
        (kind, reason, self.error) = (failure.kind, "\(failure)", error)
    }

    /// What happened to the reader of this lasting name, in a sentence.
    ///
    /// A user who unplugged the reader needs no other reason.
    public func reason(for reader: String) -> String {
        isUnplugged || kind == .readerGone && ReaderSpecification(reader).isUnplugged
            ? "The reader is no longer connected." : reason
    }

    /// Whether the error says that the reader was unplugged.
    private var isUnplugged: Bool {
        if case .readerFailed(_, _, _, .unplugged)? = ReaderError(failureIn: error) { true } else { false }
    }

    /// The longest time between two tries to open a reader that was lost: one that is mute, or on a serial port, tells nobody
    /// when it is better.
    private static let retry = Duration.seconds(1)

    /// Returns when a reader is plugged in, when pcscd lists the reader, or when it is time to try again.
    ///
    /// - Parameters:
    ///   - reader: the reader's lasting name.
    ///   - isNew: whether the reader was open until now.
    /// - Throws: `CancellationError` when the task was cancelled.
    public func pause(for reader: String?, isNew: Bool) async throws {
        let watch = ReaderWatch()
        defer { watch.stop() }
        let connection = (try? ReaderSpecification(reader).connection()).flatMap(\.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in watch.events { if case .arrived = event { return } }
                // A watch that sees nothing any more leaves it to the time.
                try? await Task.sleep(for: Self.retry)
            }
            group.addTask { try? await Task.sleep(for: Self.retry) }
            if let connection, BackEnds.isSmartCardReader(connection) {
                let wait = SmartCardWait(connection, isSureToOpen: isNew || isOfAbsence)
                group.addTask { await wait.run(for: Self.retry) }
            }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    /// Whether the error ends as soon as the reader is connected.
    private var isOfAbsence: Bool {
        switch error {
        case ReaderError.noReader, ReaderError.readerFailed(_, _, _, .noDaemon): true
        default: isUnplugged
        }
    }
}
