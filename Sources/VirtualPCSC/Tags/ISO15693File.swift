// ISO 15693 tags in Flipper `.nfc` files — "NFC Flipper File Formats", ISO15693-3 and SLIX

public import VirtualPN532

/// Flipper files with ISO 15693 tags: `ISO15693-3`, and `SLIX` with the passwords of NXP's chips.
///
/// Flipper ignores nfctool's own fields:
/// - `Virtual chip`: the name of a chip, see ``ISO15693Chip/all``. Without this field, UID and size determine the chip.
/// - `ST25DV registers`, `ST25DV password N`: bytes in hexadecimal.
extension VirtualISO15693Tag: PersistentTag {
    private enum Key { static let chip = "Virtual chip" }

    /// Creates the tag that a file describes, or returns nil if the file describes a different kind of tag.
    static func parse(_ text: String) throws(FlipperFileError) -> VirtualISO15693Tag? {
        let fields = try FlipperFields(text)
        guard let type = fields["Device type"]?.value, ["ISO15693-3", "SLIX"].contains(type) else { return nil }
        let uid = try fields.required("UID").bytes(count: 8)
        let size = try fields.required("Block Size").bytes(count: 1).first.map(Int.init) ?? 0
        let count = try fields.required("Block Count").number(upTo: 1 << 16)
        var memory = ISO15693Memory(chip: try chip(fields, uid, size, count), uid: uid)
        memory.bytes = try fields.required("Data Content").bytes(count: size * count)
        if let field = fields["Security Status"] {
            memory.isLocked = try field.bytes(count: count).map { $0 & 0x01 == 0x01 }
        }
        memory.dsfid = try fields["DSFID"]?.bytes(count: 1).first ?? 0
        memory.afi = try fields["AFI"]?.bytes(count: 1).first ?? 0
        memory.isDSFIDLocked = fields["Lock DSFID"]?.value == "true"
        memory.isAFILocked = fields["Lock AFI"]?.value == "true"
        try memory.custom.load(fields)
        return VirtualISO15693Tag(memory: memory)
    }

    private static func chip(
        _ fields: FlipperFields, _ uid: [UInt8], _ size: Int, _ count: Int
    ) throws(FlipperFileError) -> ISO15693Chip {
        let named = fields[Key.chip]
        let chips = ISO15693Chip.all.filter { chip in
            let isNamed = named.map { $0.value == chip.id } ?? uid.starts(with: chip.uidPrefix)
            return isNamed && chip.blockSize == size && chip.blockCount == count
        }
        guard let chip = chips.first else {
            if let named { throw named.error(.unsupported(named.value)) }
            let field = try fields.required("UID")
            throw field.error(.unsupported(field.value))
        }
        return chip
    }

    /// The tag as a Flipper file with the device type `SLIX` (NXP's chips) or `ISO15693-3`.
    public var flipperText: String {
        let memory = memory
        let isNXP = memory.custom.passwords[ICODEPassword.easAFI] != nil
        var lines = FlipperFile.header(deviceType: isNXP ? "SLIX" : "ISO15693-3", uid: uid)
        lines += [
            "# ISO15693-3 specific data",
            "DSFID: \(String(flipperBytes: [memory.dsfid]))",
            "AFI: \(String(flipperBytes: [memory.afi]))",
            "IC Reference: \(String(flipperBytes: [chip.icReference]))",
            "Lock DSFID: \(memory.isDSFIDLocked)",
            "Lock AFI: \(memory.isAFILocked)",
            "Block Count: \(chip.blockCount)",
            "Block Size: \(String(flipperBytes: [UInt8(chip.blockSize)]))",
            "Data Content: \(String(flipperBytes: memory.bytes))",
            "Security Status: \(String(flipperBytes: memory.isLocked.map { $0 ? 1 : 0 }))",
            "\(Key.chip): \(chip.id)",
        ]
        return (lines + memory.custom.lines(isNXP: isNXP) + [""]).joined(separator: "\n")
    }
}

extension CustomMemory {
    private static let nxpPasswords: [(key: String, id: UInt8)] = [
        ("Password Read", ICODEPassword.read), ("Password Write", ICODEPassword.write),
        ("Password Privacy", ICODEPassword.privacy), ("Password Destroy", ICODEPassword.destroy),
        ("Password EAS", ICODEPassword.easAFI),
    ]

    fileprivate mutating func load(_ fields: FlipperFields) throws(FlipperFileError) {
        for (key, id) in Self.nxpPasswords where passwords[id]?.count == 4 {
            if let field = fields[key] { passwords[id] = try field.bytes(count: 4) }
        }
        for number in 0...3 as ClosedRange<UInt8> where passwords[number]?.count == 8 {
            if let field = fields["ST25DV password \(number)"] { passwords[number] = try field.bytes(count: 8) }
        }
        if let field = fields["ST25DV registers"] { registers = try field.bytes(count: registers.count) }
        if let field = fields["Signature"] { signature = try field.bytes(count: 32) }
        isPrivate = fields["Privacy Mode"]?.value == "true"
        protectionPointer = try fields["Protection Pointer"]?.bytes(count: 1).first ?? 0
        protectionCondition = try fields["Protection Condition"]?.bytes(count: 1).first ?? 0
        isEASLocked = fields["Lock EAS"]?.value == "true"
        isProtectionLocked = fields["Lock PPL"]?.value == "true"
    }

    fileprivate func lines(isNXP: Bool) -> [String] {
        guard isNXP else {
            guard !registers.isEmpty else { return [] }
            return ["ST25DV registers: \(String(flipperBytes: registers))"]
                + passwords.sorted { $0.key < $1.key }.map {
                    "ST25DV password \($0.key): \(String(flipperBytes: $0.value))"
                }
        }
        let known = Self.nxpPasswords.compactMap { name, id in
            passwords[id].map { "\(name): \(String(flipperBytes: $0))" }
        }
        return ["# SLIX specific data"] + known + [
            "Signature: \(String(flipperBytes: signature))",
            "Privacy Mode: \(isPrivate)",
            "Protection Pointer: \(String(flipperBytes: [protectionPointer]))",
            "Protection Condition: \(String(flipperBytes: [protectionCondition]))",
            "Lock EAS: \(isEASLocked)",
            "Lock PPL: \(isProtectionLocked)",
        ]
    }
}

extension TagFile {
    /// Loads a tag of any kind.
    ///
    /// If there is no such file, writes a new ISO 15693 tag.
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - newTag: the tag to store in a new file.
    /// - Throws: the errors of `TagFile.init(path:kind:)`.
    public init(path: String, newTag: @autoclosure () -> VirtualISO15693Tag) throws(VirtualReaderError) {
        try self.init(path: path, newTag: { newTag() }) { text throws(FlipperFileError) in
            if let tag = try VirtualISO15693Tag.parse(text) { return tag }
            return try FlipperFile.parse(text)
        }
    }
}
