// Record fields that are usually text — Docs/JSON.md, Rules

import Hexadecimal
package import NDEF

/// Converts bytes that may be text to the form for JSON and for people, and back.
package enum RecordField {
    private static let hexPrefix = "hex:"

    /// Formats a TYPE or ID as text.
    ///
    /// The result is `hex:…` if it is not printable ASCII, or itself begins with `hex:`.
    package static func text(_ bytes: [UInt8]) -> String {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return hexPrefix + bytes.hex }
        return unambiguous(String(decoding: bytes, as: UTF8.self), bytes)
    }

    /// Formats an SSID or key as text.
    ///
    /// The result is `hex:…` if it is not valid UTF-8.
    package static func utf8(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return hexPrefix + bytes.hex }
        return unambiguous(text, bytes)
    }

    /// Returns the bytes of a TYPE or ID in JSON.
    ///
    /// Nil if `hex:` is not followed by hexadecimal text.
    static func bytes(_ text: String) -> [UInt8]? {
        guard text.hasPrefix(hexPrefix) else { return Array(text.utf8) }
        return try? HexText.bytes(text.utf8.dropFirst(hexPrefix.utf8.count))
    }

    private static func unambiguous(_ text: String, _ bytes: [UInt8]) -> String {
        text.hasPrefix(hexPrefix) ? hexPrefix + bytes.hex : text
    }
}

extension WiFiCredential.AuthenticationType {
    /// The names of the set bits, joined with hyphens, for example `wpa-wpa2`.
    ///
    /// Nil if no bit is set. Where `--wifi` accepts a name for a bit, that name is used. Unnamed bits are shown in
    /// hexadecimal.
    package var name: String? {
        flagNames(
            rawValue,
            [
                (.open, "open"), (.shared, "shared"), (.wpaPersonal, "wpa"), (.wpa2Personal, "wpa2"),
                (.wpaEnterprise, "wpa-enterprise"), (.wpa2Enterprise, "wpa2-enterprise"),
            ] as [(Self, String)])
    }
}

extension WiFiCredential.EncryptionType {
    /// The names of the set bits, joined with hyphens, for example `tkip-aes`.
    ///
    /// Nil if no bit is set. Where `--wifi` accepts a name for a bit, that name is used. Unnamed bits are shown in
    /// hexadecimal.
    package var name: String? {
        flagNames(rawValue, [(.none, "none"), (.wep, "wep"), (.tkip, "tkip"), (.aes, "aes")] as [(Self, String)])
    }
}

private func flagNames<Flags: OptionSet>(_ rawValue: UInt16, _ known: [(Flags, String)]) -> String?
where Flags.RawValue == UInt16 {
    var names: [String] = []
    var rest = rawValue
    for (flag, name) in known where rawValue & flag.rawValue != 0 {
        names.append(name)
        rest &= ~flag.rawValue
    }
    if rest != 0 { names.append("0x" + String(rest, radix: 16, uppercase: true)) }
    return names.isEmpty ? nil : names.joined(separator: "-")
}
