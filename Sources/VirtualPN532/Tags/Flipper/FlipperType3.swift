// Generic Type 3 Tags in Flipper `.nfc` files — device type "FeliCa", data format version 2, stored as FeliCa Standard

extension VirtualType3Tag {
    private static let readService = "Service code 000B"

    /// Creates the tag that a file describes, from the blocks of service 000B.
    ///
    /// Without nfctool's own fields, the attribute information defines how many blocks a command may contain.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let idm = try fields.required("Manufacture id").bytes(count: FeliCaCommand.idmSize)
        let pmm = try fields.required("Manufacture parameter").bytes(count: FeliCaCommand.idmSize)
        var blocks: [[UInt8]] = []
        for field in fields.all(prefix: "Block ") {
            // An example: `| Service code 000B | Block index 00 | Data: 16 bytes |`
            let parts = field.value.split(separator: "|").map { $0.drop { $0 == " " } }
            guard parts.first?.hasPrefix(Self.readService) == true else { continue }
            guard parts.count == 3, parts[1].hasPrefix("Block index "), parts[2].hasPrefix("Data: "),
                Int(parts[1].dropFirst(12).filter { $0 != " " }, radix: 16) == blocks.count
            else { throw field.error(.unsupported(field.value)) }
            let data = FlipperFields.Field(line: field.line, key: field.key, value: String(parts[2].dropFirst(6)))
            blocks.append(try data.bytes(count: FeliCaCommand.blockSize))
        }
        guard let attributes = blocks.first else {
            throw FlipperFileError(line: nil, key: "Block 0000", reason: .missing)
        }
        let nbr = try fields["T3T Nbr"]?.number(upTo: 0xFF) ?? Int(attributes[1])
        let nbw = try fields["T3T Nbw"]?.number(upTo: 0xFF) ?? Int(attributes[2])
        self.init(idm: idm, pmm: pmm, memory: Type3Memory(blocks: blocks, mostRead: nbr, mostWritten: nbw))
    }

    /// The tag as a Flipper file with the device type `FeliCa` and nfctool's own fields (see ``FlipperFile``).
    public var flipperText: String {
        let memory = memory
        var lines = FlipperFile.header(deviceType: "FeliCa", uid: idm)
        lines += [
            "# FeliCa specific data",
            "Data format version: 2",
            "Manufacture id: \(String(flipperBytes: idm))",
            "Manufacture parameter: \(String(flipperBytes: pmm))",
            "IC Type: NFC Forum Type 3 Tag",
            "# Felica Standard specific data",
            "System found: 1",
            "System 00: 12FC",
            "Service found: 2",
            "Service 000: | Code 0009 | Attrib. 09 | Public  | Random | Read/Write |",
            "Service 001: | Code 000B | Attrib. 0B | Public  | Random | Read Only  |",
            "Public blocks read: \(memory.blocks.count)",
        ]
        lines += memory.blocks.enumerated().map { index, data in
            let number = String(flipperBytes: UInt16(truncatingIfNeeded: index).bigEndianBytes).filter { $0 != " " }
            let short = number.hasPrefix("00") ? String(number.dropFirst(2)) : number
            return
                "Block \(number): | \(Self.readService) | Block index \(short) | Data: \(String(flipperBytes: data)) |"
        }
        lines += ["# nfctool specific data", "T3T Nbr: \(memory.mostRead)", "T3T Nbw: \(memory.mostWritten)", ""]
        return lines.joined(separator: "\n")
    }
}
