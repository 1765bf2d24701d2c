// NTAG 424 DNA in Flipper `.nfc` files — "NFC Flipper File Formats" for MIFARE DESFire, with additional fields

/// NTAG 424 DNA in Flipper files.
///
/// The file describes a MIFARE DESFire with one application, and `Memory Fixed` is `true`. Flipper ignores the
/// additional fields: `Key N` and `Key N Failures` (TotFailCtr, SeqFailCtr, SpentTimeCtr) for each key, `SDM`
/// (SDMOptions to SDMReadCtrLimit) and `Read Counter` for the NDEF file, and the options of SetConfiguration.
extension VirtualNTAG424Tag {
    private static let deviceType = "Mifare DESFire"
    private static let application = "Application 010000"

    /// Creates the tag that a file describes.
    ///
    /// If an additional field is missing, its value is the one at delivery.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        var memory = NTAG424Memory(uid: try fields.uid(lengths: [7]))
        memory.production = Array(try fields.required("PICC Version").bytes(count: 28).suffix(7))
        for index in memory.keys.indices {
            try memory.keys[index].load(fields, prefix: "\(Self.application) Key \(index)")
        }
        for index in memory.files.indices {
            let number = memory.files[index].number
            try memory.files[index].load(fields, prefix: "\(Self.application) File \(number)")
        }
        try memory.configuration.load(fields)
        if let field = fields["Signature"] { memory.signature = try field.bytes(count: memory.signature.count) }
        self.init(memory: memory)
    }

    /// The tag as a Flipper file with the device type `Mifare DESFire` and the additional fields.
    public var flipperText: String {
        let memory = memory
        var configuration = Type4Configuration()
        configuration.ats = Self.ats
        var lines = FlipperFile.header(deviceType: Self.deviceType, uid: memory.uid)
        lines += ["# ISO14443-3A specific data", "ATQA: 03 44", "SAK: 20", "# ISO14443-4A specific data"]
        lines += configuration.atsLines
        lines += [
            "# Mifare DESFire specific data", "PICC Version: \(String(flipperBytes: memory.version))",
            "PICC Free Memory: 0",
        ]
        lines += Self.settingsLines(prefix: "PICC", keyCount: "01") + ["PICC Key 0 Version: 00"]
        lines += ["Application Count: 1", "Application IDs: 01 00 00"]
        lines += Self.settingsLines(prefix: Self.application, keyCount: "05")
        for (index, key) in memory.keys.enumerated() {
            lines.append("\(Self.application) Key \(index) Version: \(String(flipperBytes: [key.version]))")
        }
        lines.append("\(Self.application) File IDs: \(String(flipperBytes: memory.files.map(\.number)))")
        for file in memory.files { lines += file.lines(prefix: "\(Self.application) File \(file.number)") }
        lines += [
            "# nfctool specific data", "Memory Fixed: true", "Signature: \(String(flipperBytes: memory.signature))",
        ]
        for (index, key) in memory.keys.enumerated() {
            lines += key.lines(prefix: "\(Self.application) Key \(index)")
        }
        lines += memory.configuration.lines
        return (lines + [""]).joined(separator: "\n")
    }

    /// Returns the lines for the key settings 0B: key 0 changes all keys, anyone can list, and nothing can be created.
    private static func settingsLines(prefix: String, keyCount: String) -> [String] {
        [
            "\(prefix) Change Key ID: 00", "\(prefix) Config Changeable: true", "\(prefix) Free Create Delete: false",
            "\(prefix) Free Directory List: true", "\(prefix) Key Changeable: true", "\(prefix) Max Keys: \(keyCount)",
        ]
    }
}

