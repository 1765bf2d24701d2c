// The value of --wifi: `ssid=…;password=…;auth=wpa2` — CLI.md, Records

public import NDEF

extension WiFiCredential {
    private enum Key: String, CaseIterable {
        case ssid, password, auth, encryption, hidden
    }

    /// Reads `key=value` pairs with `;` between them; `\` stands before a `;` or `\` that belongs to a value.
    ///
    /// The authentication is WPA2 with a password, else open; the encryption follows from it. A hidden network makes the same
    /// record: Wi-Fi Simple Configuration has no attribute for it.
    public init(argument: String) throws(ContentError) {
        let values = try Self.values(argument)
        guard let ssid = values[.ssid], (1...32).contains(ssid.utf8.count) else {
            throw ContentError("The network needs an ssid of 1 to 32 bytes.")
        }
        let password = values[.password]
        let authentication = try Self.authentication(values[.auth], password: password)
        let encryption = try Self.encryption(values[.encryption], for: authentication)
        self.init(
            ssid: Array(ssid.utf8), networkKey: password.map { Array($0.utf8) }, authentication: authentication,
            encryption: encryption)
    }

    private static func values(_ argument: String) throws(ContentError) -> [Key: String] {
        var values: [Key: String] = [:]
        for (name, value) in try pairs(argument) {
            guard let key = Key(rawValue: name) else {
                let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
                throw ContentError("\(name) is not one of \(keys).")
            }
            guard values.updateValue(value ?? "true", forKey: key) == nil else {
                throw ContentError("\(name) is given twice.")
            }
            guard value != nil || key == .hidden else { throw ContentError("\(name) has no value.") }
        }
        guard ["true", "false"].contains(values[.hidden] ?? "true") else {
            throw ContentError("hidden is not true or false.")
        }
        return values
    }

    private static func pairs(_ argument: String) throws(ContentError) -> [(String, String?)] {
        var fields: [String.UnicodeScalarView] = [.init()]
        var isEscaped = false
        for scalar in argument.unicodeScalars {
            if isEscaped, scalar != ";", scalar != "\\" { break }
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, scalar == ";" {
                fields.append(.init())
            } else {
                fields[fields.count - 1].append(scalar)
            }
            isEscaped = false
        }
        guard !isEscaped else { throw ContentError("A \\ stands before ; or \\ only: write \\\\ for one.") }
        return fields.filter { !$0.isEmpty }.map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
        }
    }

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
        guard (password?.utf8.count ?? 0) <= longestNetworkKey else {
            throw ContentError("The password is longer than \(longestNetworkKey) bytes.")
        }
        return type
    }

    /// The Network Key attribute holds at most so many bytes — Wi-Fi Simple Configuration.
    private static let longestNetworkKey = 64

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
