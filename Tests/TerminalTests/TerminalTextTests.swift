// Nothing from a tag reaches a terminal raw

import Testing

import Terminal

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("Hello, wörld", "Hello, wörld"),
        ("日本語 한국어 ไทย हिन्दी", "日本語 한국어 ไทย हिन्दी"),
        ("a\nb\tc\r\nd", "a\\nb\\tc\\r\\nd"),
        ("\u{1B}[2J", "\\u{1B}[2J"),
        ("\u{0}\u{7F}\u{9B}31m", "\\u{0}\\u{7F}\\u{9B}31m"),
        ("\u{202E}fdp.exe", "\\u{202E}fdp.exe"),
        ("\u{200E}\u{200F}\u{61C}\u{2066}\u{2069}", "\\u{200E}\\u{200F}\\u{61C}\\u{2066}\\u{2069}"),
        ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
        ("pay\u{200B}pal\u{FEFF}\u{AD}", "pay\\u{200B}pal\\u{FEFF}\\u{AD}"),
        ("a\u{200D}1\u{200D}", "a\\u{200D}1\\u{200D}"),
        ("x\u{E0041}\u{E0101}", "x\\u{E0041}\\u{E0101}"),
        ("\u{E000}\u{FFFF}", "\\u{E000}\\u{FFFF}"),
        ("\u{301}a", "\\u{301}a"),
        ("e\u{301}", "e\u{301}"),
        ("👩‍👩‍👧 ❤️ 👋🏽 🇩🇪", "👩‍👩‍👧 ❤️ 👋🏽 🇩🇪"),
        ("می‌خواهم", "می‌خواهم"),
    ])
    func whatActsOrHidesIsAnEscape(_ text: String, _ expected: String) {
        // Compare scalars, because `==` treats canonically equal text as the same.
        #expect(Array(TerminalText.escaped(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func everyControlAndFormatCharacterIsEscapedAlone() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isSafe =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
                default: true
                }
            guard !isSafe else { continue }
            let escaped = TerminalText.escaped(String(scalar))
            #expect(escaped.hasPrefix("\\"), "U+\(String(value, radix: 16))")
        }
    }

    @Test func marksPiledOnOneCharacterAreEscapedFromTheFifthOn() {
        let text = "a" + String(repeating: "\u{301}", count: 6)
        let expected = "a\u{301}\u{301}\u{301}\u{301}\\u{301}\\u{301}"
        #expect(Array(TerminalText.escaped(text).unicodeScalars) == Array(expected.unicodeScalars))
    }
}
