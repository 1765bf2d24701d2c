// ST25DV, ST25TV and M24LR — STMicroelectronics data sheets DS10925 (ST25DV), ST25TV02K, M24LR04E-R, M24LR16E-R,
// M24LR64E-R

extension ChipModel {
    static let st25 = [
        st25DV04K, st25DV16K, st25DV64K, st25TV512, st25TV02K, m24LR04, m24LR16, m24LR64, lri2K, lriS2K,
    ]

    /// Product codes 24 (open drain) and 25 (push-pull).
    ///
    /// LOCK BLOCK supports blocks 0 and 1. Areas have separate locks.
    public static let st25DV04K = ChipModel(
        ID(rawValue: "st25dv04k"), "ST25DV04K", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x24, mask: 0xFE))],
        memory: .type5(Type5Layout(128, lock: .notData)), isListed: true, isRequirable: true)

    /// Product codes 26 and 27, as on an ST25DV64K.
    ///
    /// The number of blocks distinguishes the two chips.
    public static let st25DV16K = ChipModel(
        ID(rawValue: "st25dv16k"), "ST25DV16K", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x26, mask: 0xFE, blocks: 512...512))],
        memory: .type5(Type5Layout(512, lock: .notData)), isListed: true, isRequirable: true)

    /// Product codes 26 and 27.
    public static let st25DV64K = ChipModel(
        ID(rawValue: "st25dv64k"), "ST25DV64K", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x26, mask: 0xFE, blocks: 2048...2048))],
        memory: .type5(Type5Layout(2048, lock: .notData)), isListed: true, isRequirable: true)

    /// From memory: the product code is 23, the chip has a TruST25 signature, and LOCK BLOCK supports only the first
    /// blocks.
    public static let st25TV512 = ChipModel(
        ID(rawValue: "st25tv512"), "ST25TV512", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x23, blocks: 16...16))],
        memory: .type5(Type5Layout(16, lock: .notData)), isRequirable: true, hasOtherSignature: true)

    /// From memory: product code, signature and LOCK BLOCK are the same as on an ST25TV512.
    public static let st25TV02K = ChipModel(
        ID(rawValue: "st25tv02k"), "ST25TV02K", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x23, blocks: 64...64))],
        memory: .type5(Type5Layout(64, lock: .notData)), isListed: true, isRequirable: true, hasOtherSignature: true)

    /// IC reference 5A.
    ///
    /// Sectors of 32 blocks have separate locks.
    public static let m24LR04 = ChipModel(
        ID(rawValue: "m24lr04"), "M24LR04E-R", short: "M24LR04", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x5A))], memory: .type5(Type5Layout(128, lock: .notData, sector: 32)),
        isRequirable: true)

    /// IC reference 4E.
    ///
    /// Block numbers have 2 bytes with the protocol extension flag.
    public static let m24LR16 = ChipModel(
        ID(rawValue: "m24lr16"), "M24LR16E-R", short: "M24LR16", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x4E))], memory: .type5(Type5Layout(512, lock: .notData, sector: 32)),
        isRequirable: true)

    /// IC reference 5E, and 2C for the M24LR64-R.
    public static let m24LR64 = ChipModel(
        ID(rawValue: "m24lr64"), "M24LR64E-R", short: "M24LR64", by: .st, .type5,
        marks: [.vicinity(VicinityMark(0x5E)), .vicinity(VicinityMark(0x2C, mask: 0xFC))],
        memory: .type5(Type5Layout(2048, lock: .notData, sector: 32)), isRequirable: true)

    /// IC reference 20.
    public static let lri2K = ChipModel(
        ID(rawValue: "lri2k"), "LRI2K", by: .st, .type5, marks: [.vicinity(VicinityMark(0x20, mask: 0xFC))],
        memory: .type5(Type5Layout(64, lock: .anyBlock)))

    /// IC reference 28.
    public static let lriS2K = ChipModel(
        ID(rawValue: "lris2k"), "LRIS2K", by: .st, .type5, marks: [.vicinity(VicinityMark(0x28, mask: 0xFC))],
        memory: .type5(Type5Layout(64, lock: .anyBlock)))
}
