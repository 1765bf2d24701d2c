// Asking a person for a password, on a terminal that does not show it — POSIX, termios

import Composing
import Foundation
import SafeTag
import TagTypes
import Terminal

/// The terminal, where there is one.
struct PasswordPrompt {
    private let obstacle: Confirmation.Obstacle?

    init(_ options: OutputOptions) { obstacle = Confirmation.obstacle(isJSON: options.json) }

    /// Asks for a password; for a new one twice.
    ///
    /// - Throws: ``NoPassword`` where nobody can be asked; ``Interrupted``.
    func ask(isNew: Bool) throws -> Type2Credential {
        if let obstacle { throw NoPassword(obstacle: obstacle) }
        return try TerminalInput.hidden {
            let text = try Self.line(after: isNew ? "New password: " : "Password: ")
            guard let credential = PasswordText.credential(text) else { throw NotAPassword(source: "What was typed") }
            if isNew, PasswordText.credential(try Self.line(after: "Again: ", isRepeated: true)) != credential {
                throw PasswordsDiffer()
            }
            return credential
        }
    }

    private static func line(after prompt: String, isRepeated: Bool = false) throws(Interrupted) -> String {
        // The terminal does not show the line's end either.
        defer { StandardError.print("\n") }
        do {
            return try TerminalInput.answer(to: prompt, isRepeated: isRepeated) ?? ""
        } catch {
            throw Interrupted(cause: nil, remark: "Nothing was changed.")
        }
    }
}

/// A password is needed, and cannot be asked for.
struct NoPassword: Failure {
    let obstacle: Confirmation.Obstacle
    var name: ErrorName { .passwordNeeded }
    var message: String { "No password was given. Cannot ask for it: \(obstacle.reason)." }
}

/// A new password was typed in two ways.
struct PasswordsDiffer: Failure {
    var name: ErrorName { .usage }
    var message: String { "The two passwords differ. Nothing was changed." }
}
