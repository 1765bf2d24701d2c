// The advice of `doctor` if no reader can be used

import Doctor

extension SickReader {
    /// Advice for the user, which only mentions `--fix`, because the remedies are printed above it.
    var advice: String? {
        canFix ? "nfctool doctor --fix lists the commands that help. With --yes, it runs them." : nil
    }
}

extension Obstacle {
    var errorName: ErrorName { ErrorName(kind) }
}
