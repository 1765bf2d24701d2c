// What the tag says of writing, and what it lets happen — NFC Forum T2T; NXP NTAG21x lock bits and AUTH0

/// A capability container that tells phones otherwise than lock bits and password do.
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
                    "The tag says that it is read-only, and no lock bit holds it: phones leave it alone, other writers need not.",
                    advice: "Set the lock bits, too, if it is to stay as it is.")
            ]
        }
        guard access == 0 else { return [] }
        if tag.isLocked == true {
            return [
                finding(
                    .warning, Phone.allCases,
                    "Lock bits forbid writing, but the capability container says that the tag is writable: apps will try, and fail.",
                    advice: "Lock it wholly, so that it says so.")
            ]
        }
        guard tag.password == .writing else { return [] }
        return [
            finding(
                .hint, Phone.allCases,
                "Writing needs a password, which phones cannot see: apps will try, and fail. Reading works.",
                advice: "Leave it so: saying it in the capability container would shut iPhones out.")
        ]
    }

    /// Of a Type 5 Tag, whose blocks are locked one by one.
    private func findings(_ access: UInt8, isLocked: Bool?) -> [Finding] {
        if access == 0b11, isLocked == false {
            return [
                finding(
                    .hint, Phone.allCases,
                    "The tag says that it is read-only, and no block is locked: phones leave it alone, other writers need not.",
                    advice: "Lock its blocks, too, if it is to stay as it is and the chip can do so.")
            ]
        }
        guard access == 0b00, isLocked == true else { return [] }
        return [
            finding(
                .warning, Phone.allCases,
                "Locked blocks forbid writing, but the capability container says that the tag is writable: apps will try, and fail.",
                advice: "Lock it wholly, so that it says so.")
        ]
    }
}
