// Contradictions between the claimed and the actual write access — NFC Forum T2T; NXP NTAG21x lock bits and AUTH0

/// A capability container that contradicts the lock bits or the password.
struct WriteProtection: Rule {
    let name = "writeProtection"
    let evidence = "https://github.com/pokusew/nfc-pcsc/issues/99"

    func findings(in subject: Subject) -> [Finding] {
        guard let tag = subject.tag else { return [] }
        if let access = tag.type5Container?.writeAccess { return findings(access, isLocked: tag.isLocked) }
        guard let access = tag.type2Container?.access, access >> 4 == 0 else { return [] }
        if access == 0x0F, tag.isLocked == false {
            return [
                finding(
                    .hint, Phone.allCases,
                    "The tag is marked as read-only, but no lock bit enforces it: phones do not write it, but other "
                        + "tools can.",
                    advice: "If the message must not change, also set the lock bits.")
            ]
        }
        guard access == 0 else { return [] }
        if tag.isLocked == true {
            return [
                finding(
                    .warning, Phone.allCases,
                    "Lock bits forbid writing, but the capability container says that the tag is writable: apps will try, and fail.",
                    advice: "Run nfctool lock: it also marks the tag as read-only in the capability container.")
            ]
        }
        guard tag.password == .writing else { return [] }
        return [
            finding(
                .hint, Phone.allCases,
                "Writing needs a password. Phones cannot see this, so apps will try to write, and fail. Reading works.",
                advice:
                    "Leave this as it is. If the capability container named the password, iPhones would refuse the tag."
            )
        ]
    }

    /// Returns the findings for a Type 5 Tag, whose blocks are locked individually.
    private func findings(_ access: UInt8, isLocked: Bool?) -> [Finding] {
        if access == 0b11, isLocked == false {
            return [
                finding(
                    .hint, Phone.allCases,
                    "The tag is marked as read-only, but no block is locked: phones do not write it, but other tools "
                        + "can.",
                    advice: "If the message must not change, also lock the blocks, if the chip supports this.")
            ]
        }
        guard access == 0b00, isLocked == true else { return [] }
        return [
            finding(
                .warning, Phone.allCases,
                "Locked blocks forbid writing, but the capability container says that the tag is writable: apps will try, and fail.",
                advice: "Run nfctool lock: it also marks the tag as read-only in the capability container.")
        ]
    }
}
