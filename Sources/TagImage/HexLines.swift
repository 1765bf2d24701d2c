// Memory as hexadecimal text: one block per line (.eml), or bytes in any grouping (.hex) — Proxmark3 client, fileutils.c

import Hexadecimal

/// Reads and writes memory as hexadecimal text.
enum HexLines {
    /// The number of digits on a line of an `.eml` file: a block of 16 or 4 bytes.
    private static let lineLengths = [32, 8]

    /// Reads hexadecimal text.
    ///
    /// Its size determines the kind of tag. Lines that begin with `#` are comments.
    static func image(_ bytes: [UInt8]) throws(TagImageError) -> TagImage {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var memory: [UInt8] = []
        for (index, line) in lines.enumerated() where line.first != UInt8(ascii: "#") {
            do throws(HexTextError) {
                memory += try HexText.bytes(line)
            } catch {
                throw .malformed(
                    .line(index + 1, "a line"), found: String(decoding: line.prefix(40), as: UTF8.self),
                    expected: "bytes in hexadecimal")
            }
        }
        return try RawMemory.image(memory)
    }

    /// Writes one block per line, as Proxmark's emulator expects.
    static func emulatorText(_ image: TagImage) throws(TagImageError) -> String {
        let length = image.kind.blockLength
        guard lineLengths.contains(length * 2) else {
            throw .notExpressible(.eml, reason: "it has blocks of 4 or 16 bytes, but this is \(image.kind)")
        }
        return try text(image, .eml) { $0.hex.lowercased() }
    }

    /// Writes one block per line, with spaces between the bytes.
    static func text(_ image: TagImage) throws(TagImageError) -> String { try text(image, .hex, \.spacedHex) }

    private static func text(
        _ image: TagImage, _ format: TagImage.Format, _ line: ([UInt8]) -> String
    ) throws(TagImageError) -> String {
        let memory: [UInt8]
        do throws(TagImageError) {
            memory = try RawMemory.bytes(image)
        } catch {
            // The reason is the same as for `.bin`.
            guard case .notExpressible(_, let reason) = error else { throw error }
            throw .notExpressible(format, reason: reason)
        }
        let length = max(1, image.kind.blockLength)
        return stride(from: 0, to: memory.count, by: length)
            .map { line(Array(memory[$0..<min($0 + length, memory.count)])) + "\n" }.joined()
    }

    /// Whether the contents of a file are only hexadecimal text.
    static func isText(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }
        return lines.contains { !$0.isEmpty } && lines.allSatisfy { (try? HexText.bytes($0)) != nil }
            && !lines.allSatisfy { $0.allSatisfy { HexText.separators.utf8.contains($0) } }
    }
}
