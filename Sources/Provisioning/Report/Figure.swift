// Numbers in the form in which a report shows them

import Foundation

/// Formats numbers as text, in the same way in every locale.
enum Figure {
    /// Formats an integer, such as `842` or `12 345`.
    ///
    /// If it has five digits or more, narrow no-break spaces separate groups of three.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        guard digits.count > 4 else { return digits }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "\u{202F}" }
            text.append(digit)
        }
        return text
    }

    /// Formats seconds for programs, such as `0.842`, or returns nil for an invalid duration.
    static func thousandths(_ seconds: Double) -> String? {
        guard seconds >= 0, let number = Int(exactly: (seconds * 1000).rounded()) else { return nil }
        let (whole, rest) = number.quotientAndRemainder(dividingBy: 1000)
        return "\(whole).\(String(1000 + rest).dropFirst())"
    }

    static func decimal(_ number: Double, places: Int) -> String { String(format: "%.\(places)f", number) }

    /// Formats a number with about three digits, for readers of a report: `0.84`, `14.2`, `142`.
    static func short(_ number: Double) -> String {
        decimal(number, places: number < 9.995 ? 2 : number < 99.95 ? 1 : 0)
    }

    /// Formats a share such as `98.6 %`.
    ///
    /// The share is rounded down, so that only the whole is 100 %. If the whole is 0, the result is a dash.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let perMille = (Double(part) / Double(whole) * 1000).rounded(.down)
        return part == whole ? "100\u{202F}%" : "\(decimal(min(perMille, 999) / 10, places: 1))\u{202F}%"
    }
}
