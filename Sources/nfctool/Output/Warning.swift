// Warnings that do not stop the command, printed on stderr even if it is not a terminal

import Foundation
import Terminal

struct Warning: Sendable {
    private enum Form {
        case none, text, event
    }

    private let form: Form
    /// The form of warnings that `--quiet` does not hide.
    private let lasting: Form

    /// Creates the warnings of a command that has none with `--json`.
    init(_ options: OutputOptions) {
        lasting = options.json ? .none : .text
        form = options.quiet ? .none : lasting
    }

    private init(_ form: Form, lasting: Form) { (self.form, self.lasting) = (form, lasting) }

    /// The same warnings, but not hidden by `--quiet`.
    var evenIfQuiet: Warning { Warning(lasting, lasting: lasting) }

    /// Always prints warnings, for commands that have neither `--quiet` nor `--json`.
    static let always = Warning(.text, lasting: .text)

    /// Creates the warnings of a command whose output with `--json` is a list of events.
    ///
    /// Each warning is one of them.
    static func events(_ options: OutputOptions) -> Warning {
        options.json ? Warning(options.quiet ? .none : .event, lasting: .event) : Warning(options)
    }

    func show(_ text: String) {
        switch form {
        case .none: break
        case .text: StandardError.print("nfctool: Warning: " + TerminalText.escaped(text) + "\n")
        case .event: try? JSONLine.print(WarningEvent(message: text), at: .now)
        }
    }
}

private struct WarningEvent: Encodable {
    let schema = 1
    let event = "warning"
    let message: String
}
