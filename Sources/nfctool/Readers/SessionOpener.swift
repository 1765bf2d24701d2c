// Opening a reader for the doctor: a user who waits is told, and may end it

import Doctor
import Terminal

/// Opens readers by sessions, which a request to end this process ends.
struct SessionOpener: ReaderOpener {
    /// Says which reader is waited for.
    let hint: Hint

    func open(_ reader: Subject) async throws(CancellationError) -> Opening {
        let session = OpeningSession { [hint] in hint.show("Waiting for the reader \($0.name) to answer.") }
        do {
            let opening = try await Interruption.cancelling { try await session.open(reader) }
            guard case .failed(.other(let error), _) = opening, let failure = TagFailure(error) else { return opening }
            return .failed(.other(error), message: failure.message)
        } catch {
            throw CancellationError()
        }
    }
}
