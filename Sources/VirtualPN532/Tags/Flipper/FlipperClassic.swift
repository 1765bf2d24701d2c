// MIFARE Classic in Flipper `.nfc` files — "NFC Flipper File Formats", data format version 2

extension VirtualClassicTag {
    private static let unknownByte = "??"

    /// Creates the tag that a file describes.
    ///
    /// Bytes that a Flipper could not read (`??`) stay unknown. If a known key of the tag allows reading such a byte,
    /// the tag cannot be simulated, and an error is thrown.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let type = try fields.required("Mifare Classic type")
        guard let layout = ClassicLayout(rawValue: type.value) else { throw type.error(.unsupported(type.value)) }
        let version = try fields.required("Data format version")
        guard version.value == "2" else { throw version.error(.unsupported(version.value)) }
        let uid = try fields.uid(lengths: [4, 7])
        var memory = ClassicMemory(layout: layout, uid: uid)
        for block in 0..<layout.blockCount {
            let field = try fields.required("Block \(block)")
            try memory.store(partial: Self.bytes(field), at: block)
        }
        if let block = memory.firstUnknownReadableBlock {
            throw FlipperFileError(line: nil, key: "Block \(block)", reason: .unknown)
        }
        try self.init(
            nfcID1: uid, memory: memory, sensRes: fields.sensRes(), selRes: fields.selRes(),
            ats: fields["Classic ATS"]?.bytes(), hasBackdoor: fields["Classic Backdoor"]?.value == "true")
    }

    /// Parses a block.
    ///
    /// Each unknown byte is nil.
    private static func bytes(_ field: FlipperFields.Field) throws(FlipperFileError) -> [UInt8?] {
        let words = field.value.split(separator: " ")
        guard words.count == ClassicLayout.blockSize else {
            throw field.error(.notBytes(expected: ClassicLayout.blockSize))
        }
        var bytes: [UInt8?] = []
        for word in words {
            guard word != unknownByte else {
                bytes.append(nil)
                continue
            }
            let text = FlipperFields.Field(line: field.line, key: field.key, value: String(word))
            guard let byte = try? text.bytes(count: 1).first else {
                throw field.error(.notBytes(expected: ClassicLayout.blockSize))
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// The tag as a Flipper file with the device type `Mifare Classic`.
    public var flipperText: String {
        let memory = memory
        var lines = FlipperFile.header(deviceType: "Mifare Classic", self)
        lines += [
            "# Mifare Classic specific data",
            "Mifare Classic type: \(memory.layout.rawValue)",
            "Data format version: 2",
            "# Mifare Classic blocks, '??' means unknown data",
        ]
        if let ats { lines.append("Classic ATS: \(String(flipperBytes: ats))") }
        if hasBackdoor { lines.append("Classic Backdoor: true") }
        lines += (0..<memory.layout.blockCount).map { block in
            let words = memory.partial(block).map { $0.map { String(flipperBytes: [$0]) } ?? Self.unknownByte }
            return "Block \(block): \(words.joined(separator: " "))"
        }
        return (lines + [""]).joined(separator: "\n")
    }
}
