// Reads a dump file of a Type 2 Tag without any code of nfctool — Flipper NFC file format, NFC Forum Type 2 Tag

import Foundation

/// The file is not a dump, or the memory holds no TLVs.
struct BrokenDump: Error {
    let path: String
}

extension HeldTag {
    init(dump path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var pages: [Int: [UInt8]] = [:]
        var uid: [UInt8] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let bytes = parts[1].split(separator: " ").map { UInt8($0, radix: 16) }
            guard !bytes.contains(nil) else { continue }
            if parts[0] == "UID" { uid = bytes.compactMap(\.self) }
            let words = parts[0].split(separator: " ")
            if words.count == 2, words[0] == "Page", let page = Int(words[1]) { pages[page] = bytes.compactMap(\.self) }
        }
        let memory = pages.sorted { $0.key < $1.key }.flatMap(\.value)
        guard uid.count == 7, memory.count >= 64, let message = Self.message(in: memory) else {
            throw BrokenDump(path: path)
        }
        // Bytes 10 and 11 are the static lock bytes.
        self.init(uid: uid, message: message, isLocked: memory[10] != 0 || memory[11] != 0)
    }

    /// Returns the content of the NDEF Message TLV, or nil if the TLVs are invalid.
    private static func message(in memory: [UInt8]) -> [UInt8]? {
        guard memory[12] == 0xE1 else { return nil }
        let end = min(16 + 8 * Int(memory[14]), memory.count)
        var at = 16
        while at < end, memory[at] != 0xFE {
            if memory[at] == 0 {
                at += 1
                continue
            }
            guard at + 1 < end else { return nil }
            // Messages with three-byte lengths do not fit an NTAG213.
            let (type, length) = (memory[at], Int(memory[at + 1]))
            guard length < 0xFF, at + 2 + length <= end else { return nil }
            if type == 0x03 { return Array(memory[(at + 2)..<(at + 2 + length)]) }
            at += 2 + length
        }
        return nil
    }
}
