// The password that a tag requires, as found during verification, and the operations that need it

import TagTypes

/// Whether a tag requires a password, and for which operations.
struct PasswordDemand: Hashable, Sendable {
    let password: TagCheck.Password
    /// The operations that need the password, or nil if the configuration cannot be read.
    let rules: ProtectionRules?
}

extension TagCheck {
    /// Records whether a tag requires a password.
    ///
    /// `demand` is nil if this cannot be determined.
    mutating func note(_ demand: PasswordDemand?) {
        password = demand?.password
        guard let demand, asksForPassword else { return }
        protectedFrom = demand.rules?.first ?? protectedFrom
        // If the configuration cannot be read without the password, reading is protected.
        isReadingProtected = demand.rules?.isReadingProtected ?? isReadingProtected ?? true
    }
}
