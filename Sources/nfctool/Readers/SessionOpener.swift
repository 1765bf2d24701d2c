// Opens readers for `doctor`, shows which reader the command waits for, and can be interrupted

import Doctor
import Terminal

struct SessionOpener: ReaderOpener {
    /// Shows which reader the command is waiting for.
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
