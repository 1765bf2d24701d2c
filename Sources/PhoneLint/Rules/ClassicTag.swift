// MIFARE Classic on phones — MifareClassicTool, INCOMPATIBLE_DEVICES.md; okadan/flutter-nfc-manager #121
import Chips

/// A MIFARE Classic, which is an NXP technology and not an NFC Forum tag type.
struct ClassicTag: Rule {
    let name = "mifareClassic"
    let evidence = "https://github.com/ikarus23/MifareClassicTool/blob/master/INCOMPATIBLE_DEVICES.md"

    func findings(in subject: Subject) -> [Finding] {
        guard subject.tag?.kind == .mifareClassic else { return [] }
        let (larger, largest) = (ChipModel.ntag215, ChipModel.ntag216)
        let advice =
            "Use an NFC Forum tag: an \(larger.shortName) holds \(larger.capacity ?? 0) bytes, an \(largest.shortName) \(largest.capacity ?? 0)."
        return [
            finding(
                .error, [.ios], "Core NFC does not support MIFARE Classic: assume that iPhones cannot read this tag.",
                advice: advice
            ),
            finding(
                .warning, [.android],
                "Android phones read MIFARE Classic only with an NXP NFC controller, and many have a different one.",
                advice: advice),
        ]
    }
}
