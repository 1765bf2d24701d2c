// Why a text is no password — Docs/JSON.md, Errors

import Composing

/// A text that is no password; it is never repeated in the message.
struct NotAPassword: Failure {
    /// Where it comes from, at the start of a sentence.
    let source: String
    var name: ErrorName { .usage }
    var message: String { "\(source) is not a password. Give \(PasswordText.form)." }
}
