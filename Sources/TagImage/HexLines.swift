// Memory as hexadecimal text: one block per line (.eml), or bytes in any grouping (.hex) — Proxmark3 client,
// fileutils.c

import Hexadecimal

/// Reads and writes memory as hexadecimal text.
enum HexLines {
    /// The numbers of digits that a line of an `.eml` file may have: those of a block of 16 or 4 bytes.
    private static let lineLengths = [32, 8]

    /// The mark for an unknown byte in files that this type writes.
    private static let unknown = "--"
    /// The characters that mark an unknown byte in files that this type reads: each byte is marked by two of them.
    private static let unknownMarks = Set("-?".utf8)

    /// Reads hexadecimal text.
    ///
    /// The number of bytes determines the kind of tag. Lines that begin with `#` are comments. `--` or `??` stands for
    /// an unknown byte.
    static func image(_ bytes: [UInt8]) throws(TagImageError) -> TagImage {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var memory: [UInt8?] = []
        for (index, line) in lines.enumerated() where line.first != UInt8(ascii: "#") {
            guard let bytes = Self.bytes(line) else {
                throw .malformed(
                    .line(index + 1, "the content"), found: String(decoding: line.prefix(40), as: UTF8.self),
                    expected: "bytes in hexadecimal, or --")
            }
            memory += bytes
        }
        return try PartialMemory.image(memory)
    }

    /// Returns the bytes of a line, each `nil` if it is unknown, or returns `nil` if the line is not hexadecimal text.
    private static func bytes(_ line: ArraySlice<UInt8>) -> [UInt8?]? {
        var bytes: [UInt8?] = []
        var rest = line
        while let first = rest.first {
            if HexText.separators.utf8.contains(first) {
                rest = rest.dropFirst()
                continue
            }
            let pair = rest.prefix(2)
            if pair.count == 2, unknownMarks.contains(first), pair.last == first {
                bytes.append(nil)
            } else {
                guard let byte = try? HexText.bytes(pair, separators: ""), byte.count == 1 else { return nil }
                bytes.append(byte[0])
            }
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Writes one block per line, without spaces, in the form that Proxmark's emulator expects.
    static func emulatorText(_ image: TagImage) throws(TagImageError) -> String {
        let length = image.kind.blockLength
        guard lineLengths.contains(length * 2) else {
            throw .notExpressible(.eml, reason: "it has blocks of 4 or 16 bytes, but this is \(image.kind)")
        }
        return try text(image, .eml) { $0.joined().lowercased() }
    }

    /// Writes one block per line, with spaces between the bytes.
    static func text(_ image: TagImage) throws(TagImageError) -> String {
        try text(image, .hex) { $0.joined(separator: " ") }
    }

    private static func text(
        _ image: TagImage, _ format: TagImage.Format, _ line: (ArraySlice<String>) -> String
    ) throws(TagImageError) -> String {
        let words = try PartialMemory.bytes(image, format).map { $0.map(\.hex) ?? unknown }
        let length = max(1, image.kind.blockLength)
        return stride(from: 0, to: words.count, by: length)
            .map { line(words[$0..<min($0 + length, words.count)]) + "\n" }.joined()
    }

    /// Whether a file contains only hexadecimal text and comments.
    static func isText(_ contents: ArraySlice<UInt8>) -> Bool {
        var hasBytes = false
        for line in contents.split(separator: 0x0A) where line.first != UInt8(ascii: "#") {
            guard let bytes = bytes(line) else { return false }
            if !bytes.isEmpty { hasBytes = true }
        }
        return hasBytes
    }
}
