// MIFARE Classic on phones — MifareClassicTool, INCOMPATIBLE_DEVICES.md; okadan/flutter-nfc-manager #121

/// A MIFARE Classic: an NXP technology, not an NFC Forum tag type.
struct ClassicTag: Rule {
    let name = "mifareClassic"
    let evidence = "https://github.com/ikarus23/MifareClassicTool/blob/master/INCOMPATIBLE_DEVICES.md"

    func findings(in subject: Subject) -> [Finding] {
        guard subject.tag?.kind == .mifareClassic else { return [] }
        let advice = "Use an NFC Forum tag: an NTAG215 holds 492 bytes, an NTAG216 868."
        return [
            finding(
                .error, [.ios], "Core NFC has no MIFARE Classic: count on iPhones not reading this tag.", advice: advice
            ),
            finding(
                .warning, [.android],
                "Android phones read MIFARE Classic only with an NFC controller of NXP, and many have another.",
                advice: advice),
        ]
    }
}
