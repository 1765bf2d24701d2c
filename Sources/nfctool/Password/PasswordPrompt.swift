// Asking a person for a password, on a terminal that does not show it — POSIX, termios

import Composing
import Foundation
import TagTypes

/// The terminal, where there is one.
struct PasswordPrompt {
    private let obstacle: Confirmation.Obstacle?

    init(_ options: OutputOptions) { obstacle = Confirmation.obstacle(isJSON: options.json) }

    /// Asks for a password; for a new one twice.
    ///
    /// - Throws: ``NoPassword`` where nobody can be asked; ``Interrupted``.
    func ask(isNew: Bool) throws -> Type2Credential {
        if let obstacle { throw NoPassword(obstacle: obstacle) }
        let text = try hiddenLine(isNew ? "New password: " : "Password: ")
        guard let credential = PasswordText.credential(text) else { throw NotAPassword(source: "What was typed") }
        if isNew, PasswordText.credential(try hiddenLine("Again: ")) != credential { throw PasswordsDiffer() }
        return credential
    }

    private func hiddenLine(_ prompt: String) throws(Interrupted) -> String {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        let shown = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        StandardError.print(prompt)
        // A user who ends the program here must get back a terminal that shows what is typed.
        let restoring = Interruption.onForcedEnd { Self.restore(shown) }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        defer {
            Self.restore(shown)
            withExtendedLifetime(restoring) {}
            StandardError.print("\n")
        }
        do {
            return try TerminalInput.line() ?? ""
        } catch {
            throw Interrupted(cause: nil, remark: "Nothing was changed.")
        }
    }

    /// Shows what is typed again, also on a terminal that was stopped by Ctrl-S: TCSADRAIN, and any output, would wait for it.
    private static func restore(_ settings: termios) {
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
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
