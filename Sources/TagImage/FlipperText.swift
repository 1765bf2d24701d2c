// Flipper's key-value text — Flipper firmware, NfcFileFormats.md: "key: value" lines, # comments

import Hexadecimal

/// The values in a Flipper NFC file, by key.
struct FlipperText {
    struct Entry {
        let line: Int
        let value: Substring
    }

    /// The supported versions of the file format.
    ///
    /// Version 1 is deprecated and rare.
    private static let versions = 2...4

    let version: Int
    private let entries: [Substring: Entry]
    /// The error for the first line whose key occurs in an earlier line, or `nil` if there is none.
    private let duplicate: TagImageError?

    init(_ bytes: [UInt8]) throws(TagImageError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unknownFormat(reason: "a Flipper file is text, but this file is not")
        }
        (entries, duplicate) = try Self.entries(text)
        guard entries["Filetype"]?.value == "Flipper NFC device" else {
            throw .unknownFormat(reason: "a Flipper file begins with \"Filetype: Flipper NFC device\"")
        }
        guard let entry = entries["Version"], let version = Int(entry.value), Self.versions ~= version else {
            throw .unsupported(.field("Version"), entries["Version"].map { String($0.value.prefix(40)) } ?? "missing")
        }
        self.version = version
    }

    /// Returns the first value of each key, and the error for the first duplicate key.
    private static func entries(
        _ text: String
    ) throws(TagImageError) -> (entries: [Substring: Entry], duplicate: TagImageError?) {
        var entries: [Substring: Entry] = [:]
        var duplicate: TagImageError?
        var number = 0
        // Swift treats CR LF as one character.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            guard !line.drop(while: { $0 == " " }).hasPrefix("#"), line.contains(where: { $0 != " " }) else { continue }
            guard let colon = line.firstIndex(of: ":") else {
                throw .malformed(.line(number, "the colon"), found: "missing", expected: "\"key: value\"")
            }
            let key = line[..<colon]
            let value = line[line.index(after: colon)...].trimmed
            guard entries[key] == nil else {
                duplicate =
                    duplicate
                    ?? .malformed(
                        .line(number, String(key.prefix(40))), found: "a duplicate", expected: "one such line")
                continue
            }
            entries[key] = Entry(line: number, value: value)
        }
        return (entries, duplicate)
    }

    /// Checks that no key occurs twice.
    ///
    /// Call this function only for the supported device types. Files of other types, such as Type 4 Tags, have long
    /// values in several lines with the same key.
    func checkKeysAreUnique() throws(TagImageError) {
        if let duplicate { throw duplicate }
    }

    /// Whether a file starts like a Flipper file, after blank lines and comments.
    static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let lines = bytes.prefix(4096).split { $0 == 0x0A || $0 == 0x0D }
            .map { line in line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
        let first = lines.first { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
        return first?.starts(with: "Filetype:".utf8) ?? false
    }

    subscript(key: String) -> Entry? { entries[key[...]] }

    func entry(_ key: String) throws(TagImageError) -> Entry {
        guard let entry = self[key] else {
            throw .malformed(.field(key), found: "missing", expected: "a line with this key")
        }
        return entry
    }

    func number(_ key: String, in range: ClosedRange<Int>) throws(TagImageError) -> Int {
        let entry = try entry(key)
        guard let number = Int(entry.value), range ~= number else {
            throw .malformed(
                .line(entry.line, key), found: entry.excerpt, expected: "\(range.lowerBound)…\(range.upperBound)")
        }
        return number
    }

    /// Parses a hexadecimal value whose number of bytes must be one of these counts.
    func bytes(_ key: String, _ counts: Int...) throws(TagImageError) -> [UInt8] {
        let entry = try entry(key)
        guard let bytes = try? HexText.bytes(entry.value.utf8, separators: " "), counts.contains(bytes.count) else {
            throw .malformed(
                .line(entry.line, key), found: entry.excerpt,
                expected: "\(counts.map(String.init).joined(separator: " or ")) bytes in hexadecimal")
        }
        return bytes
    }

    /// Checks that the count in one line is the number of lines whose key is `prefix` followed by a number.
    func check(_ count: Int, in countKey: String, isThatOf prefix: String) throws(TagImageError) {
        let found = entries.keys.count { $0.hasPrefix(prefix) && Int($0.dropFirst(prefix.count)) != nil }
        guard found == count else {
            let entry = self[countKey]
            throw .malformed(
                entry.map { .line($0.line, countKey) } ?? .field(countKey), found: "\(count)",
                expected: "\(found), the number of \"\(prefix)…\" lines")
        }
    }
}

extension FlipperText.Entry {
    var excerpt: String { value.isEmpty ? "empty" : String(value.prefix(60)) }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
