// ST25TN — STMicroelectronics data sheet DS13433, ST25TN512 and ST25TN01K

extension ChipModel {
    static let st25TN = [st25TN01K]

    /// 160 bytes for a message, followed by system blocks.
    ///
    /// The chip refuses GET_VERSION and is identified by its product code.
    ///
    /// The lock bits are those of ST's NFC Tap app (ST25TNLockBlockConfiguration…). From block 10h on, each of the 14
    /// bits of DYNLOCK_0 and DYNLOCK_1 locks two blocks. From block 34h on, each of bits 2 to 7 of DYNLOCK_2 locks two
    /// blocks. From block 2Ch on, each of bits 0 to 4 of SYSLOCK locks one block. Bit 0 of SYSLOCK locks the block with
    /// all these bits, which freezes them.
    ///
    /// Block 2Dh with product code 9090h, blocks 2Eh to 3Fh and the container E1 10 14 00 come from public programs for
    /// the chip. From memory: the factory TLVs, and that the code bytes alone identify the chip.
    public static let st25TN01K = ChipModel(
        ID(rawValue: "st25tn01k"), "ST25TN01K", by: .st,
        marks: [.productCode(block: 0x2D, [0x90, 0x90], dataAreaSize: 0x14)],
        memory: .type2(
            Type2Layout(
                [0...0x3F], user: 40,
                lock: DynamicLockLayout(
                    address: 4 * 0x2C, positions: Array(0...13), blocksPerBit: 2, end: 0x2C,
                    freezers: [Int](repeating: 24, count: 14), further: furtherLocks),
                // KILL_PWD, which reads as zeros, and the keyhole block that accepts it.
                kill: 0x2F...0x30, internal: [0x2D...0x2D, 0x31...0x3B])),
        formatting: Type2Formatting(0x14), isRequirable: true, hasOtherSignature: true, silencing: [.destroy])

    private static let furtherLocks = Dictionary(
        uniqueKeysWithValues: (0x34...0x3F).map { ($0, 18 + ($0 - 0x34) / 2) }
            + (0x2C...0x30).map { ($0, 24 + $0 - 0x2C) })
}
