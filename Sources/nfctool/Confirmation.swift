// Asking before what cannot be undone — CLI.md, --yes

import Foundation

/// A question on the terminal.
struct Confirmation {
    /// Why there is no question.
    enum Obstacle {
        case notATerminal, json
        /// The command works without the user, tag after tag.
        case unattended

        /// A clause.
        var reason: String {
            switch self {
            case .notATerminal: "standard input is not a terminal"
            case .json: "--json prints no questions"
            case .unattended: "the command works without questions"
            }
        }
    }

    private let isAgreed: Bool
    private let obstacle: Obstacle?
    /// Whether the facts are shown where no question is asked: what becomes permanent should not pass unseen.
    private let showsFacts: Bool

    /// For work that asks no questions.
    init(isAgreed: Bool) {
        self.isAgreed = isAgreed
        obstacle = .unattended
        showsFacts = false
    }

    /// For a question about a file, which `--yes` does not answer.
    init(obstacle: Obstacle?) {
        isAgreed = false
        self.obstacle = obstacle
        showsFacts = false
    }

    init(_ options: OutputOptions) {
        isAgreed = options.yes
        obstacle = Self.obstacle(isJSON: options.json)
        showsFacts = !options.json && !options.quiet
    }

    /// Whether a person answers, on the terminal.
    var isTyped: Bool { !isAgreed && obstacle == nil }

    /// Why a person cannot be asked; nil where one can.
    static func obstacle(isJSON: Bool) -> Obstacle? {
        isJSON ? .json : isatty(STDIN_FILENO) == 1 ? nil : .notATerminal
    }

    /// Returns when the user agrees, or did so with `--yes`.
    ///
    /// With `--yes` the facts are shown all the same, unless `--quiet` or `--json` is given.
    /// - Parameters:
    ///   - question: one sentence.
    ///   - facts: what the user is to know before answering, in lines that are escaped already.
    /// - Throws: ``ConfirmationNeeded`` where nobody can be asked; ``Declined`` for any answer but yes; ``Interrupted``.
    func ask(_ question: String, facts: String) throws {
        if showsFacts, isAgreed || obstacle != nil && facts.contains("\n") { StandardError.print(facts + "\n") }
        if isAgreed { return }
        if let obstacle { throw ConfirmationNeeded(question: question, facts: facts, obstacle: obstacle) }
        StandardError.print("\(facts)\n\(question) [y/N] ")
        let answer: String?
        do {
            answer = try TerminalInput.line()?.lowercased()
        } catch {
            StandardError.print("\n")
            throw Interrupted(cause: nil, remark: "Nothing was changed.")
        }
        guard let answer, ["y", "yes"].contains(answer) else { throw Declined() }
    }
}

/// A question that cannot be asked.
struct ConfirmationNeeded: Failure {
    let question: String
    let facts: String
    let obstacle: Confirmation.Obstacle
    var name: ErrorName { .confirmationNeeded }
    var message: String {
        // Facts of many lines stand above it.
        let facts = facts.contains("\n") ? "" : "\(facts) "
        return "\(facts)\(question) Cannot ask for confirmation: \(obstacle.reason). Nothing was changed."
    }
}

/// The user said no.
struct Declined: Failure {
    var name: ErrorName { .interrupted }
    var message: String { "Nothing was changed." }
}
