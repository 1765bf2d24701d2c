// Type 4 Tags in Flipper `.nfc` files — device types "Type 4 Tag" and "ISO14443-4B" with `NDEF Data`, plus nfctool's
// own fields

extension VirtualType4Tag {
    /// Creates the tag that a file describes.
    ///
    /// Without nfctool's own fields, the tag has mapping version 2.0 and an NDEF file of 2048 bytes, or a larger one if
    /// the message needs it.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let uid = try fields.uid(lengths: [4, 7, 10])
        let (configuration, content) = try fields.type4()
        try self.init(
            nfcID1: uid, configuration: configuration, sensRes: fields.sensRes(), selRes: fields.selRes(),
            content: content)
    }

    /// The tag as a Flipper file with the device type `Type 4 Tag` and nfctool's own fields (see ``FlipperFile``).
    public var flipperText: String {
        let lines =
            FlipperFile.header(deviceType: "Type 4 Tag", self) + ["# ISO14443-4A specific data"]
            + configuration.atsLines + configuration.lines(ndefFile: ndefFile)
        return (lines + [""]).joined(separator: "\n")
    }
}

extension VirtualType4BTag {
    /// Creates the tag that a file with the device type `ISO14443-4B` and nfctool's own fields describes.
    convenience init(_ fields: FlipperFields) throws(FlipperFileError) {
        let pupi = try fields.uid(lengths: [4])
        let applicationData = try fields.required("Application data").bytes(count: 4)
        let protocolInfo = try fields.required("Protocol info").bytes(count: 3)
        var (configuration, content) = try fields.type4()
        // A type B tag has no ATS, so ATS fields in the file are ignored.
        configuration.ats = Type4Configuration().ats
        self.init(
            pupi: pupi, applicationData: applicationData, protocolInfo: protocolInfo, configuration: configuration,
            content: content)
    }

    /// The tag as a Flipper file with the device type `ISO14443-4B` and nfctool's own fields (see ``FlipperFile``).
    public var flipperText: String {
        let lines =
            FlipperFile.header(deviceType: "ISO14443-4B", uid: pupi)
            + [
                "# ISO14443-3B specific data",
                "Application data: \(String(flipperBytes: applicationData))",
                "Protocol info: \(String(flipperBytes: protocolInfo))",
            ] + configuration.lines(ndefFile: ndefFile)
        return (lines + [""]).joined(separator: "\n")
    }
}

extension FlipperFields {
    fileprivate func type4() throws(FlipperFileError) -> (configuration: Type4Configuration, content: [UInt8]) {
        var configuration = try Type4Configuration(self)
        let sizeField = try required("NDEF Data Size")
        let size = try sizeField.number(upTo: configuration.largestFile - configuration.lengthFieldSize)
        let message = try bytes(of: "NDEF Data")
        guard message.count == size else { throw sizeField.error(.notBytes(expected: size)) }
        let length = UInt32(truncatingIfNeeded: size).bigEndianBytes.suffix(configuration.lengthFieldSize)
        let whole = try bytes(of: "NDEF file")
        let content = whole.isEmpty ? length + message : whole

        if let field = self["NDEF file size"] {
            configuration.fileSize = try field.number(upTo: configuration.largestFile)
            guard configuration.fileSize >= max(content.count, configuration.lengthFieldSize) else {
                throw field.error(.unsupported(field.value))
            }
        } else {
            configuration.fileSize = min(max(configuration.fileSize, content.count), configuration.largestFile)
        }
        return (configuration, Array(content))
    }

    private func bytes(of key: String) throws(FlipperFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in all(key) { bytes += try line.bytes() }
        return bytes
    }
}

extension Type4Configuration {
    private static let bytesPerLine = 16

    fileprivate func lines(ndefFile file: [UInt8]) -> [String] {
        let length = file.prefix(lengthFieldSize).reduce(0) { $0 << 8 | Int($1) }
        // If the length exceeds the file, or bytes follow the message, the whole file has to be written.
        let message = file.dropFirst(lengthFieldSize).prefix(length)
        let used = (file.lastIndex { $0 != 0 } ?? -1) + 1
        let isPlain = message.count == length && used <= lengthFieldSize + length

        var lines = ["# Type 4 Tag specific data", "NDEF Data Size: \(message.count)"]
        lines += Self.lines("NDEF Data", message)
        lines += [
            "# nfctool specific data",
            "T4T mapping version: \(String(flipperBytes: [mappingVersion.rawValue]))",
            "T4T MLe: \(mle)",
            "T4T MLc: \(mlc)",
            "NDEF file size: \(fileSize)",
            "NDEF read access: \(String(flipperBytes: [readAccess]))",
            "NDEF write access: \(String(flipperBytes: [writeAccess]))",
            "READ BINARY B1 answer: \(oddReadAnswer.rawValue)",
        ]
        return isPlain ? lines : lines + Self.lines("NDEF file", file.prefix(used))
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

    /// Reads the ATS from `T0`, `TA(1)`, `TB(1)`, `TC(1)` and `T1...Tk`.
    ///
    /// TL is calculated.
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
