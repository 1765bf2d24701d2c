// Further ISO 15693 chips — TI Tag-it HF-I reference guides; Infineon my-d vicinity; EM Microelectronic EM4233

extension ChipModel {
    static let vicinity = [
        tagItPlus, tagItStandard, tagItPro, myDPlain02, myDPlain10, myDSecure02, myDSecure10, em4233, em4233SLIC,
    ]

    /// Tag-it HF-I Plus with 64 blocks.
    ///
    /// UID byte 2 is 00 for inlays and 80 for chips.
    ///
    /// TI chips require the option flag for writes and locks.
    public static let tagItPlus = ChipModel(
        ID(rawValue: "tag-it-hf-i-plus"), "Tag-it HF-I Plus", by: .ti, .type5,
        marks: [.vicinity(VicinityMark(0x00, mask: 0x7E))],
        memory: .type5(Type5Layout(64, lock: .anyBlock, wantsOption: true)), isRequirable: true)

    /// Tag-it HF-I Standard with 11 blocks, 8 of them for data.
    ///
    /// The chip does not support Get System Information.
    public static let tagItStandard = ChipModel(
        ID(rawValue: "tag-it-hf-i-standard"), "Tag-it HF-I Standard", by: .ti, .type5,
        marks: [.vicinity(VicinityMark(0xC0, mask: 0xFE))],
        memory: .type5(Type5Layout(8, lock: .anyBlock, wantsOption: true)))

    /// Tag-it HF-I Pro with 12 blocks, 8 of them for data.
    ///
    /// The chip has a password.
    public static let tagItPro = ChipModel(
        ID(rawValue: "tag-it-hf-i-pro"), "Tag-it HF-I Pro", by: .ti, .type5,
        marks: [.vicinity(VicinityMark(0xC4, mask: 0xFE))],
        memory: .type5(Type5Layout(8, lock: .anyBlock, wantsOption: true)))

    /// my-d vicinity SRF55V02P with 2 kbit, of which 232 bytes are for data.
    ///
    /// From memory, also for the other sizes: the blocks have 8 bytes. The capability container shows whether LOCK
    /// BLOCK locks them.
    public static let myDPlain02 = ChipModel(
        ID(rawValue: "my-d-02p"), "my-d vicinity SRF55V02P", short: "my-d 02P", by: .infineon, .type5,
        marks: [.vicinity(VicinityMark(0x40))], memory: .type5(Type5Layout(29, of: 8, lock: nil)))

    /// my-d vicinity SRF55V10P with 10 kbit, of which 1000 bytes are for data.
    public static let myDPlain10 = ChipModel(
        ID(rawValue: "my-d-10p"), "my-d vicinity SRF55V10P", short: "my-d 10P", by: .infineon, .type5,
        marks: [.vicinity(VicinityMark(0x00))], memory: .type5(Type5Layout(125, of: 8, lock: nil)))

    // The data sheets of these chips were not available, so their memory sizes are those that the chips report.

    /// my-d vicinity SRF55V02S with 2 kbit and secure mode.
    public static let myDSecure02 = ChipModel(
        ID(rawValue: "my-d-02s"), "my-d vicinity SRF55V02S", short: "my-d 02S", by: .infineon, .type5,
        marks: [.vicinity(VicinityMark(0x50))])

    /// my-d vicinity SRF55V10S with 10 kbit and secure mode.
    public static let myDSecure10 = ChipModel(
        ID(rawValue: "my-d-10s"), "my-d vicinity SRF55V10S", short: "my-d 10S", by: .infineon, .type5,
        marks: [.vicinity(VicinityMark(0x10))])

    /// EM4233 with product code 24 or 7C, depending on the capacitance.
    ///
    /// From memory: the chip has privacy mode and a command that destroys the chip.
    public static let em4233 = ChipModel(
        ID(rawValue: "em4233"), "EM4233", by: .em, .type5,
        marks: [.vicinity(VicinityMark(0x24)), .vicinity(VicinityMark(0x7C))], silencing: [.hide, .destroy])

    /// EM4233 SLIC with product code 28 or A8.
    public static let em4233SLIC = ChipModel(
        ID(rawValue: "em4233-slic"), "EM4233 SLIC", by: .em, .type5,
        marks: [.vicinity(VicinityMark(0x28)), .vicinity(VicinityMark(0xA8))])
}
