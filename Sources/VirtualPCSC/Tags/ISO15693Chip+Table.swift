// The chips — data sheets as named at each

extension ISO15693Chip {
    /// All chips, in the order in which they are listed to the user.
    public static let all: [ISO15693Chip] = [icodeSLIX2]

    /// The chip with this name.
    public init?(id: String) {
        guard let chip = Self.all.first(where: { $0.id == id }) else { return nil }
        self = chip
    }

    /// What nearly all have: reading, writing, locking, states, AFI, DSFID and information.
    private static let usual: Set<UInt8> = [
        0x20, 0x21, 0x22, 0x23, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C,
    ]

    /// NXP SL2S2602: 79 blocks of user memory, and a counter in block 79.
    public static let icodeSLIX2 = ISO15693Chip(
        id: "icode-slix2", name: "ICODE SLIX2", uidPrefix: [0xE0, 0x04, 0x01, 0x08], blockSize: 4, blockCount: 80,
        icReference: 0x01, cardName: 0x0014, commands: usual, truncatesReads: true, family: .slix2)
}
