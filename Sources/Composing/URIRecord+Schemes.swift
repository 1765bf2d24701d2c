// URIs for calls, messages and places — RFC 3966 (tel), RFC 6068 (mailto), RFC 5724 (sms), RFC 5870 (geo)

import Hexadecimal
public import NDEF

extension URIRecord {
    /// Creates `tel:` with a global (`+…`) or local number.
    ///
    /// Spaces are removed, and `#` is percent-encoded.
    public init(tel number: String) throws(ContentError) {
        self.init(uri: "tel:" + (try Self.telephoneSubscriber(number)))
    }

    /// Creates `mailto:` with an address and optional parts: `info@example.com;subject=Hello;body=Dear all`.
    public init(mail text: String) throws(ContentError) {
        let names = ["subject", "body", "cc", "bcc"]
        try FieldList.requireSemicolons(in: text, before: names)
        let parts = EscapedParts(text).texts
        let list = try FieldList(Array(parts.dropFirst()), names: names, repeatable: ["cc", "bcc"])
        try self.init(address: parts[0])
        let fields = list.fields.map { "\($0.name)=" + Self.percentEncoded($0.value, keeping: "@") }
        if !fields.isEmpty { uri += "?" + fields.joined(separator: "&") }
    }

    private init(address: String) throws(ContentError) {
        guard let at = address.lastIndex(of: "@") else { throw ContentError("The address has no @.") }
        let (local, domain) = (address[..<at], address[at...].dropFirst())
        guard !local.isEmpty, !domain.isEmpty else { throw ContentError("The address is not of the form name@domain.") }
        guard !domain.contains(where: { "?&/#\\;,=\"<> ".contains($0) }) else {
            throw ContentError(
                "The address has no valid domain. To add a subject or a body, write --mail 'name@domain;subject=…;body=…'."
            )
        }
        self.init(
            uri: "mailto:\(Self.percentEncoded(local, keeping: "!$'*+"))@\(Self.percentEncoded(domain, keeping: ""))")
    }

    /// Creates `sms:` with a number, and with the body unless it is empty.
    public init(sms number: String, body: String) throws(ContentError) {
        let query = body.isEmpty ? "" : "?body=" + Self.percentEncoded(body, keeping: "")
        self.init(uri: "sms:" + (try Self.telephoneSubscriber(number)) + query)
    }

    /// Creates `geo:` with latitude and longitude in degrees (WGS-84), with the given digits.
    public init(latitude: String, longitude: String) throws(ContentError) {
        try Self.checkCoordinate(latitude, "latitude", limit: 90)
        try Self.checkCoordinate(longitude, "longitude", limit: 180)
        self.init(uri: "geo:\(latitude),\(longitude)")
    }

    private static func telephoneSubscriber(_ number: String) throws(ContentError) -> String {
        let subscriber = number.filter { $0 != " " }
        let digits = subscriber.hasPrefix("+") ? subscriber.dropFirst() : subscriber[...]
        guard digits.contains(where: { ("0"..."9").contains($0) }) else {
            throw ContentError("The number has no digit.")
        }
        guard digits.allSatisfy({ "0123456789*#-.()".contains($0) }) else {
            throw ContentError("The number may hold digits, *, #, spaces, -, ., ( and ), and begin with +.")
        }
        return percentEncoded(subscriber, keeping: "+*()")
    }

    // RFC 5870: coord = [ "-" ] 1*DIGIT [ "." 1*DIGIT ]
    private static func checkCoordinate(_ text: String, _ name: String, limit: Double) throws(ContentError) {
        guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil, let degrees = Double(text) else {
            throw ContentError("The \(name) is not a decimal number such as -33.8568.")
        }
        guard abs(degrees) <= limit else {
            throw ContentError("The \(name) is not between -\(Int(limit)) and \(Int(limit)) degrees.")
        }
    }

    /// Percent-encodes every UTF-8 byte that is neither unreserved nor in `keeping` — RFC 3986, section 2.1.
    private static func percentEncoded(_ text: some StringProtocol, keeping: String) -> String {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(keeping)".utf8)
        return text.utf8.reduce(into: "") { encoded, byte in
            encoded += kept.contains(byte) ? String(UnicodeScalar(byte)) : "%" + byte.hex
        }
    }
}
