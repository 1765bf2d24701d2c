// Opens a reader in a session, in the same way as other programs, to see whether it answers

import ReaderInterface
import ReaderSession

/// Opens readers in sessions of `ReaderSession`, as the commands for tags do.
///
/// ```swift
/// let diagnosis = try await Diagnosis(survey).opened(by: OpeningSession())
/// ```
public struct OpeningSession: ReaderOpener {
    /// The maximum time that a reader may take to answer.
    ///
    /// libnfc's own time limits for opening add up to less.
    public static let limit = Duration.seconds(8)
    /// The time after which the user should be told which reader is being opened.
    ///
    /// An unresponsive reader takes seconds.
    private static let patience = Duration.milliseconds(400)

    private let onWait: @Sendable (Subject) -> Void

    /// Creates the opener, which does not open a reader yet.
    ///
    /// - Parameter onWait: called once for each reader that takes longer than 0.4 s.
    public init(onWait: @escaping @Sendable (Subject) -> Void = { _ in }) { self.onWait = onWait }

    /// Opens a reader, determines its chip, and returns when it is closed again.
    ///
    /// Starts closing the reader after ``limit`` at the latest.
    ///
    /// - Throws: `CancellationError` in a cancelled task.
    public func open(_ reader: Subject) async throws(CancellationError) -> Opening {
        let word = Task { [onWait] in
            try await Task.sleep(for: Self.patience)
            onWait(reader)
        }
        defer { word.cancel() }
        let clock = ContinuousClock()
        let start = clock.now
        let end = await Self.end(of: ReaderSession(reader: reader.connection))
        guard !Task.isCancelled else { throw CancellationError() }
        switch end {
        case .opened(let chip): return .answered(chip: chip, after: clock.now - start)
        case .failed(let error): return Opening(ofSession: error)
        case .mute:
            return .failed(.readerFailed, message: "It did not answer within \(Self.limit.inWords).")
        }
    }

    private enum End {
        case opened(chip: String?)
        case failed(any Error)
        case mute
    }

    private static func end(of session: ReaderSession) async -> End {
        await withTaskCancellationHandler {
            session.begin()
            var end: End?
            for await event in session.events(ticking: limit, until: limit) {
                switch event {
                case .opened: end = .opened(chip: session.chip)
                case .ended(let reason): end = end ?? .failed(reason.cause)
                case .timeout: end = end ?? .mute
                case .tags, .tick: continue
                }
                session.end()
            }
            await session.invalidate()
            return end ?? .mute
        } onCancel: {
            session.end()
        }
    }
}

extension Opening {
    /// Creates the result for the error that ended a session.
    init(ofSession error: any Error) {
        if let error = error as? ReaderError {
            self.init(error)
            return
        }
        // For a virtual reader, `noReader` means that this system lacks something, such as a pseudo-terminal.
        let obstacle: Obstacle = (error as? any ClassifiedError)?.kind == .noReader ? .noReader : .other(error)
        self = .failed(obstacle, message: "\(error)")
    }
}
