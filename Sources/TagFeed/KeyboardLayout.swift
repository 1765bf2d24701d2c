// The keys that type each character on a keyboard with the US layout — linux/input-event-codes.h; ANSI INCITS 154

import Cuinput

/// A key, and whether Shift is held while it is pressed.
package struct KeyStroke: Hashable, Sendable {
    /// The code of the key, for example KEY_A or KEY_ENTER.
    package let code: UInt16
    package let isShifted: Bool
}

/// The US keyboard layout, which every desktop supports.
package enum KeyboardLayout {
    /// Groups of keys with consecutive codes, each with its first code, and its characters without and with Shift.
    private static let runs: [(first: Int32, plain: String, shifted: String)] = [
        (KEY_1, "1234567890-=", "!@#$%^&*()_+"),
        (KEY_Q, "qwertyuiop[]", "QWERTYUIOP{}"),
        (KEY_A, "asdfghjkl;'`", "ASDFGHJKL:\"~"),
        (KEY_BACKSLASH, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
        (KEY_SPACE, " ", ""),
        (KEY_ENTER, "\n", ""),
        (KEY_TAB, "\t", ""),
    ]

    private static let strokes: [Character: KeyStroke] = {
        var strokes: [Character: KeyStroke] = [:]
        for (first, plain, shifted) in runs {
            for (text, isShifted) in [(plain, false), (shifted, true)] {
                for (index, character) in text.enumerated() {
                    strokes[character] = KeyStroke(code: UInt16(first) + UInt16(index), isShifted: isShifted)
                }
            }
        }
        return strokes
    }()

    /// All characters that can be typed.
    package static var characters: Set<Character> { Set(strokes.keys) }

    /// The codes of all keys that are used, including Shift.
    static var codes: Set<UInt16> { Set(strokes.values.map(\.code)).union([UInt16(KEY_LEFTSHIFT)]) }

    /// Returns the key strokes that type a string.
    ///
    /// - Throws: ``MissingKey`` for the first character without a key.
    package static func strokes(for text: String) throws(MissingKey) -> [KeyStroke] {
        var result: [KeyStroke] = []
        for character in text {
            guard let stroke = strokes[character] else { throw MissingKey(character: character) }
            result.append(stroke)
        }
        return result
    }
}

/// A character for which the layout has no key.
package struct MissingKey: Error, Hashable {
    package let character: Character
}
