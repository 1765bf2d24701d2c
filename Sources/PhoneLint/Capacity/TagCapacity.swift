// What tags hold — NXP and Broadcom data sheets; AN1304, AN11004

/// The longest message of a kind of tag, as nfctool formats it.
public struct TagCapacity: Hashable, Sendable {
    /// The chip's name.
    public let chip: String
    /// The length of the longest message, in bytes.
    public let capacity: Int

    /// The tags people buy, the smallest first.
    ///
    /// Type 2: data area less its Lock Control TLV where the chip has one, less 2 bytes of NDEF TLV, or 4 from 255 bytes on.
    public static let table = [
        TagCapacity(chip: "MIFARE Ultralight", capacity: 46),
        TagCapacity(chip: "NTAG210", capacity: 46),
        TagCapacity(chip: "Topaz 96", capacity: 90),
        // 128 bytes, 5 of them Lock Control TLV; the Ultralight EV1 with 48 bytes is as the Ultralight.
        TagCapacity(chip: "MIFARE Ultralight EV1 (128 bytes)", capacity: 121),
        TagCapacity(chip: "NTAG212", capacity: 121),
        TagCapacity(chip: "NTAG213", capacity: 137),
        TagCapacity(chip: "FeliCa Lite-S", capacity: 208),
        // An NDEF file of 256 bytes, 2 of them NLEN.
        TagCapacity(chip: "NTAG 424 DNA", capacity: 254),
        TagCapacity(chip: "Topaz 512", capacity: 462),
        TagCapacity(chip: "NTAG215", capacity: 492),
        TagCapacity(chip: "MIFARE Classic 1K", capacity: 716),
        TagCapacity(chip: "NTAG216", capacity: 868),
        // An NDEF file of 0800, 1000 or 1E00 bytes, 2 of them NLEN.
        TagCapacity(chip: "DESFire EV1 2K", capacity: 2046),
        // 30 sectors of 48 bytes and 8 of 240 (two sectors hold the directory), less 4 bytes of NDEF TLV.
        TagCapacity(chip: "MIFARE Classic 4K", capacity: 3356),
        TagCapacity(chip: "DESFire EV1 4K", capacity: 4094),
        TagCapacity(chip: "DESFire EV1 8K", capacity: 7678),
    ]
}

/// Whether a message fits a kind of tag.
public struct TagFit: Hashable, Sendable {
    /// The tag.
    public let tag: TagCapacity
    /// The bytes left over; negative, the bytes too many.
    public let spare: Int
    /// Whether it fits.
    public var fits: Bool { spare >= 0 }

    /// All tags of the table, with what is left of each by a message of this length.
    public static func all(forLength length: Int) -> [TagFit] {
        TagCapacity.table.map { TagFit(tag: $0, spare: $0.capacity - length) }
    }
}
