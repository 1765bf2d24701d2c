// Asking before what cannot be undone — Docs/CommandLine.md, Questions

import Foundation
import SafeTag
import Terminal

/// A question on the terminal.
struct Confirmation {
    /// Why there is no question.
    enum Obstacle {
        case notATerminal, json

        /// A clause.
        var reason: String {
            switch self {
            case .notATerminal: "standard input is not a terminal"
            case .json: "--json prints no questions"
            }
        }
    }

    /// Where the facts go when `--yes` has answered: what becomes permanent should not pass unseen.
    private enum Announcement {
        case none, text, json
    }

    private let isAgreed: Bool
    private let obstacle: Obstacle?
    private let announcement: Announcement

    /// For a question about a file, which `--yes` does not answer.
    init(obstacle: Obstacle?) {
        isAgreed = false
        self.obstacle = obstacle
        announcement = .none
    }

    init(_ options: OutputOptions) {
        isAgreed = options.yes
        obstacle = Self.obstacle(isJSON: options.json)
        announcement = options.quiet ? .none : options.json ? .json : .text
    }

    /// Whether a person answers, on the terminal.
    var isTyped: Bool { !isAgreed && obstacle == nil }

    /// Why a person cannot be asked; nil where one can.
    static func obstacle(isJSON: Bool) -> Obstacle? {
        isJSON ? .json : isatty(STDIN_FILENO) == 1 ? nil : .notATerminal
    }

    /// Returns when the user agrees, or did so with `--yes`.
    ///
    /// With `--yes` the facts are shown all the same, with `--json` as an object on stderr, unless `--quiet` is given.
    /// - Parameters:
    ///   - question: one sentence.
    ///   - facts: what the user is to know before answering, in lines that are escaped already.
    /// - Throws: ``ConfirmationNeeded`` where nobody can be asked; ``Declined`` for any answer but yes; ``Interrupted``.
    func ask(_ question: String, facts: String) throws {
        if isAgreed {
            return try announce(question, facts)
        }
        if let obstacle {
            let needed = ConfirmationNeeded(question: question, facts: facts, obstacle: obstacle)
            if case .notATerminal = obstacle, needed.factsAreList { StandardError.print(facts + "\n") }
            throw needed
        }
        let answer: String?
        do {
            answer = try TerminalInput.answer(to: "\(facts)\n\(question) [y/N] ")?.lowercased()
        } catch {
            StandardError.print("\n")
            throw Interrupted(cause: nil, remark: Declined.nothingWasChanged)
        }
        guard let answer, ["y", "yes"].contains(answer) else { throw Declined() }
    }

    private func announce(_ question: String, _ facts: String) throws {
        switch announcement {
        case .none: break
        case .text: StandardError.print(facts + "\n")
        case .json: StandardError.printLine(try JSONLine.string(AnsweredQuestion(question, facts: facts)))
        }
    }
}

/// A question that cannot be asked.
struct ConfirmationNeeded: Failure {
    let question: String
    let facts: String
    let obstacle: Confirmation.Obstacle
    /// How far the command came before it asked.
    var remark = Declined.nothingWasChanged
    var name: ErrorName { .confirmationNeeded }
    var message: String {
        "\(factsAreList ? "" : "\(facts) ")\(question) Cannot ask for confirmation: \(obstacle.reason). \(remark)"
    }
    var details: [String: FailureDetail] { factsAreList ? ["facts": .list(facts.lines)] : [:] }

    /// Whether the facts take several lines, which stand above the message.
    fileprivate var factsAreList: Bool { facts.contains("\n") }
}

/// A question that `--yes` answered, for a program.
private struct AnsweredQuestion: Encodable {
    let schema = 1
    let event = "confirmed"
    let question: String
    let facts: [String]

    init(_ question: String, facts: String) {
        self.question = question
        self.facts = facts.lines
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}

/// The user said no.
struct Declined: Failure {
    static let nothingWasChanged = "Nothing was changed."

    /// How far the command came before it asked.
    var message = Self.nothingWasChanged
    var name: ErrorName { .interrupted }
}

extension Confirmation {
    /// The error of a question that was not answered with yes, saying what was changed before it, of this tag and of those
    /// before; any other as it is.
    static func error(_ error: any Error, after remark: String) -> any Error {
        func told(_ said: String) -> String { said == Declined.nothingWasChanged ? remark : "\(said) \(remark)" }
        switch error {
        case let declined as Declined: return Declined(message: told(declined.message))
        case var needed as ConfirmationNeeded:
            needed.remark = told(needed.remark)
            return needed
        case let interrupted as Interrupted where interrupted.remark == Declined.nothingWasChanged:
            return Interrupted(cause: interrupted.cause, remark: remark)
        default: return error
        }
    }
}
