// Type 2 chips as delivered — NXP data sheets NTAG203, NTAG210/212, NTAG213/215/216, MF0ULx1

/// What a chip's maker wrote into its capability container and before its empty message.
struct KnownChip: Hashable, Sendable {
    /// The beginning of its name.
    let name: String
    /// The data area's size in units of 8 bytes: byte 2 of the capability container.
    let dataAreaSize: UInt8
    /// The value of its Lock Control TLV; nil where it is delivered without one.
    let lockControl: [UInt8]?

    private static let all = [
        KnownChip(name: "NTAG203", dataAreaSize: 0x12, lockControl: [0xA0, 0x10, 0x44]),
        KnownChip(name: "NTAG210", dataAreaSize: 0x06, lockControl: nil),
        KnownChip(name: "NTAG212", dataAreaSize: 0x10, lockControl: [0x90, 0x0A, 0x34]),
        KnownChip(name: "NTAG213", dataAreaSize: 0x12, lockControl: [0xA0, 0x0C, 0x34]),
        KnownChip(name: "NTAG215", dataAreaSize: 0x3E, lockControl: nil),
        KnownChip(name: "NTAG216", dataAreaSize: 0x6D, lockControl: nil),
    ]

    /// The chip of this name; the letter that some variants add (`NTAG213F`) makes no difference.
    init?(named name: String) {
        guard let chip = Self.all.first(where: { name.hasPrefix($0.name) }) else { return nil }
        self = chip
    }

    private init(name: String, dataAreaSize: UInt8, lockControl: [UInt8]?) {
        self.name = name
        self.dataAreaSize = dataAreaSize
        self.lockControl = lockControl
    }
}
