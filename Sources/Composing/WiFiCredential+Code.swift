// The text of a Wi-Fi QR code: `WIFI:T:WPA;S:Guests;P:secret;;` — ZXing, Barcode Contents, Wi-Fi Network config

package import NDEF

extension WiFiCredential {
    private static let scheme = "WIFI:"

    /// Whether a value is the text of a QR code.
    package static func isCode(_ text: String) -> Bool { text.prefix(scheme.count).uppercased() == scheme }

    /// Parses the text of a QR code: T (type), S (SSID), P (password), H (hidden, which does not change the record).
    ///
    /// - Throws: `ContentError`, which never contains a value. WEP, WPA3-only and 802.1X networks are refused, because
    ///   a record cannot hold them.
    init(code: String) throws(ContentError) {
        var fields: [String: String] = [:]
        let parts = EscapedParts(code.dropFirst(Self.scheme.count), escapable: nil)
        guard !parts.endsInEscape else { throw ContentError("The code ends with a backslash.") }
        for part in parts.all where !part.text.isEmpty {
            let pieces = part.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2 else {
                throw ContentError("A part of the code has no colon. For a ; in a value, write \\;")
            }
            let name = pieces[0].uppercased()
            guard ["T", "S", "P", "H", "R", "I", "K", "E", "A", "PH2"].contains(name) else {
                throw ContentError("A part of the code is not T, S, P or H. For a ; in a value, write \\;")
            }
            guard fields.updateValue(Self.value(pieces[1], of: part), forKey: name) == nil else {
                throw ContentError("\(name) is in the code twice.")
            }
        }
        let (network, password) = (fields["S"], fields["P"])
        let type = (fields["T"] ?? "").uppercased()
        let auth: String
        switch type {
        case "WPA", "WPA2", "WPA/WPA2", "": auth = password ?? "" == "" ? "open" : "wpa2"
        case "NOPASS": auth = "open"
        case "SAE", "WPA3":
            throw ContentError("A Wi-Fi record cannot store WPA3. Phones can join this network only by its QR code.")
        case "WEP": throw ContentError("WEP is not supported: phones do not join such networks.")
        default: throw ContentError("The network type (T) must be WPA or nopass.")
        }
        guard type == "" || type == "NOPASS" || auth != "open" else {
            throw ContentError("This type needs a password (P).")
        }
        try self.init(ssid: network, password: auth == "open" ? nil : password, auth: auth, encryption: nil)
    }

    /// Returns the value without the quotation marks that QR codes use for text that could be read as hexadecimal.
    private static func value(_ text: Substring, of part: EscapedParts.Part) -> String {
        let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"") && !part.hasEscapedQuote
        return String(isQuoted ? text.dropFirst().dropLast() : text)
    }
}
