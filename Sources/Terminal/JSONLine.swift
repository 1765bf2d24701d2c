// One JSON object on one line — RFC 8259

import Foundation
import Hexadecimal

package enum JSONLine {
    /// Returns the JSON text of an object, with keys in alphabetical order and without a newline.
    ///
    /// Characters that could act on a terminal are escaped, which makes no difference to a program.
    package static func string(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        guard text.unicodeScalars.contains(where: acts) else { return text }
        return text.unicodeScalars.map { acts($0) ? escape($0) : String($0) }.joined()
    }

    /// Prints an object on stdout at once, even into a pipe.
    package static func print(_ value: some Encodable, after change: String? = nil) throws {
        StandardOutput.print(try string(value), after: change)
    }

    /// Whether a character is DEL, a C1 control, a direction mark or a separator.
    ///
    /// The encoder already escapes C0.
    private static func acts(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7F else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        scalar.utf16.map { "\\u" + $0.hex.lowercased() }.joined()
    }
}
