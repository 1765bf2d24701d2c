// The values of options after `virtual:` — numbers, times and probabilities

/// The value of one option, as text.
///
/// Errors name the option and the expected form.
struct OptionValue {
    let option: String
    let text: String

    func refused(_ expected: String) -> VirtualReaderError {
        .badValue(option: option, value: text, expected: expected)
    }

    func number(in range: ClosedRange<Int>) throws(VirtualReaderError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw refused("a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Parses a time: a whole number with the unit `ms` or `s`, at most one day.
    func duration() throws(VirtualReaderError) -> Duration {
        guard let duration = time else { throw refused("a time such as 500ms or 2s") }
        return duration
    }

    /// Parses a time with a unit, or a whole number of milliseconds without one.
    func milliseconds() throws(VirtualReaderError) -> Duration {
        if let duration = time ?? OptionValue(option: option, text: text + "ms").time { return duration }
        throw refused("milliseconds, or a time such as 80ms")
    }

    private var time: Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number <= 86_400_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return .milliseconds(number)
        case "s" where number <= 86_400: return .seconds(number)
        default: return nil
        }
    }

    func probability() throws(VirtualReaderError) -> Double {
        guard let number = Double(text), (0...1).contains(number) else {
            throw refused("a probability from 0 to 1, for example 1e-4")
        }
        return number
    }

    /// Parses a share in percent, from 0 to below 100, with or without `%`.
    func share() throws(VirtualReaderError) -> Double {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let number = Double(digits), number >= 0, number < 100 else {
            throw refused("a share below 100%, for example 5%")
        }
        return number / 100
    }

    func byte() throws(VirtualReaderError) -> UInt8 {
        guard text.count == 2, let byte = UInt8(text, radix: 16) else { throw refused("a byte in hexadecimal") }
        return byte
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ type: Choice.Type) throws(VirtualReaderError) -> Choice
    where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            throw refused(Choice.allCases.map(\.rawValue).joined(separator: " or "))
        }
        return choice
    }

    func nothing() throws(VirtualReaderError) {
        guard text.isEmpty else { throw refused("no value") }
    }
}
