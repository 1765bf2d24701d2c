// The keys of one tag, or the master keys for all tags, and the format of a file with such keys

/// The keys in a key file, and how the keys of each tag are derived from them.
public struct SDMKeyFile: Hashable, Sendable {
    /// The number of the key that is the same on all tags.
    ///
    /// It decrypts the UID, from which the other keys are derived.
    public static let sharedNumber = SDMKeys.metaReadNumber

    private let keys: SDMKeys
    /// How a tag's keys, except ``sharedNumber``, are derived, or nil if the keys are the same for all tags.
    public let diversification: KeyDiversification?

    /// The factory keys, all zeros.
    public static let factory = SDMKeyFile(.factory)

    /// Creates the content of a key file from keys and an optional derivation.
    public init(_ keys: SDMKeys, diversification: KeyDiversification? = nil) {
        (self.keys, self.diversification) = (keys, diversification)
    }

    /// The numbers of the keys in the file, in ascending order.
    public var named: [Int] { keys.named }

    /// The numbers of the keys that verify a URL and are the same as key 0 on each tag.
    ///
    /// The reason is given at ``SDMKeys/alsoChanging``.
    public var alsoChanging: [Int] {
        keys.alsoChanging.filter { diversification == nil || $0 != Self.sharedNumber }
    }

    /// Returns the keys of a tag.
    ///
    /// - Parameter uid: the UID of the tag, 7 bytes.
    /// - Returns: the keys in the file, derived if they are master keys. With master keys and a UID of another length,
    ///   the result contains only the shared key.
    public func keys(of uid: [UInt8]) -> SDMKeys {
        guard let diversification else { return keys }
        var derived: [Int: AES128Key] = [:]
        for number in keys.named {
            derived[number] =
                number == Self.sharedNumber ? keys[number] : diversification.key(of: uid, from: keys[number])
        }
        return SDMKeys(derived)
    }

    /// The bytes that distinguish these keys from others, for a digest.
    package var bytes: [UInt8] {
        keys.named.flatMap { [UInt8($0)] + keys[$0].bytes }
            + (diversification.map { $0.application + [0xFF] + $0.system } ?? [])
    }
}

extension SDMKeyFile {
    /// An error in a line of a key file.
    ///
    /// The error does not contain the line, because the line could be a key.
    public struct BadLine: Error, Hashable, Sendable {
        /// The reason for the error.
        public enum Reason: Hashable, Sendable, CustomStringConvertible {
            /// The line is neither a key nor any other line that a key file may contain.
            case notAKey
            /// A required key is missing.
            case missing(Int)
            /// The diversification is unknown, or its identifiers are too long.
            case badDiversification
            /// The key that all tags share is a master key, but a master key must not be stored on any tag.
            case masterIsShared

            /// The error as a clause, followed by a sentence with the expected content.
            public var description: String {
                switch self {
                case .notAKey:
                    "not a key. A key file contains 32 hexadecimal digits, or lines such as 0 = KEY, meta = KEY and file = KEY."
                case .missing(let number): "key \(number) is missing. Add a line: \(number) = KEY."
                case .badDiversification:
                    "invalid diversification. Use diversify = AN10922; system and aid together have at most 24 bytes."
                case .masterIsShared:
                    "key 2 is the same on all tags and must not be a master key. Add another one: meta = KEY."
                }
            }
        }

        /// The number of the line, counted from 1.
        ///
        /// If a required line is missing, the number is that of the last line plus one.
        public let number: Int
        /// The reason for the error.
        public let reason: Reason
    }

    private static let method = "AN10922"
    private static let hexPrefix = "hex:"

