// Flipper `.nfc` files — Flipper documentation, "NFC Flipper File Formats", version 4

/// Virtual tags from Flipper `.nfc` files.
///
/// Loads `NTAG/Ultralight` (the chips of ``VirtualTagKind``; also as versions 2 and 3 of the format name them),
/// `Type 4 Tag`, `ISO14443-4B` with the keys of a Type 4 Tag, `FeliCa` (Lite-S, and others by the blocks of service
/// 000B), `Mifare Classic` and `Mifare DESFire` (standard data files in plain). Keys that are not needed and
/// comments are ignored. ``PersistentTag/flipperText`` goes the other way.
///
/// Type 4 Tags have keys of our own besides Flipper's, which Flipper ignores:
/// - `T4T mapping version`, `NDEF read access`, `NDEF write access`: one byte in hexadecimal;
/// - `T4T MLe`, `T4T MLc`, `NDEF file size`: decimal numbers;
/// - `READ BINARY B1 answer`: `53` or `plain`;
/// - `NDEF file`: bytes, repeated, only where length and message do not tell all that the file holds.
///
/// Type 3 Tags have `T3T Nbr` and `T3T Nbw`: decimal numbers of blocks in one command.
///
/// `Mifare Classic` has `Classic ATS` (bytes) for a card that answers RATS, and `Classic Backdoor: true` for a copy of generation
/// 1a; the type `2K` is ours, too.
///
/// `Mifare DESFire` has, for what a reader cannot read:
/// - `PICC Key 0`, `Application AID Key N`: 16 bytes; `PICC Key 0 Cipher`: `DES` or `AES`;
/// - `Application AID Key Format`, `… ISO Identifier`, `… DF Name`, `… File N ISO Identifier`: bytes in hexadecimal;
/// - `Memory Size`: a decimal number; `Memory Fixed`: `true` for an NTAG 424 DNA, see `FlipperNTAG424`.
public enum FlipperFile {
    /// The tag that a file describes.
    ///
    /// Never traps: what cannot be a file gives an error that names line and key.
    public static func parse(_ text: String) throws(FlipperFileError) -> any PersistentTag {
        let fields = try FlipperFields(text)
        let header = try fields.required("Filetype")
        guard header.value == "Flipper NFC device" else { throw header.error(.unsupported(header.value)) }
        let version = try fields.required("Version")
        guard try (2...4).contains(version.number(upTo: .max)) else { throw version.error(.unsupported(version.value)) }

        let type = try fields.required("Device type")
        switch type.value {
        case "NTAG/Ultralight":
            return try VirtualType2Tag(fields, chip: chip(fields.required("NTAG/Ultralight type"), fields))
        case "Type 4 Tag":
            return try VirtualType4Tag(fields)
        case "ISO14443-4B":
            return try VirtualType4BTag(fields)
        case "FeliCa":
            // Only files of Lite tags count all their blocks.
            return fields["Blocks total"] != nil ? try VirtualFeliCaLiteSTag(fields) : try VirtualType3Tag(fields)
        case "Mifare Classic":
            return try VirtualClassicTag(fields)
        case "Mifare DESFire":
            return fields["Memory Fixed"]?.value == "true"
                ? try VirtualNTAG424Tag(fields) : try VirtualDESFireTag(fields)
        default:
            // Before version 4 the chip was the device type.
            return try VirtualType2Tag(fields, chip: chip(type, fields))
        }
    }

    /// The chip of a name; several go by one name, which their version or the number of their pages tells apart.
    private static func chip(
        _ field: FlipperFields.Field, _ fields: FlipperFields
    ) throws(FlipperFileError) -> Type2Chip {
        let chips = Type2Chip.all.filter { $0.name == field.value }
        guard let first = chips.first else { throw field.error(.unsupported(field.value)) }
        guard chips.count > 1 else { return first }
        if let version = try fields["Mifare version"]?.bytes(count: 8),
            let chip = chips.first(where: { $0.version == version })
        {
            return chip
        }
        let pages = try fields["Pages total"]?.number(upTo: .max)
        return chips.first { $0.version.isEmpty && $0.blockCount == pages } ?? first
    }

    /// The lines that all files have.
    package static func header(deviceType: String, uid: [UInt8]) -> [String] {
        [
            "Filetype: Flipper NFC device",
            "Version: 4",
            "# Device type can be ISO14443-3A, ISO14443-4A, NTAG/Ultralight, Type 4 Tag, Mifare Classic, Mifare DESFire",
            "Device type: \(deviceType)",
            "# UID is common for all formats",
            "UID: \(String(flipperBytes: uid))",
        ]
    }

    /// The lines that all files of type A tags have.
    static func header(deviceType: String, _ tag: some TypeATag) -> [String] {
        header(deviceType: deviceType, uid: tag.nfcID1) + [
            "# ISO14443-3A specific data",
            "ATQA: \(String(flipperBytes: tag.sensRes.reversed()))",
            "SAK: \(String(flipperBytes: [tag.selRes]))",
        ]
    }
}

extension FlipperFields {
    /// UID of one of the given lengths.
    func uid(lengths: [Int]) throws(FlipperFileError) -> [UInt8] {
        let field = try required("UID")
        let uid = try field.bytes()
        guard lengths.contains(uid.count) else { throw field.error(.notBytes(expected: lengths.last)) }
        return uid
    }

    /// ATQA as sent.
    ///
    /// Files have the high byte first since version 3.
    func sensRes() throws(FlipperFileError) -> [UInt8] {
        let bytes = try required("ATQA").bytes(count: 2)
        return self["Version"]?.value == "2" ? bytes : bytes.reversed()
    }

    func selRes() throws(FlipperFileError) -> UInt8 {
        try required("SAK").bytes(count: 1).first ?? 0
    }
}
