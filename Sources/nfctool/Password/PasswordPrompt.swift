// Asking a person for a password, on a terminal that does not show it — POSIX, termios

import Composing
import Foundation
import TagTypes

/// The terminal, where there is one.
struct PasswordPrompt {
    private let mayAsk: Bool

    init(_ options: OutputOptions) { mayAsk = !options.json && isatty(STDIN_FILENO) == 1 }

    /// Asks for a password; for a new one twice.
    ///
    /// - Throws: ``NoPassword`` when there is nobody to ask.
    func ask(isNew: Bool) throws -> Type2Credential {
        guard mayAsk else { throw NoPassword() }
        let text = hiddenLine(isNew ? "New password: " : "Password: ")
        guard let credential = PasswordText.credential(text) else { throw NotAPassword(source: "What was typed") }
        if isNew, PasswordText.credential(hiddenLine("Again: ")) != credential { throw PasswordsDiffer() }
        return credential
    }

    private func hiddenLine(_ prompt: String) -> String {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        let shown = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        StandardError.print(prompt)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        // Who ends the program here must get a terminal back that shows what is typed.
        let signals = TerminationSignals {
            Self.restore(shown)
            exit(ErrorName.interrupted.exitStatus)
        }
        defer {
            withExtendedLifetime(signals) {}
            Self.restore(shown)
        }
        return readLine() ?? ""
    }

    private static func restore(_ settings: termios) {
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        StandardError.print("\n")
    }
}

/// A password is needed, and nobody is there to ask.
struct NoPassword: Failure {
    var name: ErrorName { .passwordNeeded }
    var message: String { "No password is given, and nobody is there to ask." }
}

/// A new password was typed in two ways.
struct PasswordsDiffer: Failure {
    var name: ErrorName { .usage }
    var message: String { "The two passwords differ. Nothing was changed." }
}
