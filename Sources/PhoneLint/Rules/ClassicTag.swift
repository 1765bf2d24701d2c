// MIFARE Classic on phones — MifareClassicTool, INCOMPATIBLE_DEVICES.md; okadan/flutter-nfc-manager #121

/// A MIFARE Classic: an NXP technology, not an NFC Forum tag type.
struct ClassicTag: Rule {
    let name = "mifareClassic"
    let evidence = "https://github.com/ikarus23/MifareClassicTool/blob/master/INCOMPATIBLE_DEVICES.md"

    func findings(in subject: Subject) -> [Finding] {
        guard subject.tag?.kind == .mifareClassic else { return [] }
        let advice = "Use an NFC Forum tag: an NTAG215 holds 492 bytes, an NTAG216 868."
        return [
            finding(.error, [.ios], "iPhones do not read MIFARE Classic tags.", advice: advice),
            finding(
                .warning, [.android],
                "Only Android phones with an NFC controller of NXP read MIFARE Classic tags; many have another.",
                advice: advice),
        ]
    }
}
