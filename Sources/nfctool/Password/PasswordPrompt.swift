// Asks the user for a password on the terminal without showing it — POSIX, termios

import Composing
import Foundation
import Hexadecimal
import ReaderInterface
import SafeTag
import TagTypes
import Terminal

struct PasswordPrompt {
    private let obstacle: Confirmation.Obstacle?
    private let isForScripts: Bool

    /// The maximum number of attempts to type a password in the right form.
    private static let attempts = 3

    init(_ options: OutputOptions) {
        obstacle = Confirmation.obstacle(isJSON: options.json)
        isForScripts = options.yes || options.quiet
    }

    /// Asks for a password, and twice for a new one.
    ///
    /// - Throws: ``NoPassword`` if the user cannot be asked; ``NotAPassword`` after several entries that are not
    ///   passwords; ``PasswordsDiffer``; ``Interrupted``.
    func ask(isNew: Bool) throws -> Type2Credential {
        if let obstacle { throw NoPassword(obstacle: obstacle) }
        return try TerminalInput.hidden {
            guard
                let credential = try Self.credential(
                    after: isNew ? "New password (8 hexadecimal digits, or 32 for a key): " : "Password: ")
            else { throw Self.typo }
            if isNew, PasswordText.credential(try Self.line(after: "Again: ", isRepeated: true) ?? "") != credential {
                throw PasswordsDiffer()
            }
            return credential
        }
    }

    /// Asks for the password that a Type 2 Tag turned out to need.
    ///
    /// A command that may have been started by a script does not ask: with `--yes` or `--quiet`, or if the user would not
    /// see the question.
    ///
    /// - Returns: nil if the error has another reason, if the command does not ask, or if the user enters nothing.
    /// - Throws: ``NotAPassword`` after several entries that are not passwords; ``Interrupted``.
    func ask(after error: any Error, of tag: Target) throws -> Type2Credential? {
        guard obstacle == nil, !isForScripts, isatty(STDERR_FILENO) == 1,
            TagDetection.tagType(of: tag).type == .type2, !tag.hasRandomIdentifier,
            let failure = TagFailure(error), case TagError.passwordNeeded = failure.cause
        else { return nil }
        return try TerminalInput.hidden {
            StandardError.print(failure.message + "\n")
            return try Self.credential(after: "Password of tag \(tag.identifier.hex): ")
        }
    }

    /// Asks until the entry is a password, at most ``attempts`` times.
    ///
    /// - Returns: nil if the user enters nothing.
    private static func credential(after prompt: String) throws -> Type2Credential? {
        for attempt in 1...attempts {
            guard let text = try line(after: prompt), !text.isEmpty else { return nil }
            if let credential = PasswordText.credential(text) { return credential }
            if attempt < attempts { StandardError.print(typo.message + "\n") }
        }
        throw typo
    }

    private static let typo = NotAPassword(source: "The typed text")

    /// Returns the typed line, or nil at the end of the input.
    private static func line(after prompt: String, isRepeated: Bool = false) throws(Interrupted) -> String? {
        // The terminal did not show the line break that ended the input.
        defer { StandardError.print("\n") }
        do {
            return try TerminalInput.answer(to: prompt, isRepeated: isRepeated)
        } catch {
            throw Interrupted(cause: nil, remark: "Nothing was changed.")
        }
    }
}

/// A password is needed, but the user cannot be asked for it.
struct NoPassword: Failure {
    let obstacle: Confirmation.Obstacle
    var name: ErrorName { .passwordNeeded }
    var message: String { "No password was given. Cannot ask for it: \(obstacle.reason)." }
}

struct PasswordsDiffer: Failure {
    var name: ErrorName { .usage }
    var message: String { "The two passwords differ. Nothing was changed." }
}
