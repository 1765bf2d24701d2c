// A string that is not a password — Docs/JSON.md, Errors

import Composing

/// A string that is not a password; the message never repeats it.
struct NotAPassword: Failure {
    /// The source of the text, in words that can begin a sentence.
    let source: String
    var name: ErrorName { .usage }
    var message: String { "\(source) is not a password. Give \(PasswordText.form)." }
}
