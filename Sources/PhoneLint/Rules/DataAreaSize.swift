// The size of the data area — NFC Forum T2T, capability container byte 2; NXP data sheets
import Chips

/// A capability container that claims more memory than the chip has.
struct DataAreaSize: Rule {
    let name = "dataAreaSize"
    let evidence = "NXP NTAG210/212 and NTAG213/215/216 data sheets, memory content at delivery"

    func findings(in subject: Subject) -> [Finding] {
        guard let tag = subject.tag, let size = tag.type2Container?.size, let chip = tag.chip,
            let formatting = chip.formatting, formatting.isDelivered, size > formatting.dataAreaSize
        else { return [] }
        return [
            finding(
                .error, Phone.allCases,
                "The capability container claims \(Int(size) * 8) bytes, but an \(chip.shortName) has only \(Int(formatting.dataAreaSize) * 8). A long message written by a phone would overwrite lock bits and configuration.",
                advice: "This byte can never be cleared. Keep messages short and lock the tag, or use another tag.")
        ]
    }
}
