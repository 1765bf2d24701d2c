// Topaz — Broadcom data sheets BCM20203T96 and BCM20203T512

extension ChipModel {
    static let topazes = [topaz96, topaz512]

    /// BCM20203T96.
    public static let topaz96 = ChipModel(
        ID(rawValue: "topaz96"), "Topaz 96 (BCM20203T96)", short: "Topaz 96", by: .broadcom, .type1,
        marks: [.headerROM([0x11, 0x48])], memory: .blocks(length: 8, [0...14]), capacity: 90, isListed: true,
        isRequirable: true)

    /// BCM20203T512.
    public static let topaz512 = ChipModel(
        ID(rawValue: "topaz512"), "Topaz 512 (BCM20203T512)", short: "Topaz 512", by: .broadcom, .type1,
        marks: [.headerROM([0x12, 0x4C])], memory: .blocks(length: 8, [0...63]), capacity: 462, isListed: true,
        isRequirable: true)
}
