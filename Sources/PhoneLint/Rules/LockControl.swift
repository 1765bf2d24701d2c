// The position of the lock bits — NFC Forum T2T, Lock Control TLV; NXP data sheets, memory content at delivery
import Chips

import Hexadecimal

/// A missing or incorrect Lock Control TLV on a chip that is delivered with a correct one.
struct LockControl: Rule {
    let name = "lockControlTLV"
    let evidence = "https://github.com/okadan/flutter-nfc-manager/issues/145"

    func findings(in subject: Subject) -> [Finding] {
        guard let tag = subject.tag, tag.type2Container != nil, tag.status == .readWrite, !tag.dataArea.isEmpty,
            let chip = tag.chip, let formatting = chip.formatting, formatting.isDelivered,
            let expected = formatting.lockControl
        else { return [] }
        let found = tag.lockControlValues
        guard !found.contains(expected) else { return [] }
        let delivered = ([0x01, 0x03] + expected).spacedHex
        guard let wrong = found.first else {
            return [
                finding(
                    .hint, [.android],
                    "The Lock Control TLV of an \(chip.shortName) is missing, so some Samsung phones cannot make the tag read-only.",
                    advice:
                        "To lock the tag, use nfctool. \(chip.shortName) tags are delivered with \(delivered) before the message."
                )
            ]
        }
        return [
            finding(
                .warning, [.android],
                "The Lock Control TLV is \(wrong.spacedHex); for an \(chip.shortName) it should be "
                    + "\(expected.spacedHex). Phones may lock the wrong bytes.",
                advice:
                    "Do not lock the tag with a phone. Such tags are delivered with \(delivered) before the message.")
        ]
    }
}
