// Confirmation before changes that cannot be undone — Docs/CommandLine.md, Questions

import Foundation
import SafeTag
import Terminal

struct Confirmation {
    enum Obstacle {
        case notATerminal, json

        var reason: String {
            switch self {
            case .notATerminal: "standard input is not a terminal"
            case .json: "--json allows no questions"
            }
        }
    }

    /// Where the facts are shown if an option answers the question.
    ///
    /// Permanent changes should not go unnoticed.
    private enum Announcement {
        case none, text, json
    }

    private let isAgreed: Bool
    /// The option that answers the question.
    private let option: String
    private let obstacle: Obstacle?
    private let announcement: Announcement

    /// Creates the confirmation for a question about a file.
    ///
    /// `--yes` does not answer this question.
    init(obstacle: Obstacle?) {
        isAgreed = false
        option = "--yes"
        self.obstacle = obstacle
        announcement = .none
    }

    init(_ options: OutputOptions) { self.init(options, answeredBy: "--yes", isAgreed: options.yes) }

    /// Creates the confirmation for a question that only another option than `--yes` answers.
    init(_ options: OutputOptions, answeredBy option: String, isAgreed: Bool) {
        self.isAgreed = isAgreed
        self.option = option
        obstacle = Self.obstacle(isJSON: options.json)
        announcement = options.quiet ? .none : options.json ? .json : .text
    }

    /// Whether the user answers the question on the terminal.
    var isTyped: Bool { !isAgreed && obstacle == nil }

    /// Returns the reason why the user cannot be asked, or nil if the user can be asked.
    static func obstacle(isJSON: Bool) -> Obstacle? {
        isJSON ? .json : isatty(STDIN_FILENO) == 1 ? nil : .notATerminal
    }

    /// Returns if the user agrees or has agreed with the option that answers the question.
    ///
    /// With this option, the facts are still shown, unless `--quiet` is given. With `--json`, they are an object on stderr.
    /// - Parameters:
    ///   - question: one sentence.
    ///   - facts: what the user should know before answering, as escaped lines.
    ///   - summary: the facts in a few lines, or nil if `facts` are short enough. The summary is shown first, and the
    ///     answer `?` shows the facts. If the user cannot be asked, only the summary is shown.
    /// - Throws: ``ConfirmationNeeded`` if the user cannot be asked; ``Declined`` for any answer except yes;
    ///   ``Interrupted``.
    func ask(_ question: String, facts: String, summary: String? = nil) throws {
        if isAgreed {
            return try announce(question, facts)
        }
        if let obstacle {
            let needed = ConfirmationNeeded(
                question: question, facts: facts, obstacle: obstacle, option: option)
            if case .notATerminal = obstacle, needed.factsAreList { StandardError.print((summary ?? facts) + "\n") }
            throw needed
        }
        var answer: String?
        if let summary { answer = try Self.answer(to: "\(summary)\n\(question) Type ? for details. [y/N] ") }
        if summary == nil || answer == "?" { answer = try Self.answer(to: "\(facts)\n\(question) [y/N] ") }
        guard let answer, ["y", "yes"].contains(answer) else { throw Declined() }
    }

    private static func answer(to question: String) throws -> String? {
        do {
            let answer = try TerminalInput.answer(to: question)?.lowercased()
            // After Ctrl-D, the cursor is still on the line of the question.
            if answer == nil { StandardError.print("\n") }
            return answer
        } catch {
            StandardError.print("\n")
            throw Interrupted(cause: nil, remark: Declined.nothingWasChanged)
        }
    }

    private func announce(_ question: String, _ facts: String) throws {
        switch announcement {
        case .none: break
        case .text: StandardError.print(facts + "\n")
        case .json: StandardError.printLine(try JSONLine.string(AnsweredQuestion(question, facts: facts)))
        }
    }
}

struct ConfirmationNeeded: Failure, AdvisedError {
    let question: String
    let facts: String
    let obstacle: Confirmation.Obstacle
    /// The option that answers the question.
    var option = "--yes"
    /// A sentence about the changes that were made before the question.
    var remark = Declined.nothingWasChanged
    var name: ErrorName { .confirmationNeeded }
    var message: String {
        "\(factsAreList ? "" : "\(facts) ")\(question) Cannot ask for confirmation: \(obstacle.reason). \(remark)"
    }
    var advice: String? { option == "--yes" ? nil : "To agree to this, add \(option). --yes does not include it." }
    var details: [String: FailureDetail] { factsAreList ? ["facts": .list(facts.lines)] : [:] }

    /// Whether the facts have several lines, which are printed above the message.
    fileprivate var factsAreList: Bool { facts.contains("\n") }
}

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

struct Declined: Failure {
    static let nothingWasChanged = "Nothing was changed."

    /// A sentence about the changes that were made before the question.
    var message = Self.nothingWasChanged
    var name: ErrorName { .interrupted }
}

extension Confirmation {
    /// Adds earlier changes to the error for a question that was declined or could not be asked.
    ///
    /// `remark` describes the changes to this tag and to earlier tags. Any other error is returned unchanged.
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
