// Files with keys for MIFARE Classic cards: dictionaries for mfoc and MIFARE Classic Tool, and dumps

import Composing
import Foundation
import Hexadecimal
public import ReaderInterface
import TagImage
public import TagTypes

/// A file with keys: a dictionary, or a dump of a MIFARE Classic.
///
/// A table of keys that Proxmark saved is also accepted. A dictionary has one key of 12 hexadecimal digits per line, as
/// for mfoc and MIFARE Classic Tool; `#` begins a comment.
///
/// ```swift
/// try ClassicKeyFile(path: "keys.dic").add(to: ring)
/// ```
public struct ClassicKeyFile: Sendable {
    /// The path of the file, or `-` for standard input.
    public let path: String

    /// Creates a value for a file.
    ///
    /// Nothing is read yet.
    public init(path: String) { self.path = path }

    /// Adds the keys of the file to a ring.
    ///
    /// - Throws: `InputError` if the file cannot be read; ``BadClassicKeyFile`` if it contains no keys.
    public func add(to ring: ClassicKeyRing) throws {
        let bytes = try InputFile(path: path).read()
        let name = URL(filePath: path).lastPathComponent
        for key in try keys(bytes) { ring.add(key, from: .file(name)) }
    }

    private func keys(_ bytes: [UInt8]) throws(BadClassicKeyFile) -> [[UInt8]] {
        let lines = Self.lines(bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...])
        let keys = lines.compactMap(\.key)
        if keys.count == lines.count, !keys.isEmpty { return keys }
        if let image = try? TagImage(bytes, format: TagImage.Format(contents: bytes)), image.kind.isClassic {
            let keys = image.keys.sorted { $0.key < $1.key }.flatMap { [$0.value.a, $0.value.b].compactMap(\.self) }
            guard !keys.isEmpty else { throw BadClassicKeyFile(source: source, line: nil) }
            return keys
        }
        if let keys = Self.keyTable(bytes) { return keys }
        // If no line is a key, the file is not a dictionary at all, so do not report a single line.
        throw BadClassicKeyFile(source: source, line: keys.isEmpty ? nil : lines.first { $0.key == nil }?.number)
    }

    /// Returns the keys in a table saved by Proxmark, or nil for a file of another length or a text file.
    ///
    /// `hf-mf-UID-key.bin`, which Proxmark's command `hf mf chk --dump` writes, contains the A keys of all sectors,
    /// then the B keys (from memory).
    private static func keyTable(_ bytes: [UInt8]) -> [[UInt8]]? {
        // Mini, 1K, 2K and 4K have 5, 16, 32 and 40 sectors.
        guard [5, 16, 32, 40].contains(where: { bytes.count == $0 * 2 * 6 }),
            String(validating: bytes, as: UTF8.self) == nil
        else { return nil }
        var seen: Set<[UInt8]> = []
        return stride(from: 0, to: bytes.count, by: 6).map { Array(bytes[$0..<$0 + 6]) }
            .filter { seen.insert($0).inserted }
    }

    private var source: String { InputFile(path: path).source }

    /// The bytes that editors on Windows may put before UTF-8 text.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the lines that are not empty, with their numbers.
    ///
    /// `key` is nil for a line that is not a key.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> [(number: Int, key: [UInt8]?)] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            let text = line.prefix { $0 != UInt8(ascii: "#") }
            let blanks: Set<UInt8> = [0x09, 0x0D, 0x20]
            guard text.contains(where: { !blanks.contains($0) }) else { return nil }
            return (index + 1, ClassicKeyText.key(text))
        }
    }
}

/// A key as people write it.
public enum ClassicKeyText {
    /// The expected form, in words.
    public static let form = "12 hexadecimal digits"

    /// Returns the 6 bytes of a key, or nil if the text is not a key.
    public static func key(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let bytes = try? HexText.bytes(text), bytes.count == 6 else { return nil }
        return bytes
    }
}

/// The error for a file without keys, or with other content besides keys.
///
/// The description never quotes the content of the file.
public struct BadClassicKeyFile: ClassifiedError {
    /// The name of the file, worded for the start of a sentence.
    public let source: String
    /// The line that is not a key, counted from 1, or nil if the file contains no keys at all.
    public let line: Int?

    /// The kind of failure.
    public var kind: FailureKind { .badFile }

    /// A description in sentences.
    public var description: String {
        guard let line else {
            return "\(source) contains no keys of a MIFARE Classic: it is neither a list of keys nor a dump with keys."
        }
        return "\(source), line \(line): not a key. A key is \(ClassicKeyText.form); # begins a comment."
    }
}
