// How `doctor` ends when no reader can be used

import Doctor

extension SickReader {
    /// The remedies stand above it; what is left to say is that they need not be typed.
    var advice: String? { canFix ? "nfctool doctor --fix lists the commands that help; with --yes it runs them." : nil }
}

extension Obstacle {
    /// The `error` word of Docs/JSON.md.
    var errorName: ErrorName { ErrorName(kind) }
}
