// The size of the data area — NFC Forum T2T, capability container byte 2; NXP data sheets

/// A tag that claims more memory than its chip has.
struct DataAreaSize: Rule {
    let name = "dataAreaSize"
    let evidence = "NXP NTAG210/212 and NTAG213/215/216 data sheets, memory content at delivery"

    func findings(in subject: Subject) -> [Finding] {
        guard let tag = subject.tag, let size = tag.type2Container?.size, let chip = KnownChip(named: tag.chip),
            size > chip.dataAreaSize
        else { return [] }
        return [
            finding(
                .error, Phone.allCases,
                "The capability container claims \(Int(size) * 8) bytes; an \(chip.name) has \(Int(chip.dataAreaSize) * 8). Phones would write locks and configuration.",
                advice: "This byte can never be cleared: keep messages short and lock the tag, or use another.")
        ]
    }
}
