// MIFARE DESFire in Flipper `.nfc` files — "NFC Flipper File Formats", with nfctool's own fields for data that Flipper
// cannot read

/// MIFARE DESFire in Flipper files.
///
/// Flipper ignores nfctool's own fields: `Key Format`, `ISO Identifier`, `DF Name` and `Key N` of an application, `ISO
/// Identifier` of a file, `PICC Key 0 Cipher` and `Memory Size`.
extension VirtualDESFireTag {
    private static let deviceType = "Mifare DESFire"
    private static let largestMemory = 1 << 16

    /// Creates the tag that a file describes.
    ///
    /// Without nfctool's own fields, all keys are zero, and no file has an ISO/IEC 7816-4 identifier.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let uid = try fields.uid(lengths: [7])
        var memory = DESFireMemory.desfire(uid: uid)
        memory.version = try fields.required("PICC Version").bytes(count: 28)
        if let field = fields["Memory Size"] { memory.size = try field.number(upTo: Self.largestMemory) }
        let cipher = try fields["PICC Key 0 Cipher"].map { field throws(FlipperFileError) in
            try Self.algorithm(field)
        }
        memory.applications[0] = try DESFireApplication(
            fields, prefix: "PICC", identifier: DESFireApplication.cardLevel, algorithm: cipher)
        // The ISO identifier and the DF name of the card level are not in the file.
        memory.applications[0].isoIdentifier = [0x3F, 0x00]
        memory.applications[0].name = DESFireMemory.cardLevelName

        let identifiers = try fields["Application IDs"]?.bytes() ?? []
        let countField = try fields.required("Application Count")
        let count = try countField.number(upTo: DESFireMemory.maximumApplications)
        guard identifiers.count == 3 * count else { throw countField.error(.unsupported(countField.value)) }
        for start in stride(from: 0, to: identifiers.count, by: 3) {
            let identifier = Array(identifiers[start..<start + 3])
            let prefix = Self.prefix(identifier)
            memory.applications.append(try DESFireApplication(fields, prefix: prefix, identifier: identifier))
        }
        guard memory.freeSize >= 0 else { throw countField.error(.unsupported("more than the memory holds")) }
        let ats: [UInt8]
        if let field = fields["ATS"] { ats = try field.bytes() } else { ats = try Type4Configuration(fields).ats }
        try self.init(
            nfcID1: uid, memory: memory, ats: ats, sensRes: fields.sensRes(), selRes: fields.selRes())
    }

    private static func algorithm(_ field: FlipperFields.Field) throws(FlipperFileError) -> BlockCipher.Algorithm {
        guard let algorithm = BlockCipher.Algorithm(rawValue: field.value) else {
            throw field.error(.unsupported(field.value))
        }
        return algorithm
    }

    fileprivate static func prefix(_ identifier: [UInt8]) -> String {
        "Application " + String(flipperBytes: identifier).filter { $0 != " " }
    }

    /// The tag as a Flipper file with the device type `Mifare DESFire` and nfctool's own fields.
    public var flipperText: String {
        let memory = memory
        var configuration = Type4Configuration()
        configuration.ats = ats
        let applications = memory.applications.dropFirst()
        var lines = FlipperFile.header(deviceType: Self.deviceType, self)
        lines.append("# ISO14443-4A specific data")
        lines += configuration.atsLines
        lines += [
            "# Mifare DESFire specific data",
            "PICC Version: \(String(flipperBytes: memory.version))",
            "PICC Free Memory: \(memory.freeSize)",
        ]
        lines += memory.applications[0].lines(prefix: "PICC")
        lines.append("Application Count: \(applications.count)")
        if !applications.isEmpty {
            lines.append("Application IDs: \(String(flipperBytes: applications.flatMap(\.identifier)))")
        }
        for application in applications { lines += application.lines(prefix: Self.prefix(application.identifier)) }
        lines += [
            "# nfctool specific data",
            "Memory Size: \(memory.size)",
            "PICC Key 0 Cipher: \(memory.applications[0].keys[0].cipher.algorithm.rawValue)",
        ]
        return (lines + [""]).joined(separator: "\n")
    }
}

extension DESFireApplication {
    /// The names in the file for the bits of the key settings.
    private static let settings: [(String, UInt8)] = [
        ("Config Changeable", Setting.settingsChangeable), ("Free Create Delete", Setting.freeCreation),
        ("Free Directory List", Setting.freeListing), ("Key Changeable", Setting.masterKeyChangeable),
    ]

