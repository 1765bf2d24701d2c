// Connection strings for libnfc, with the option that nfctool adds — Docs/Readers.md, A faster serial line

/// A connection string: `pn532_uart:PORT[:SPEED][?speed=SPEED]`, or one for another driver.
public struct ReaderConnection: Hashable, Sendable {
    /// The connection string for libnfc, without the option.
    public let plain: String
    /// The speed of the serial line while the reader is open; nil if the line keeps its usual speed.
    public let raisedSpeed: SerialSpeed?

    private static let serialDriver = "pn532_uart"
    private static let option = "speed"

    /// Parses a connection string.
    ///
    /// Only connection strings that begin with `pn532_uart` can contain an option. All other strings are accepted
    /// unchanged.
    ///
    /// - Throws: ``ReaderConnectionError`` for an unknown option or speed.
    public init(parsing text: String) throws(ReaderConnectionError) {
        plain = Self.plain(text)
        guard plain.count < text.count else {
            raisedSpeed = nil
            return
        }
        let words = text.dropFirst(plain.count + 1).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard words.first == Self.option else { throw .notAnOption(words.first ?? "", known: Self.option) }
        let value = words.count == 2 ? words[1] : ""
        guard let speed = SerialSpeed.raised.first(where: { "\($0.rawValue)" == value }) else {
            throw .notASpeed(value, known: SerialSpeed.raised.map(\.rawValue))
        }
        raisedSpeed = speed
    }

    /// Returns the connection string for libnfc, without the option, which need not be valid.
    public static func plain(_ text: String) -> String {
        text.hasPrefix(serialDriver + ":") ? String(text.prefix { $0 != "?" }) : text
    }

    /// The speed of a PN532's serial line while no program uses the reader.
    ///
    /// It is nil for other drivers, and for a speed that libnfc does not support.
    public var usualSpeed: SerialSpeed? {
        let parts = plain.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.first.map(String.init) == Self.serialDriver else { return nil }
        guard parts.count > 2 else { return .afterPowerUp }
        let speed = Int(parts[2]).flatMap(SerialSpeed.init(rawValue:))
        return speed == .baud921600 ? nil : speed
    }
}

/// The reason why a connection string is not valid.
public enum ReaderConnectionError: Error, Hashable, Sendable {
    /// The option after `?` is unknown.
    ///
    /// The values are this option and the known option.
    case notAnOption(String, known: String)
    /// The line cannot be raised to the speed.
    ///
    /// The values are this speed and the possible speeds in bit/s.
    case notASpeed(String, known: [Int])
}

extension ReaderConnectionError: CustomStringConvertible {
    /// Sentences that describe the error and what to use instead.
    public var description: String {
        switch self {
        case .notAnOption(let word, let known):
            return "Unknown option \"\(word)\" for a PN532 on a serial port. Known option: \(known)."
        case .notASpeed(let value, let known):
            let others = known.dropLast().map { "\($0)" }.joined(separator: ", ")
            return "\"\(value)\" is not a value for speed. Use \(others) or \(known.last.map { "\($0)" } ?? "none")."
        }
    }
}
