// FeliCa Lite-S in Flipper `.nfc` files — device type "FeliCa", data format version 1

extension VirtualFeliCaLiteSTag {
    /// The number of bytes before the data of a block: two status flags, from the answer to the read command.
    private static let statusSize = 2
    private static let success: [UInt8] = [0x00, 0x00]

    /// Creates the tag that a file describes.
    ///
    /// Blocks that were not read stay unknown. If the memory configuration (MC) was not read, the tag cannot be
    /// simulated, and an error is thrown.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let version = try fields.required("Data format version")
        // Version 2 added FeliCa Standard. For Lite tags, the fields are the same in both versions.
        guard try (1...2).contains(version.number(upTo: .max)) else { throw version.error(.unsupported(version.value)) }
        let idm = try fields.required("Manufacture id").bytes(count: FeliCaCommand.idmSize)
        let pmm = try fields.required("Manufacture parameter").bytes(count: FeliCaCommand.idmSize)
        var memory = FeliCaLiteSMemory(idm: idm)
        let total = try fields.required("Blocks total")
        guard try total.number(upTo: .max) == FeliCaLiteSMemory.Block.all.count else {
            throw total.error(.unsupported(total.value))
        }
        for (index, block) in FeliCaLiteSMemory.Block.all.enumerated() {
            let field = try fields.required("Block \(index)")
            let bytes = try field.bytes(count: Self.statusSize + FeliCaCommand.blockSize)
            if bytes.starts(with: Self.success) {
                memory.store(Array(bytes.dropFirst(Self.statusSize)), at: block)
            } else if block == FeliCaLiteSMemory.Block.mc {
                throw field.error(.unknown)
            } else {
                memory.forget(block, flags: Array(bytes.prefix(Self.statusSize)))
            }
        }
        self.init(idm: idm, pmm: pmm, memory: memory)
    }

    /// The tag as a Flipper file with the device type `FeliCa`.
    public var flipperText: String {
        let memory = memory
        let blocks = FeliCaLiteSMemory.Block.all
        var lines = FlipperFile.header(deviceType: "FeliCa", uid: idm)
        lines += [
            "# FeliCa specific data",
            "Data format version: 1",
            "Manufacture id: \(String(flipperBytes: idm))",
            "Manufacture parameter: \(String(flipperBytes: pmm))",
            "Blocks total: \(blocks.count)",
            "Blocks read: \(blocks.count - memory.unread.count)",
        ]
        lines += blocks.enumerated().map { index, block in
            let content =
                memory.unread[block].map { $0 + [UInt8](repeating: 0, count: FeliCaCommand.blockSize) }
                ?? Self.success + memory[block]
            return "Block \(index): \(String(flipperBytes: content))"
        }
        return (lines + [""]).joined(separator: "\n")
    }
}
