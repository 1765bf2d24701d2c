// The scheme of a URI — RFC 3986, sections 2 and 3.1

import Foundation

/// The part of a URI before its first colon.
struct URIScheme: Hashable, Sendable {
    let name: String
    /// The text after the colon, or after the two slashes if they follow the colon.
    let rest: Substring

    /// Finds the scheme of a URI, or returns nil if the text does not begin with one.
    init?(of uri: String) {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let name = uri[..<colon]
        guard let first = name.utf8.first, first.isLetter, name.utf8.allSatisfy(\.isSchemeByte) else { return nil }
        // `example.com:8080` is a host and a port.
        let rest = uri[colon...].dropFirst()
        if rest.utf8.first?.isDigit == true, name.contains(".") { return nil }
        self.name = name.lowercased()
        self.rest = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
    }

    /// Whether the URI is a web address.
    var isWeb: Bool { name == "http" || name == "https" }

    /// The user, host and port in ``rest`` — RFC 3986, section 3.2.
    ///
    /// In a URI, each delimiter is one byte, and a combining character after it is not part of it.
    private var authority: Substring {
        let delimiters = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        return rest[..<(rest.utf8.firstIndex(where: delimiters.contains) ?? rest.endIndex)]
    }

    /// The user name before the host, and a password if there is one, or nil if there is no user name.
    var user: Substring? {
        let authority = authority
        return authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[..<$0] }
    }

    /// The URI of a web page without user name and password.
    var withoutUser: String { "\(name)://" + (user.map { String(rest.dropFirst($0.count + 1)) } ?? String(rest)) }

    /// The host with its port.
    private var place: Substring {
        let authority = authority
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        return at.map { authority[authority.utf8.index(after: $0)...] } ?? authority
    }

    /// The host, without user name and port.
    ///
    /// An IPv6 address is in brackets.
    var host: Substring {
        let place = place
        let bytes = place.utf8
        let end =
            bytes.first == UInt8(ascii: "[")
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { bytes.index(after: $0) }
            : bytes.firstIndex(of: UInt8(ascii: ":"))
        return place[..<(end ?? place.endIndex)]
    }

    /// The text after the colon behind the host, or nil if there is no colon.
    var port: Substring? {
        let rest = place[host.endIndex...]
        return rest.utf8.first == UInt8(ascii: ":") ? rest[rest.utf8.index(after: rest.startIndex)...] : nil
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

    /// The names of the characters that a display does not show or that change the direction of the text, such as
    /// `U+202E`, each once and in their order.
    ///
    /// The joiners U+200C and U+200D are left out: words of some languages and some emoji need them.
    static func invisibleCharacters(in uri: String) -> [String] {
        var names: [String] = []
        for scalar in uri.unicodeScalars where isInvisible(scalar) {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        // Without this line, looking up properties takes a fifth of the time in which a plan is checked.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl || Self.invisible.contains(scalar.value)
        }
    }

    /// The soft hyphen, the zero-width space, the word joiner and the byte order mark.
    private static let invisible: Set<UInt32> = [0xAD, 0x200B, 0x2060, 0xFEFF]

    /// Returns the URI with its host name in ASCII, or nil if the host name has no such form — RFC 5891 (Punycode).
    static func withASCIIHost(_ uri: String) -> String? {
        guard let text = URL(string: uri)?.absoluteString, let host = URIScheme(of: text)?.host,
            host.hasPrefix("xn--") || host.contains(".xn--")
        else { return nil }
        return text
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
    fileprivate var isSchemeByte: Bool { isLetter || isDigit || "+-.".utf8.contains(self) }
    /// Whether the byte is a decimal digit in ASCII.
    var isDigit: Bool { (0x30...0x39).contains(self) }
}
