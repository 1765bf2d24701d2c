// Asking before what cannot be undone — CLI.md, --yes

import Foundation

/// A question on the terminal.
struct Confirmation {
    private let isAgreed: Bool
    private let mayAsk: Bool
    /// Whether facts of many lines are shown where nobody is asked: what is done for ever should not pass unseen.
    private let showsFacts: Bool

    /// Where nobody is to be asked in the middle of things.
    init(isAgreed: Bool) {
        self.isAgreed = isAgreed
        mayAsk = false
        showsFacts = false
    }

    init(_ options: OutputOptions) {
        isAgreed = options.yes
        mayAsk = !options.json && isatty(STDIN_FILENO) == 1
        showsFacts = !options.json && !options.quiet
    }

    /// Returns when the user agrees, or did so with `--yes`.
    ///
    /// - Parameters:
    ///   - question: one sentence.
    ///   - facts: what the user is to know before answering, in lines that are escaped already.
    /// - Throws: ``ConfirmationNeeded`` when there is nobody to ask; ``Declined`` for any answer but yes.
    func ask(_ question: String, facts: String) throws {
        if showsFacts, isAgreed || !mayAsk, facts.contains("\n") { StandardError.print(facts + "\n") }
        if isAgreed { return }
        guard mayAsk else { throw ConfirmationNeeded(question: question, facts: facts) }
        StandardError.print("\(facts)\n\(question) [y/N] ")
        // Nothing has been written yet, so Ctrl-C may end the program on the spot.
        let signals = TerminationSignals {
            StandardError.print("\n")
            FailureReport(Declined(), asJSON: false).exit()
        }
        let answer = withExtendedLifetime(signals) { readLine()?.lowercased() }
        guard let answer, ["y", "yes"].contains(answer) else { throw Declined() }
    }
}

/// There is no terminal to ask on, or its output is for a program.
struct ConfirmationNeeded: Failure {
    let question: String
    let facts: String
    var name: ErrorName { .confirmationNeeded }
    var message: String {
        // Facts of many lines stand above it.
        let facts = facts.contains("\n") ? "" : "\(facts) "
        return "\(facts)\(question) Nobody is there to ask. Nothing was changed."
    }
}

/// The user said no.
struct Declined: Failure {
    var name: ErrorName { .interrupted }
    var message: String { "Nothing was changed." }
}
