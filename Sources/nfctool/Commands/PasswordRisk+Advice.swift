// Advice for a password that was not sent because it might close the tag — Docs/CommandLine.md, Questions

import SafeTag

extension PasswordRisk {
    /// Returns the next step: another password, or the question that a command for one tag asks on a terminal.
    ///
    /// `command` did not send the password. Commands for many tags never ask.
    func advice(after command: Any.Type?) -> String {
        let asking =
            command == ScanCommand.self || command == ProvisionRunCommand.self
            ? "a command for one tag" : "the same command"
        return isLikelyWrong
            ? "Give another password. To send this one, run \(asking) on a terminal without --yes, and answer its question."
            : "Check the password first. On a terminal, \(asking) asks before it sends the password, unless --yes is given."
    }
}
