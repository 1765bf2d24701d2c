// Read and write access — NFC Forum T2T capability container byte 3, T5T byte 1; T4T NDEF File Control TLV

import Hexadecimal

/// Access conditions that phones cannot meet, such as those that nfcpy's password feature sets permanently.
struct AccessConditions: Rule {
    let name = "accessConditions"
    let evidence = "https://github.com/nfcpy/nfcpy/issues/236"

    private static let free: UInt8 = 0x0
    private static let never: UInt8 = 0xF

    func findings(in subject: Subject) -> [Finding] {
        guard let tag = subject.tag else { return [] }
        if let access = tag.fileReadAccess, access != 0 {
            return [
                finding(
                    .error, Phone.allCases,
                    "The NDEF file cannot be read without a key (read access \(access.hex)): phones find no message.",
                    advice: "Give the file free read access with the tool that set it up.")
            ]
        }
        if let container = tag.type5Container {
            return findings(read: container.readAccess, write: container.writeAccess)
        }
        guard let container = tag.type2Container else { return [] }
        let (read, write) = (container.access >> 4, container.access & 0x0F)
        let bits = "access \(container.access.hex) in the capability container"
        let advice =
            "These bits can never be cleared. Use another tag, and set passwords with a tool that leaves these bits unchanged."
        if read != Self.free {
            return [
                finding(
                    .error, Phone.allCases,
                    "The tag does not allow unrestricted reading (\(bits)): phones do not read it.",
                    advice: advice)
            ]
        }
        guard write != Self.free, write != Self.never else { return [] }
        return [
            finding(
                .error, [.ios],
                "The tag names a write condition that iPhones do not support (\(bits)). They refuse the tag.",
                advice: advice),
            finding(
                .hint, [.android], "The tag names a write condition that phones do not support (\(bits)).",
                advice: advice),
        ]
    }

    /// Returns the findings for a Type 5 Tag.
    ///
    /// In its access bits, 00 means unrestricted access. For writing, 11 means no access.
    private func findings(read: UInt8, write: UInt8) -> [Finding] {
        let advice = "Correct the access bits in the capability container, if the tag allows it."
        if read != 0b00 {
            return [
                finding(
                    .error, Phone.allCases,
                    "The tag does not allow unrestricted reading (read access \(read) in the capability container): "
                        + "phones do not read it.",
                    advice: advice)
            ]
        }
        guard write != 0b00, write != 0b11 else { return [] }
        return [
            finding(
                .hint, Phone.allCases,
                "The tag names a write condition that phones do not support (write access \(write) in the capability "
                    + "container).",
                advice: advice)
        ]
    }
}
