// How secret bytes are shown: by asterisks

import Hexadecimal

extension [UInt8] {
    /// Upper-case hexadecimal with `**` for the bytes at the indices that are hidden, and the separator between two
    /// bytes.
    package func hex(separator: String, hiding isHidden: (Int) -> Bool) -> String {
        enumerated().map { isHidden($0.offset) ? "**" : $0.element.hex }.joined(separator: separator)
    }

    /// Upper-case hexadecimal with blanks, and `**` for all bytes of the secrets.
    package func spacedHex(hiding secrets: [[UInt8]]) -> String {
        var hidden: Set<Int> = []
        for place in secrets.flatMap(places(of:)) { hidden.formUnion(place) }
        return hex(separator: " ") { hidden.contains($0) }
    }
}