    fileprivate init(
        _ fields: FlipperFields, prefix: String, identifier: [UInt8], algorithm: BlockCipher.Algorithm? = nil
    ) throws(FlipperFileError) {
        let changeKey = try fields["\(prefix) Change Key ID"]?.bytes(count: 1).first ?? 0
        var keySettings = changeKey << 4
        for (name, bit) in Self.settings where fields["\(prefix) \(name)"]?.value == "true" { keySettings |= bit }
        let maximumField = try fields.required("\(prefix) Max Keys")
        let formatField = fields["\(prefix) Key Format"] ?? maximumField
        let keyFormat = try formatField.bytes(count: 1).first ?? 0
        guard (1...14).contains(keyFormat & 0x0F), keyFormat & 0x50 == 0 else {
            throw formatField.error(.unsupported(formatField.value))
        }
        let algorithm = algorithm ?? (keyFormat & 0x80 == 0 ? .tripleDES : .aes)
        var keys = [DESFireKey](repeating: .blank(algorithm), count: Int(keyFormat & 0x0F))
        for index in keys.indices {
            if let field = fields["\(prefix) Key \(index) Version"] {
                keys[index].version = try field.bytes(count: 1).first ?? 0
            }
            if let field = fields["\(prefix) Key \(index)"] {
                keys[index].cipher = BlockCipher(
                    algorithm: algorithm, key: try field.bytes(count: BlockCipher.keySize))
            }
        }
        self.init(
            identifier: identifier, keySettings: keySettings, keyFormat: keyFormat,
            isoIdentifier: try fields["\(prefix) ISO Identifier"]?.bytes(count: 2),
            name: try fields["\(prefix) DF Name"]?.bytes() ?? [], keys: keys)
        for number in try fields["\(prefix) File IDs"]?.bytes() ?? [] {
            files.append(try DESFireFile(fields, prefix: "\(prefix) File \(number)", number: number))
        }
    }

    fileprivate func lines(prefix: String) -> [String] {
        var lines = ["\(prefix) Change Key ID: \(String(flipperBytes: [keySettings >> 4]))"]
        lines += Self.settings.map { "\(prefix) \($0): \(keySettings & $1 != 0)" }
        lines.append("\(prefix) Max Keys: \(String(flipperBytes: [keyFormat & 0x0F]))")
        for (index, key) in keys.enumerated() {
            lines.append("\(prefix) Key \(index) Version: \(String(flipperBytes: [key.version]))")
        }
        if !files.isEmpty { lines.append("\(prefix) File IDs: \(String(flipperBytes: files.map(\.number)))") }
        for file in files { lines += file.lines(prefix: "\(prefix) File \(file.number)") }
        lines.append("\(prefix) Key Format: \(String(flipperBytes: [keyFormat]))")
        if !isCardLevel, let isoIdentifier {
            lines.append("\(prefix) ISO Identifier: \(String(flipperBytes: isoIdentifier))")
        }
        if !isCardLevel, !name.isEmpty { lines.append("\(prefix) DF Name: \(String(flipperBytes: name))") }
        for (index, key) in keys.enumerated() {
            lines.append("\(prefix) Key \(index): \(String(flipperBytes: key.cipher.key))")
        }
        return lines
    }
}

extension DESFireFile {
    private static let largestContent = 1 << 16

    fileprivate init(_ fields: FlipperFields, prefix: String, number: UInt8) throws(FlipperFileError) {
        for (name, value) in [("Type", Self.typeOfStandardData), ("Communication Settings", 0x00)] {
            let field = try fields.required("\(prefix) \(name)")
            guard try field.bytes(count: 1) == [value] else { throw field.error(.unsupported(field.value)) }
        }
        let size = try fields.required("\(prefix) Size").number(upTo: Self.largestContent)
        let rights = try fields.required("\(prefix) Access Rights").bytes(count: 2)
        // Flipper omits data that it could not read.
        let content = try fields[prefix]?.bytes(count: size) ?? [UInt8](repeating: 0, count: size)
        self.init(
            number: number, isoIdentifier: try fields["\(prefix) ISO Identifier"]?.bytes(count: 2),
            accessRights: UInt16(DESFireCard.number(rights)), content: content)
    }

    fileprivate func lines(prefix: String) -> [String] {
        var lines = [
            "\(prefix) Type: \(String(flipperBytes: [Self.typeOfStandardData]))",
            "\(prefix) Communication Settings: 00",
            "\(prefix) Access Rights: \(String(flipperBytes: accessRights.bigEndianBytes.reversed()))",
            "\(prefix) Size: \(content.count)",
            "\(prefix): \(String(flipperBytes: content))",
        ]
        if let isoIdentifier { lines.append("\(prefix) ISO Identifier: \(String(flipperBytes: isoIdentifier))") }
        return lines
    }
}
