// What a plan answers to the questions of changes: nobody is asked, tag after tag

import SafeTag

/// Agrees as the options of the plan say, and tells what it agreed to.
struct PlanDialogue: Dialogue {
    let confirmation: Confirmation

    var isPersonal: Bool { false }

    func ask(_ question: Question) throws {
        let text = QuestionText(question)
        try confirmation.ask(text.question, facts: text.facts)
    }

    func tell(_ notice: Notice) {}
}
