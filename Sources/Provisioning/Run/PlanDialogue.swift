// What a plan answers to the questions of changes: nobody is asked, tag after tag

import ReaderSession
import SafeTag

/// Agrees to the initialisation of blank tags, or to nothing.
struct PlanDialogue: Dialogue {
    let mayInitialise: Bool
    /// Told of each tag that is initialised, before it is.
    let initialising: @Sendable (ConnectedTag) -> Void

    func ask(_ question: Question) throws {
        guard mayInitialise, case .initialise(let tag) = question else { throw NotAgreed() }
        initialising(tag)
    }

    func tell(_ notice: Notice) {}
}
