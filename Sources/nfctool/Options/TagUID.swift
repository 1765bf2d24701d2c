// A tag's UID on the command line — ISO/IEC 14443-3; JIS X 6319-4

import ArgumentParser
import Hexadecimal

/// A tag's UID as an argument: hexadecimal, with or without colons, spaces or dashes.
struct TagUID: ExpressibleByArgument, Hashable {
    let bytes: [UInt8]
    /// The lengths that tags have: ISO/IEC 14443-3 UID and PUPI; FeliCa IDm.
    static let lengths: Set = [4, 7, 8, 10]

    init?(argument: String) {
        let digits = argument.utf8.filter { !":- ".utf8.contains($0) }
        guard let bytes = try? HexText.bytes(digits, separators: ""), 1...10 ~= bytes.count else { return nil }
        self.bytes = bytes
    }
}
