// What a plan answers to the questions of changes: no question is asked for each tag; ProvisionRun demands agreement first

import ReaderSession
import SafeTag

/// Agrees to the initialisation of blank tags, to other keys and URLs that tags sign, or to nothing.
struct PlanDialogue: Dialogue {
    let mayInitialise: Bool
    let mayChangeKeys: Bool
    /// Called for each tag before it is initialised.
    let initialising: @Sendable (ConnectedTag) -> Void

    func ask(_ question: Question) throws {
        switch question {
        case .initialise(let tag) where mayInitialise: initialising(tag)
        case .changeKeys where mayChangeKeys, .setUp where mayChangeKeys: break
        default: throw NotAgreed()
        }
    }

    func tell(_ notice: Notice) {}
}
