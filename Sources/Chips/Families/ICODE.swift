// ICODE — NXP data sheets SL2S2002_SL2S2102 (SLIX), SL2S5002 (SLIX-L), SL2S2602 (SLIX2), SL2S3003 (ICODE 3)

extension ChipModel {
    static let icodes = [icodeSLI, icodeSLIX, icodeSLIXL, icodeSLIX2, icode3, icodeDNA]

    /// SL2ICS20: the same memory as an SLIX.
    public static let icodeSLI = ChipModel(
        ID(rawValue: "icode-sli"), "ICODE SLI (SL2ICS20)", short: "ICODE SLI", .type5,
        marks: [.vicinity(VicinityMark(0x01, generation: 0b00))],
        memory: .type5(Type5Layout(28, lock: .anyBlock)))

    /// SL2S2002, SL2S2102: 896 bits.
    public static let icodeSLIX = ChipModel(
        ID(rawValue: "icode-slix"), "ICODE SLIX", .type5,
        marks: [.vicinity(VicinityMark(0x01, generation: 0b10))],
        memory: .type5(Type5Layout(28, lock: .anyBlock)), isListed: true, isRequirable: true)

    /// SL2S5002, SL2S5102: 256 bits.
    ///
    /// The UIDs of SLI-L chips have the same product code. From memory: both chips have privacy mode and DESTROY.
    public static let icodeSLIXL = ChipModel(
        ID(rawValue: "icode-slix-l"), "ICODE SLIX-L", .type5, marks: [.vicinity(VicinityMark(0x03))],
        memory: .type5(Type5Layout(8, lock: .anyBlock)), isRequirable: true, silencing: [.hide, .destroy])

    /// SL2S2602: 2528 bits, and a counter in block 79.
    ///
    /// PROTECT PAGE can make writing depend on a password.
    public static let icodeSLIX2 = ChipModel(
        ID(rawValue: "icode-slix2"), "ICODE SLIX2", .type5,
        marks: [.vicinity(VicinityMark(0x01, generation: 0b01))],
        memory: .type5(Type5Layout(80, plain: 79, lock: .anyBlock, hasPages: true)), isListed: true, isRequirable: true,
        hasOtherSignature: true, silencing: [.hide, .destroy])

    /// SL2S3003: 2400 bits.
    ///
    /// The memory size distinguishes the chip from other chips with the same product code. From memory: the last block
    /// is a counter.
    public static let icode3 = ChipModel(
        ID(rawValue: "icode-3"), "ICODE 3", .type5,
        marks: [.vicinity(VicinityMark(0x01, blocks: 75...76))],
        memory: .type5(Type5Layout(76, plain: 75, lock: .anyBlock)), isListed: true, isRequirable: true,
        hasOtherSignature: true, silencing: [.hide, .destroy])

    /// SL2S6002: 2016 bits.
    ///
    /// Keys can protect any part of the memory, so the memory is treated as unknown.
    public static let icodeDNA = ChipModel(
        ID(rawValue: "icode-dna"), "ICODE DNA", .type5, marks: [.vicinity(VicinityMark(0x01, generation: 0b11))])
}
