// FeliCa Lite, Lite-S and Link — Sony user's manuals: block list, IC code

extension ChipModel {
    static let feliCaLites = [feliCaLite, feliCaLiteS, feliCaLink]

    /// RC-S965.
    public static let feliCaLite = ChipModel(
        ID(rawValue: "felica-lite"), "FeliCa Lite (RC-S965)", short: "FeliCa Lite", by: .sony, .type3,
        marks: [.icCode(0xF0)], memory: liteMemory)

    /// RC-S966.
    public static let feliCaLiteS = ChipModel(
        ID(rawValue: "felica-lite-s"), "FeliCa Lite-S (RC-S966)", short: "FeliCa Lite-S", by: .sony, .type3,
        marks: [.icCode(0xF1)], memory: liteMemory, capacity: 208, isListed: true, isRequirable: true)

    /// RC-S730.
    public static let feliCaLink = ChipModel(
        ID(rawValue: "felica-link"), "FeliCa Link (RC-S730)", short: "FeliCa Link", by: .sony, .type3,
        marks: [.icCode(0xF2)])

    /// The blocks S_PAD0…REG, RC…MC, WCNT…STATE, and CRC_CHECK.
    private static let liteMemory = Memory.blocks(length: 16, [0x00...0x0E, 0x80...0x88, 0x90...0x92, 0xA0...0xA0])
}
