// The value of --wifi: `ssid=…;password=…;auth=wpa2` — Docs/CommandLine.md, Records

public import NDEF

extension WiFiCredential {
    private enum Key: String, CaseIterable {
        case ssid, password, auth, encryption, hidden
    }

    /// Parses `key=value` pairs separated by `;` (in a file also by line breaks), or the text of a QR code (`WIFI:…`).
    ///
    /// Keys are case-insensitive. In a value, `\` escapes `;`, `\` and quotes. A value in unescaped quotes is refused.
    /// `\` also escapes a `,` that is followed by a name and `=`, and the `=` of a key inside a value. Without the
    /// escape, a semicolon seems to be missing there, and a password could become part of the network's name. The
    /// default authentication is WPA2 if there is a password, and open otherwise. The default encryption follows from
    /// the authentication. `hidden` does not change the record, because Wi-Fi Simple Configuration has no attribute for
    /// it.
    /// - Throws: `ContentError`, which contains only keys of the argument, never values.
    public init(argument: String, isOfFile: Bool = false) throws(ContentError) {
        if Self.isCode(argument) {
            try self.init(code: String(argument.reversed().drop(while: \.isNewline).reversed()))
            return
        }
        let values = try Self.values(argument, separators: isOfFile ? [";", "\n", "\r"] : [";"])
        try self.init(
            ssid: values[.ssid], password: values[.password], auth: values[.auth], encryption: values[.encryption])
    }

    /// Creates a credential from the values of an argument, after checking them.
    init(ssid: String?, password: String?, auth: String?, encryption: String?) throws(ContentError) {
        guard let ssid, (1...32).contains(ssid.utf8.count) else {
            throw ContentError("The network needs an ssid of 1 to 32 bytes.")
        }
        let authentication = try Self.authentication(auth, password: password)
        let encryption = try Self.encryption(encryption, for: authentication)
        self.init(
            ssid: Array(ssid.utf8), networkKey: password.map { Array($0.utf8) }, authentication: authentication,
            encryption: encryption)
    }

    private static func values(
        _ argument: String, separators: Set<Unicode.Scalar>
    ) throws(ContentError) -> [Key: String] {
        var values: [Key: String] = [:]
        for (index, (name, value)) in try pairs(argument, separators).enumerated() {
            guard let key = Key(rawValue: name.lowercased()) else {
                let keys = Key.allCases.map { $0.rawValue + "=" }.joined(separator: ", ")
                // The part may be a password, or the rest of one, so the error does not show it.
                throw ContentError(
                    "Part \(index + 1) does not begin with one of \(keys). "
                        + (values[.password] != nil
                            ? "For a semicolon in a value, write \\;" : "Example: ssid=Guests;password=secret 42"))
            }
            guard values.updateValue(value ?? "true", forKey: key) == nil else {
                throw ContentError("\(key.rawValue) is given twice.")
            }
            guard value != nil || key == .hidden else { throw ContentError("\(key.rawValue) has no value.") }
        }
        guard ["true", "false"].contains(values[.hidden] ?? "true") else {
            throw ContentError("hidden takes true or false.")
        }
        return values
    }

