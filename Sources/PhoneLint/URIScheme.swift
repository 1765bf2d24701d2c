// The scheme of a URI — RFC 3986, sections 2 and 3.1

/// The part of a URI before its first colon.
struct URIScheme: Hashable, Sendable {
    let name: String
    /// The text after the colon and, if they follow it, the two slashes.
    let rest: Substring

    /// Finds the scheme of a URI, or returns nil if the text does not begin with one.
    init?(of uri: String) {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let name = uri[..<colon]
        guard let first = name.utf8.first, first.isLetter, name.utf8.allSatisfy(\.isSchemeByte) else { return nil }
        // `example.com:8080` is a host and a port.
        let rest = uri[colon...].dropFirst()
        if let digit = rest.utf8.first, (0x30...0x39).contains(digit), name.contains(".") { return nil }
        self.name = name.lowercased()
        self.rest = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
    }

    /// The host in ``rest``, without user name and port — RFC 3986, section 3.2.
    var host: Substring {
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        // The colons of an IPv6 address are between brackets.
        return host.hasPrefix("[") ? host : host.prefix { $0 != ":" }
    }

    /// The schemes that phones open and users often misspell.
    private static let common = ["https", "http", "mailto", "tel", "sms", "geo"]
    /// Other schemes that only look like misspellings: MMS, file shares, and secure HTTP (RFC 2660).
    private static let namesakes: Set<String> = ["mms", "smb", "shttp"]

    /// The common scheme that differs from this one by one additional, missing or wrong letter, or by two transposed
    /// letters.
    ///
    /// Nil if there is none.
    var meantScheme: String? {
        guard !Self.common.contains(name), !Self.namesakes.contains(name) else { return nil }
        return Self.common.first { Self.isOneSlip(from: Array(name.utf8), to: Array($0.utf8)) }
    }

    private static func isOneSlip(from one: [UInt8], to other: [UInt8]) -> Bool {
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let (left, wanted) = (Array(one.dropFirst(start).dropLast(end)), Array(other.dropFirst(start).dropLast(end)))
        return max(left.count, wanted.count) <= 1 || left.count == 2 && left == wanted.reversed()
    }

    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    /// Whether all bytes are allowed in a URI: unreserved characters, reserved characters, and the `%` of a
    /// percent-encoded byte.
    static func isValid(_ uri: String) -> Bool {
        uri.utf8.allSatisfy(isAllowed)
    }

    /// Returns the URI with its invalid bytes percent-encoded — RFC 3986, section 2.1.
    static func percentEncoded(_ uri: String) -> String {
        uri.utf8.map { byte in
            guard !isAllowed(byte) else { return String(UnicodeScalar(byte)) }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !forbidden.contains(byte)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    fileprivate var isSchemeByte: Bool { isLetter || (0x30...0x39).contains(self) || "+-.".utf8.contains(self) }
}
