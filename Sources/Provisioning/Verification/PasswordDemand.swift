// What a tag that comes again asks a password for

import TagTypes

/// Whether a tag asks for a password, and what for.
struct PasswordDemand: Hashable, Sendable {
    let password: TagCheck.Password
    /// What it asks for; nil where the configuration cannot be read.
    let rules: ProtectionRules?
}

extension TagCheck {
    /// Takes over what a tag asks for; nil where that cannot be found out.
    mutating func note(_ demand: PasswordDemand?) {
        password = demand?.password
        guard let demand, asksForPassword else { return }
        protectedFrom = demand.rules?.first ?? protectedFrom
        // A configuration that needs the password itself shows that reading is protected.
        isReadingProtected = demand.rules?.isReadingProtected ?? isReadingProtected ?? true
    }
}
