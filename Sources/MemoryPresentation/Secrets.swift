// Hexadecimal text in which secret bytes are replaced with asterisks

import Hexadecimal

extension [UInt8] {
    /// Returns upper-case hexadecimal with the separator between bytes, and `**` for the bytes at hidden indices.
    private func hex(separator: String, hiding isHidden: (Int) -> Bool) -> String {
        enumerated().map { isHidden($0.offset) ? "**" : $0.element.hex }.joined(separator: separator)
    }

    /// Returns upper-case hexadecimal with spaces between bytes, and `**` for all bytes of the secrets.
    package func spacedHex(hiding secrets: [[UInt8]]) -> String {
        var hidden: Set<Int> = []
        for place in secrets.flatMap(places(of:)) { hidden.formUnion(place) }
        return hex(separator: " ") { hidden.contains($0) }
    }
}
