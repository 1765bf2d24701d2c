// A string that is not a password — Docs/JSON.md, Errors

import Composing

/// A string that is not a password.
///
/// The message never repeats the string.
struct NotAPassword: Failure {
    /// The source of the string, in words with which a sentence can begin.
    let source: String
    var name: ErrorName { .usage }
    var message: String { "\(source) is not a password. Give \(PasswordText.form)." }
}
