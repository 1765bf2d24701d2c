// Makes foreign text safe to print — Unicode: General_Category, Default_Ignorable_Code_Point; ECMA-48 controls

package enum TerminalText {
    /// The maximum number of marks on one character.
    ///
    /// More marks would overlap the lines above.
    private static let maxMarks = 4
    private static let zeroWidthJoiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
    private static let presentationSelectors: Set<Unicode.Scalar> = ["\u{FE0E}", "\u{FE0F}"]

    /// Returns the text on one line, with control, direction, separator and invisible characters escaped: `\n`,
    /// `\u{1B}`.
    ///
    /// Joiners are kept if scripts and emoji need them. A mark without a base character is escaped.
    package static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for character in text { append(character, to: &result) }
        return result
    }

    private static func append(_ character: Character, to result: inout String) {
        let scalars = Array(character.unicodeScalars)
        var marks = 0
        for (index, scalar) in scalars.enumerated() {
            if scalar.isMark { marks += 1 }
            let isStray = scalar.isMark && (index == 0 || marks > maxMarks)
            if isStray || isHidden(scalar, at: index, in: scalars) {
                result += escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar, at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        if index > 0, let base = scalars.first?.properties {
            if presentationSelectors.contains(scalar) { return !base.isEmoji }
            // Persian and Indic words, and emoji families, need these joiners.
            if zeroWidthJoiners.contains(scalar), scalars[index - 1] != scalar, scalars.first?.isASCII == false {
                return !(base.isEmoji || base.isAlphabetic)
            }
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }
}

extension Unicode.Scalar {
    /// Whether this scalar occupies no column and combines with the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}
