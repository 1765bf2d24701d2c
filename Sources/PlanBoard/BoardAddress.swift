// The address on which a board listens — RFC 3986, 3.2.2 (IP literals), RFC 6761, 6.3 (localhost)

import Glibc

/// An address of this machine, with a port.
public struct BoardAddress: Hashable, Sendable {
    /// An IP address, without brackets.
    public let host: String
    /// The port, or 0 to let the system choose one.
    public let port: UInt16

    /// Parses `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`.
    ///
    /// `0.0.0.0` and `[::]` mean all addresses of this machine.
    ///
    /// - Throws: `badAddress` if the text has another form.
    public init(_ text: String) throws(BoardError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .badAddress(text)
        }
        let name = String(text[..<colon])
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        let host = isBracketed ? String(name.dropFirst().dropLast()) : name
        guard isBracketed ? Self.isIPv6(host) : Self.isIPv4(host) || host.lowercased() == "localhost" else {
            throw .badAddress(text)
        }
        self.host = isBracketed || Self.isIPv4(host) ? host : "127.0.0.1"
        self.port = port
    }

    /// Whether only programs on this machine can connect.
    public var isLoopback: Bool {
        Self.isIPv4(host) ? host.hasPrefix("127.") : Self.bytes(ofIPv6: host) == Array(repeating: 0, count: 15) + [1]
    }

    /// Whether the host stands for all addresses of this machine.
    var isEvery: Bool { host == "0.0.0.0" || Self.bytes(ofIPv6: host) == Array(repeating: 0, count: 16) }

    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isIPv6(_ text: String) -> Bool { bytes(ofIPv6: text) != nil }

    private static func bytes(ofIPv6 text: String) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: address) { Array($0) }
    }

    static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