extension NTAG424Key {
    fileprivate mutating func load(_ fields: FlipperFields, prefix: String) throws(FlipperFileError) {
        if let field = fields["\(prefix) Version"] { version = try field.bytes(count: 1)[0] }
        if let field = fields[prefix] {
            cipher = BlockCipher(algorithm: .aes, key: try field.bytes(count: BlockCipher.keySize))
        }
        guard let field = fields["\(prefix) Failures"] else { return }
        let counts = try field.bytes(count: 5).map(UInt16.init)
        totalFailures = counts[0] << 8 | counts[1]
        failuresInARow = UInt8(truncatingIfNeeded: counts[2])
        spentDelays = counts[3] << 8 | counts[4]
    }

    fileprivate func lines(prefix: String) -> [String] {
        let failures = totalFailures.bigEndianBytes + [failuresInARow] + spentDelays.bigEndianBytes
        return [
            "\(prefix): \(String(flipperBytes: cipher.key))", "\(prefix) Failures: \(String(flipperBytes: failures))",
        ]
    }
}

extension NTAG424File {
    private static let largestCounter = 0xFF_FFFF

    fileprivate mutating func load(_ fields: FlipperFields, prefix: String) throws(FlipperFileError) {
        let option = try fields.required("\(prefix) Communication Settings")
        communication = try option.bytes(count: 1)[0]
        guard communication & ~0x03 == 0 else { throw option.error(.unsupported(option.value)) }
        let rights = try fields.required("\(prefix) Access Rights").bytes(count: 2)
        accessRights = UInt16(rights[1]) << 8 | UInt16(rights[0])
        content = try fields.required(prefix).bytes(count: content.count)
        if let field = fields["\(prefix) Read Counter"] { readCounter = try field.number(upTo: Self.largestCounter) }
        guard let field = fields["\(prefix) SDM"] else { return }
        guard number == NTAG424Memory.ndefFile,
            // The counter may already be at its limit.
            let settings = try? NTAG424SDM(field.bytes(), fileSize: content.count, readCounter: -1)
        else { throw field.error(.unsupported(field.value)) }
        sdm = settings
    }

    fileprivate func lines(prefix: String) -> [String] {
        var lines = [
            "\(prefix) Type: 00",
            "\(prefix) Communication Settings: \(String(flipperBytes: [communication]))",
            "\(prefix) Access Rights: \(String(flipperBytes: accessRights.bigEndianBytes.reversed()))",
            "\(prefix) Size: \(content.count)",
            "\(prefix): \(String(flipperBytes: content))",
            "\(prefix) Read Counter: \(readCounter)",
        ]
        if let sdm { lines.append("\(prefix) SDM: \(String(flipperBytes: sdm.bytes))") }
        return lines
    }
}

extension NTAG424Configuration {
    private static let unlimited = "none"

    private static func isTrue(_ fields: FlipperFields, _ key: String, _ value: Bool) -> Bool {
        fields[key].map { $0.value == "true" } ?? value
    }

    fileprivate mutating func load(_ fields: FlipperFields) throws(FlipperFileError) {
        hasRandomID = Self.isTrue(fields, "Random ID", hasRandomID)
        hasChainedWriting = Self.isTrue(fields, "Chained Writing", hasChainedWriting)
        usesLRP = Self.isTrue(fields, "LRP", usesLRP)
        hasStrongBackModulation = Self.isTrue(fields, "Strong Back Modulation", hasStrongBackModulation)
        if let field = fields["PDCap2"] { capabilities = try field.bytes(count: 2) }
        if let field = fields["Failure Limit"] {
            failureLimit =
                field.value == Self.unlimited ? nil : UInt16(try field.number(upTo: Int(UInt16.max)))
        }
        if let field = fields["Failure Decrement"] {
            failureDecrement = UInt16(try field.number(upTo: Int(UInt16.max)))
        }
    }

    fileprivate var lines: [String] {
        [
            "Random ID: \(hasRandomID)", "Chained Writing: \(hasChainedWriting)", "LRP: \(usesLRP)",
            "PDCap2: \(String(flipperBytes: capabilities))",
            "Failure Limit: \(failureLimit.map { String($0) } ?? Self.unlimited)",
            "Failure Decrement: \(failureDecrement)", "Strong Back Modulation: \(hasStrongBackModulation)",
        ]
    }
}
