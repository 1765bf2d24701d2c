// Flipper `.nfc` files — Flipper documentation, "NFC Flipper File Formats", version 4

/// Creates virtual tags from Flipper `.nfc` files.
///
/// Supported device types:
/// - `NTAG/Ultralight`: the chips of ``VirtualTagKind``. In versions 2 and 3 of the format, the device type is the name of
///   the chip;
/// - `Type 4 Tag`, and `ISO14443-4B` with the same fields;
/// - `FeliCa`: Lite-S, and other chips through the blocks of service 000B;
/// - `Mifare Classic`;
/// - `Mifare DESFire`: standard data files with plain communication.
///
/// Comments and unneeded fields are ignored. ``PersistentTag/flipperText`` performs the opposite conversion.
///
/// Type 4 Tags have additional fields, which Flipper ignores:
/// - `T4T mapping version`, `NDEF read access`, `NDEF write access`: one byte in hexadecimal;
/// - `T4T MLe`, `T4T MLc`, `NDEF file size`: decimal numbers;
/// - `READ BINARY B1 answer`: `53` or `plain`;
/// - `NDEF file`: bytes. The field may be repeated. It is written only if the length and the message do not describe
///   the whole file.
///
/// Type 3 Tags have `T3T Nbr` and `T3T Nbw`: the maximum number of blocks in one command, in decimal.
///
/// `Mifare Classic` has `Classic ATS` (bytes) for a card that answers RATS, and `Classic Backdoor: true` for a
/// first-generation copy. The type `2K` is also nfctool's own.
///
/// `Mifare DESFire` has these fields for data that a reader cannot read:
/// - `PICC Key 0`, `Application AID Key N`: 16 bytes; `PICC Key 0 Cipher`: `DES` or `AES`;
/// - `Application AID Key Format`, `… ISO Identifier`, `… DF Name`, `… File N ISO Identifier`: bytes in hexadecimal;
/// - `Memory Size`: a decimal number; `Memory Fixed`: `true` for an NTAG 424 DNA, see `FlipperNTAG424`.
public enum FlipperFile {
    /// Creates the tag that a file describes.
    ///
    /// For an invalid file, the thrown error names the key and, if possible, the line. No file makes the program trap.
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
            // Only files of Lite tags contain the total number of blocks.
            return fields["Blocks total"] != nil ? try VirtualFeliCaLiteSTag(fields) : try VirtualType3Tag(fields)
        case "Mifare Classic":
            return try VirtualClassicTag(fields)
        case "Mifare DESFire":
            return fields["Memory Fixed"]?.value == "true"
                ? try VirtualNTAG424Tag(fields) : try VirtualDESFireTag(fields)
        default:
            // Before version 4, the device type was the name of the chip.
            return try VirtualType2Tag(fields, chip: chip(type, fields))
        }
    }

    /// Returns the chip with this name.
    ///
    /// If several chips share the name, the version or the number of pages in the file distinguishes them.
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

    /// Returns the first lines of a file, which are the same for all device types.
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

    static func header(deviceType: String, _ tag: some TypeATag) -> [String] {
        header(deviceType: deviceType, uid: tag.nfcID1) + [
            "# ISO14443-3A specific data",
            "ATQA: \(String(flipperBytes: tag.sensRes.reversed()))",
            "SAK: \(String(flipperBytes: [tag.selRes]))",
        ]
    }
}

extension FlipperFields {
    func uid(lengths: [Int]) throws(FlipperFileError) -> [UInt8] {
        let field = try required("UID")
        let uid = try field.bytes()
        guard lengths.contains(uid.count) else { throw field.error(.notBytes(expected: lengths.last)) }
        return uid
    }

    /// Returns the ATQA in the order in which it is sent: low byte first.
    ///
    /// Since version 3, files contain the high byte first.
    func sensRes() throws(FlipperFileError) -> [UInt8] {
        let bytes = try required("ATQA").bytes(count: 2)
        return self["Version"]?.value == "2" ? bytes : bytes.reversed()
    }

    func selRes() throws(FlipperFileError) -> UInt8 {
        try required("SAK").bytes(count: 1).first ?? 0
    }
}