    private static func pairs(
        _ argument: String, _ separators: Set<Unicode.Scalar>
    ) throws(ContentError) -> [(String, String?)] {
        var fields: [String.UnicodeScalarView] = [.init()]
        var isEscaped = false
        /// The indices of the parts with an escaped quotation mark, which is part of their value.
        var quoted: Set<Int> = []
        var rest = argument.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if isEscaped, ![";", ",", "=", "\\", "\"", "'"].contains(scalar) { break }
            if isEscaped, scalar == "\"" || scalar == "'" { quoted.insert(fields.count - 1) }
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, separators.contains(scalar) {
                fields.append(.init())
            } else {
                if !isEscaped {
                    try requireNoPart(after: scalar, rest)
                } else if scalar == ";" {
                    try requireNoPart(after: rest, inNameOf: fields[fields.count - 1])
                }
                fields[fields.count - 1].append(scalar)
            }
            isEscaped = false
        }
        guard !isEscaped else {
            throw ContentError("A \\ is allowed only before ; , = a quote or \\. For a backslash, write \\\\")
        }
        for (index, field) in fields.enumerated() where !quoted.contains(index) { try requireNoQuotes(around: field) }
        return fields.filter { !$0.isEmpty }.map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
        }
    }

    /// Requires that a part's value is not in quotes.
    ///
    /// The quotes would become part of a name or a password.
    private static func requireNoQuotes(around field: String.UnicodeScalarView) throws(ContentError) {
        let value = field.drop { $0 != "=" }.dropFirst()
        guard value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
            return
        }
        let key = Key(rawValue: String(field.prefix { $0 != "=" }).lowercased())
        throw ContentError(
            "The value of \(key?.rawValue ?? "a part") is in quotes, which would become part of it. "
                + "Leave them out, or write \\\(quote) for a quote that belongs to it.")
    }

    /// Requires that no part seems to begin after a character other than a semicolon.
    ///
    /// - Throws: `ContentError`, which names only known keys, because anything else may be part of a password.
    private static func requireNoPart(
        after sign: Unicode.Scalar, _ rest: Substring.UnicodeScalarView
    ) throws(ContentError) {
        guard likelySigns.contains(sign) || sign.properties.isWhitespace else { return }
        let text = rest.drop { $0.properties.isWhitespace }
        let name = text.prefix { $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) }
        guard name.first?.properties.isAlphabetic == true, text.dropFirst(name.count).first == "=" else { return }
        let word = String(name).lowercased()
        let isKey = Key(rawValue: word) != nil
        if sign == "," {
            throw ContentError(
                "There is a comma before \(isKey ? "\(word)=" : "a name and =")."
                    + " Use a semicolon there, or write \\, for a comma in a value.")
        }
        guard isKey || otherNames.contains(word) else { return }
        throw ContentError(
            "There is no semicolon before \(isKey ? "\(word)=" : "a name and =")."
                + " Use one there, or write \\= for an equals sign in a value.")
    }

    /// Requires that no part seems to begin after an escaped semicolon in a network's name.
    ///
    /// Otherwise, a password could become part of the name.
    ///
    /// In a password, which may contain any characters, such a semicolon is accepted.
    private static func requireNoPart(
        after rest: Substring.UnicodeScalarView, inNameOf field: String.UnicodeScalarView
    ) throws(ContentError) {
        guard String(field.prefix { $0 != "=" }).lowercased() == Key.ssid.rawValue else { return }
        let text = rest.drop { $0.properties.isWhitespace }
        let name = String(text.prefix { $0 != "=" && $0 != ";" && $0 != "\\" }).lowercased()
        guard text.dropFirst(name.unicodeScalars.count).first == "=",
            Key(rawValue: name) != nil || otherNames.contains(name)
        else { return }
        throw ContentError(
            "The ssid has \(Key(rawValue: name) == nil ? "a name and =" : "\(name)=") after \\; in it, so the text after it would become part of the ssid."
                + " Write ; without \\ to begin a part, or \\= for an equals sign in the ssid.")
    }

    /// Characters, apart from spaces, that users write between parts instead of a semicolon.
    private static let likelySigns: Set<Unicode.Scalar> = [",", "&", "|", ":", "/"]
    /// Words that people use for the password.
    private static let otherNames: Set<String> = ["pass", "passwd", "passphrase", "pwd", "psk", "key"]

    private static func authentication(_ name: String?, password: String?) throws(ContentError) -> AuthenticationType {
        let types: [String: AuthenticationType] = [
            "open": .open, "wpa": .wpaPersonal, "wpa2": .wpa2Personal, "wpa-wpa2": [.wpaPersonal, .wpa2Personal],
        ]
        guard let type = types[name ?? (password == nil ? "open" : "wpa2")] else {
            throw ContentError("auth is not open, wpa, wpa2 or wpa-wpa2.")
        }
        guard (type == .open) == (password == nil) else {
            throw ContentError(type == .open ? "An open network has no password." : "This auth needs a password.")
        }
        if let password, !isNetworkKey(password) {
            throw ContentError(
                """
                A WPA password has 8 to 63 characters, or is a key of 64 hexadecimal digits; \
                this one has \(password.utf8.count) bytes.
                """)
        }
        return type
    }

    /// Whether the text is a passphrase of 8 to 63 characters, or a PSK of 64 hexadecimal digits.
    ///
    /// IEEE 802.11, annex J.4.1 (from memory).
    private static func isNetworkKey(_ password: String) -> Bool {
        let bytes = password.utf8
        return (8...63).contains(bytes.count)
            || bytes.count == 64 && bytes.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private static func encryption(
        _ name: String?, for authentication: AuthenticationType
    ) throws(ContentError) -> EncryptionType {
        let types: [String: EncryptionType] = ["none": .none, "tkip": .tkip, "aes": .aes]
        guard let name else {
            switch authentication {
            case .open: return .none
            case .wpaPersonal: return .tkip
            case .wpa2Personal: return .aes
            default: return [.tkip, .aes]
            }
        }
        guard let type = types[name] else { throw ContentError("encryption is not none, tkip or aes.") }
        guard (type == .none) == (authentication == .open) else {
            throw ContentError("Only an open network has encryption none.")
        }
        return type
    }
}
