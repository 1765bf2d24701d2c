// The formats of dump files, and how to recognise them

extension TagImage {
    /// A format of dump files.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// Flipper's text format: versions 2…4 are read, and version 4 is written.
        case nfc
        /// The raw memory without metadata, as in `.bin` files and libnfc's `.mfd` files.
        case bin
        /// Proxmark's JSON (`mfu`, `mfc`), or nfctool's own JSON format for tags that Proxmark's format does not
        /// support.
        case json
        /// One block per line in hexadecimal, as used by Proxmark's emulator.
        case eml
        /// The text format of MIFARE Classic Tool.
        case mct
        /// The memory in hexadecimal, one block per line, with spaces between the bytes.
        case hex
    }

    /// Reads a dump file.
    ///
    /// A text file may begin with a UTF-8 byte order mark.
    ///
    /// - Throws: ``TagImageError``. The image always passes ``check()``.
    public init(_ bytes: [UInt8], format: Format) throws(TagImageError) {
        let bytes = format == .bin ? bytes : Array(Format.unmarked(bytes))
        switch format {
        case .nfc: self = try FlipperReader(FlipperText(bytes)).image()
        case .bin: self = try RawMemory.image(bytes)
        case .json: self = try JSONReader(bytes).image()
        case .eml, .hex: self = try HexLines.image(bytes)
        case .mct: self = try MCTText.image(bytes)
        }
        try check()
    }

    /// Encodes the image as a dump file.
    ///
    /// - Throws: ``TagImageError/notExpressible(_:reason:)`` if reading the file would not return the same memory.
    public func bytes(_ format: Format) throws(TagImageError) -> [UInt8] {
        try check()
        switch format {
        case .nfc: return Array(try FlipperWriter(self).text().utf8)
        case .bin: return try RawMemory.bytes(self)
        case .json: return Array(JSONWriter(self).text.utf8)
        case .eml: return Array(try HexLines.emulatorText(self).utf8)
        case .mct: return Array(try MCTText.text(self).utf8)
        case .hex: return Array(try HexLines.text(self).utf8)
        }
    }

    /// Encodes the image as the text of a virtual tag, in Flipper's format.
    ///
    /// A MIFARE Classic 2K and a Type 5 Tag with more than 256 blocks can also be encoded, although Flipper does not
    /// support them.
    ///
    /// - Throws: ``TagImageError/notExpressible(_:reason:)``.
    package func virtualTagText() throws(TagImageError) -> String {
        try check()
        return try FlipperWriter(self, isForVirtualTag: true).text()
    }
}

extension TagImage.Format {
    /// Creates the format for a file name, or returns `nil` if its extension is unknown.
    public init?(fileName: String) {
        let ending = fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
        switch ending?.lowercased() {
        case "nfc": self = .nfc
        case "bin", "mfd", "dump": self = .bin
        case "json": self = .json
        case "eml": self = .eml
        case "mct": self = .mct
        case "hex": self = .hex
        default: return nil
        }
    }

    /// Detects the format of a file from its contents.
    ///
    /// Text formats are identified by their first characters. Anything else is treated as raw memory.
    public init(contents: [UInt8]) {
        let text = Self.unmarked(contents)
        let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.first == UInt8(ascii: "{") {
            self = .json
        } else if FlipperText.isText(text) {
            self = .nfc
        } else if MCTText.isText(text) {
            self = .mct
        } else if HexLines.isText(text) {
            self = .hex
        } else {
            self = .bin
        }
    }

    /// Returns the bytes without a UTF-8 byte order mark, which editors on Windows add.
    fileprivate static func unmarked(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }
}