    /// Parses a key file.
    ///
    /// The file contains either 32 hexadecimal digits for all keys, or a line for each key, `0 = KEY` to `4 = KEY`.
    /// `meta` is another name for key 2, and `file` for key 1. With a line `diversify = AN10922`, these are master
    /// keys: key 2 is used without derivation and needs its own line, and the other keys are derived for each tag. The
    /// lines `system = TEXT` and `aid = HEX` set the system identifier (in hexadecimal after `hex:`) and the
    /// application identifier, if it is not that of the NTAG 424 DNA. Empty lines and lines that begin with `#` are
    /// ignored.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - needed: the numbers of the keys that the file must contain.
    /// - Throws: ``BadLine`` with the line's number and the reason. For a missing key, the number is that of the line
    ///   after the last one.
    public init(
        _ text: String, naming needed: [Int] = [SDMKeys.metaReadNumber, SDMKeys.fileReadNumber]
    ) throws(BadLine) {
        var keys: [Int: AES128Key] = [:]
        var common: AES128Key?
        var lastKey = 0
        var settings: [String: (value: String, line: Int)] = [:]
        // Editors on Windows put a byte order mark before the text.
        let content = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        let lines = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let bad = BadLine(number: index + 1, reason: .notAKey)
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
            guard let first = parts.first, !(first.isEmpty && parts.count == 1), !first.hasPrefix("#") else { continue }
            if parts.count == 2, ["diversify", "system", "aid"].contains(first) {
                guard settings.updateValue((parts[1], index + 1), forKey: first) == nil else { throw bad }
                continue
            }
            // Without an equals sign, white space separates the name and the key.
            let words = parts.count == 2 ? parts : first.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count <= 2, let digits = words.last, digits.utf8.count == 2 * AES128Key.length,
                let bytes = SDMAddress.bytes(Array(digits.utf8)[...]), let key = AES128Key(bytes)
            else { throw bad }
            lastKey = index + 1
            if words.count == 1 {
                guard common == nil else { throw bad }
                common = key
            } else {
                guard let number = Self.number(words[0]), keys.updateValue(key, forKey: number) == nil else {
                    throw bad
                }
            }
        }
        let end = lines.count + 1
        let diversification = try Self.diversification(settings)
        if let common {
            let others = SDMKeys.numbers.filter { diversification == nil || $0 != Self.sharedNumber }
            guard others.allSatisfy({ keys[$0] == nil }) else { throw BadLine(number: lastKey, reason: .notAKey) }
            for number in others { keys[number] = common }
        }
        let wanted = needed + (diversification != nil && common != nil ? [Self.sharedNumber] : [])
        if let missing = wanted.first(where: { keys[$0] == nil }) ?? (keys.isEmpty ? 0 : nil) {
            throw BadLine(number: end, reason: .missing(missing))
        }
        if diversification != nil, let shared = keys[Self.sharedNumber],
            keys.contains(where: { $0.key != Self.sharedNumber && $0.value == shared })
        {
            throw BadLine(number: end, reason: .masterIsShared)
        }
        self.init(SDMKeys(keys), diversification: diversification)
    }

    private static func diversification(
        _ settings: [String: (value: String, line: Int)]
    ) throws(BadLine) -> KeyDiversification? {
        guard let method = settings["diversify"] else {
            if let setting = settings.values.min(by: { $0.line < $1.line }) {
                throw BadLine(number: setting.line, reason: .badDiversification)
            }
            return nil
        }
        func bytes(_ name: String, asText isText: Bool) throws(BadLine) -> [UInt8]? {
            guard let (value, line) = settings[name] else { return nil }
            if isText, !value.isEmpty, !value.hasPrefix(hexPrefix) { return Array(value.utf8) }
            let digits = value.hasPrefix(hexPrefix) ? value.dropFirst(hexPrefix.count) : value[...]
            guard !digits.isEmpty, let bytes = SDMAddress.bytes(Array(digits.utf8)[...]) else {
                throw BadLine(number: line, reason: .badDiversification)
            }
            return bytes
        }
        let application = try bytes("aid", asText: false) ?? KeyDiversification.ntag424Application
        let system = try bytes("system", asText: true) ?? []
        guard method.value.uppercased() == Self.method,
            let diversification = KeyDiversification(application: application, system: system)
        else { throw BadLine(number: method.line, reason: .badDiversification) }
        return diversification
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func number(_ name: String) -> Int? {
        switch name {
        case "meta": SDMKeys.metaReadNumber
        case "file": SDMKeys.fileReadNumber
        default: Int(name).flatMap { name.utf8.count == 1 && SDMKeys.numbers.contains($0) ? $0 : nil }
        }
    }
}
