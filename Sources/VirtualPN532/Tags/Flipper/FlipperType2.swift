// NTAG/Ultralight in Flipper `.nfc` files — "NFC Flipper File Formats", data format version 2

extension VirtualType2Tag {
    /// Creates the tag that a file describes.
    ///
    /// A password or key that was not read stays unknown. If any other block is missing, the tag cannot be simulated,
    /// and an error is thrown.
    convenience init(_ fields: FlipperFields, chip: Type2Chip) throws(FlipperFileError) {
        let uid = try fields.uid(lengths: [7])
        var memory = Type2Memory(chip: chip, uid: uid)
        if let field = fields["Signature"] { memory.signature = try field.bytes(count: 32) }
        if !chip.version.isEmpty, let field = fields["Mifare version"] { memory.version = try field.bytes(count: 8) }
        for index in memory.counters.indices {
            if let field = fields["Counter \(index)"] {
                memory.counters[index] = try UInt32(field.number(upTo: 0xFF_FFFF))
            }
            if let field = fields["Tearing \(index)"] {
                memory.tearingFlags[index] = try field.bytes(count: 1).first ?? 0
            }
        }
        let pagesRead = try fields["Pages read"]?.number(upTo: .max) ?? chip.blockCount
        for block in 0..<chip.blockCount {
            if block >= pagesRead {
                guard memory.forget(block) else {
                    throw FlipperFileError(line: nil, key: "Page \(block)", reason: .unknown)
                }
            } else {
                try memory.store(fields.required("Page \(block)").bytes(count: 4), at: block)
            }
        }
        if let field = fields["Failed authentication attempts"] {
            memory.failedAuthentications = try field.number(upTo: 0xFF)
        }
        try self.init(nfcID1: uid, sensRes: fields.sensRes(), selRes: fields.selRes(), memory: memory)
    }

    /// The tag as a Flipper file with the device type `NTAG/Ultralight`.
    public var flipperText: String {
        let memory = memory
        let version = memory.version.isEmpty ? [UInt8](repeating: 0, count: 8) : memory.version
        var lines = FlipperFile.header(deviceType: "NTAG/Ultralight", self)
        lines += [
            "# NTAG/Ultralight specific data",
            "Data format version: 2",
            "NTAG/Ultralight type: \(chip.name)",
            "Signature: \(String(flipperBytes: memory.signature))",
            "Mifare version: \(String(flipperBytes: version))",
        ]
        for (index, (counter, flag)) in zip(memory.counters, memory.tearingFlags).enumerated() {
            lines += ["Counter \(index): \(counter)", "Tearing \(index): \(String(flipperBytes: [flag]))"]
        }
        // "Pages read" counts the pages before the first unknown one, so all later pages also count as unknown.
        let pagesRead = memory.unknownBlocks.min() ?? chip.blockCount
        lines += ["Pages total: \(chip.blockCount)", "Pages read: \(pagesRead)"]
        lines += (0..<chip.blockCount).map { "Page \($0): \(String(flipperBytes: memory[$0]))" }
        lines += ["Failed authentication attempts: \(memory.failedAuthentications)", ""]
        return lines.joined(separator: "\n")
    }
}
