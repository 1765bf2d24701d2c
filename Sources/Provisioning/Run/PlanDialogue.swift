// Answers questions during a run without asking the user: ProvisionRun requires all confirmations in advance

import ReaderSession
import SafeTag

/// Agrees to initialise blank tags, to change keys and to set up signed URLs, if the run may do so.
struct PlanDialogue: Dialogue {
    let mayInitialise: Bool
    let mayChangeKeys: Bool
    /// A closure that is called for each tag before the tag is initialised.
    let initialising: @Sendable (ConnectedTag) -> Void

    func ask(_ question: Question) throws {
        switch question {
        case .initialise(let tag, _) where mayInitialise: initialising(tag)
        case .changeKeys where mayChangeKeys, .setUp where mayChangeKeys: break
        default: throw NotAgreed()
        }
    }

    func tell(_ notice: Notice) {}
}
