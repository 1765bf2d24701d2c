// Type 4 Tags in Flipper `.nfc` files — device type "Type 4 Tag" with keys `NDEF Data`, and our own keys for the rest

extension VirtualType4Tag {
    private static let bytesPerLine = 16

    /// The tag of a file.
    ///
    /// Without our own keys it has mapping version 2.0 and room for 2048 bytes or the message.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let uid = try fields.uid(lengths: [4, 7, 10])
        var configuration = try Type4Configuration(fields)

        let sizeField = try fields.required("NDEF Data Size")
        let size = try sizeField.number(upTo: configuration.largestFile - configuration.lengthFieldSize)
        let message = try Self.bytes(fields.all("NDEF Data"))
        guard message.count == size else { throw sizeField.error(.notBytes(expected: size)) }
        let length = UInt32(truncatingIfNeeded: size).bigEndianBytes.suffix(configuration.lengthFieldSize)
        let whole = try Self.bytes(fields.all("NDEF file"))
        let content = whole.isEmpty ? length + message : whole

        if let field = fields["NDEF file size"] {
            configuration.fileSize = try field.number(upTo: configuration.largestFile)
            guard configuration.fileSize >= max(content.count, configuration.lengthFieldSize) else {
                throw field.error(.unsupported(field.value))
            }
        } else {
            configuration.fileSize = min(max(configuration.fileSize, content.count), configuration.largestFile)
        }
        try self.init(
            nfcID1: uid, configuration: configuration, sensRes: fields.sensRes(), selRes: fields.selRes(),
            content: Array(content))
    }

    private static func bytes(_ lines: [FlipperFields.Field]) throws(FlipperFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in lines { bytes += try line.bytes() }
        return bytes
    }

    /// The tag as a Flipper file of device type `Type 4 Tag`, with our own keys (see ``FlipperFile``).
    public var flipperText: String {
        let file = ndefFile
        let lengthSize = configuration.lengthFieldSize
        let length = file.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
        // A length beyond the file, or bytes after the message, only the whole file can tell.
        let message = file.dropFirst(lengthSize).prefix(length)
        let used = (file.lastIndex { $0 != 0 } ?? -1) + 1
        let isPlain = message.count == length && used <= lengthSize + length

        var lines = FlipperFile.header(deviceType: "Type 4 Tag", self)
        lines.append("# ISO14443-4A specific data")
        lines += configuration.atsLines
        lines += ["# Type 4 Tag specific data", "NDEF Data Size: \(message.count)"]
        lines += Self.lines("NDEF Data", message)
        lines += [
            "# nfctool specific data",
            "T4T mapping version: \(String(flipperBytes: [configuration.mappingVersion.rawValue]))",
            "T4T MLe: \(configuration.mle)",
            "T4T MLc: \(configuration.mlc)",
            "NDEF file size: \(configuration.fileSize)",
            "NDEF read access: \(String(flipperBytes: [configuration.readAccess]))",
            "NDEF write access: \(String(flipperBytes: [configuration.writeAccess]))",
            "READ BINARY B1 answer: \(configuration.oddReadAnswer.rawValue)",
        ]
        if !isPlain { lines += Self.lines("NDEF file", file.prefix(used)) }
        return (lines + [""]).joined(separator: "\n")
    }

    private static func lines(_ key: String, _ bytes: ArraySlice<UInt8>) -> [String] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: bytesPerLine).map { start in
            "\(key): \(String(flipperBytes: bytes[start...].prefix(bytesPerLine)))"
        }
    }
}

extension Type4Configuration {
    init(_ fields: FlipperFields) throws(FlipperFileError) {
        self.init()
        if let field = fields["T4T mapping version"] {
            guard let version = try MappingVersion(rawValue: field.bytes(count: 1).first ?? 0) else {
                throw field.error(.unsupported(field.value))
            }
            mappingVersion = version
        }
        if let field = fields["T4T MLe"] { mle = try UInt16(field.number(upTo: 0xFFFF)) }
        if let field = fields["T4T MLc"] { mlc = try UInt16(field.number(upTo: 0xFFFF)) }
        if let field = fields["NDEF read access"] { readAccess = try field.bytes(count: 1).first ?? 0 }
        if let field = fields["NDEF write access"] { writeAccess = try field.bytes(count: 1).first ?? 0 }
        if let field = fields["READ BINARY B1 answer"] {
            guard let answer = OddReadAnswer(rawValue: field.value) else {
                throw field.error(.unsupported(field.value))
            }
            oddReadAnswer = answer
        }
        ats = try Self.ats(fields)
    }

    /// ATS from `T0`, `TA(1)`, `TB(1)`, `TC(1)` and `T1...Tk`; TL follows from them.
    private static func ats(_ fields: FlipperFields) throws(FlipperFileError) -> [UInt8] {
        guard let t0 = try fields["T0"]?.bytes(count: 1).first else { return [0x01] }
        var ats = [t0]
        for (key, bit) in [("TA(1)", 0x10), ("TB(1)", 0x20), ("TC(1)", 0x40)] as [(String, UInt8)] where t0 & bit != 0 {
            ats += try fields.required(key).bytes(count: 1)
        }
        if let field = fields["T1...Tk"] {
            let historical = try field.bytes()
            guard historical.count <= 15 else { throw field.error(.notBytes(expected: 15)) }
            ats += historical
        }
        return [UInt8(ats.count + 1)] + ats
    }

    var atsLines: [String] {
        var rest = ats.dropFirst()
        guard let t0 = rest.popFirst() else { return [] }
        var lines = ["T0: \(String(flipperBytes: [t0]))"]
        for (key, bit) in [("TA(1)", 0x10), ("TB(1)", 0x20), ("TC(1)", 0x40)] as [(String, UInt8)] where t0 & bit != 0 {
            if let byte = rest.popFirst() { lines.append("\(key): \(String(flipperBytes: [byte]))") }
        }
        return rest.isEmpty ? lines : lines + ["T1...Tk: \(String(flipperBytes: rest))"]
    }
}
