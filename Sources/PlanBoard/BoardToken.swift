// The token that grants access to a board — RFC 6750 (Bearer), RFC 6265 (cookies)

/// A secret that is sent in a URL, a header or a cookie.
public struct BoardToken: Sendable {
    /// The secret itself.
    public let text: String

    static let lengths = 16...256

    /// Creates a token from 256 random bits that the system provides.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Creates a token from the user's text, which must not contain a line break.
    ///
    /// - Throws: `badToken` if the text is too short to be safe, or if a browser cannot send it.
    public init(_ text: String) throws(BoardError) {
        let isSendable = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
            case UInt8(ascii: "~"): true
            default: false
            }
        }
        guard isSendable, Self.lengths.contains(text.utf8.count) else { throw .badToken }
        self.text = text
    }

    /// Whether a string is the token.
    ///
    /// The time for this does not depend on how much of the string matches.
    func matches(_ given: String) -> Bool {
        let (own, given) = (Array(text.utf8), Array(given.utf8.prefix(Self.lengths.upperBound + 1)))
        var difference = UInt(bitPattern: own.count ^ given.count)
        for index in own.indices { difference |= UInt(own[index] ^ (index < given.count ? given[index] : 0)) }
        return difference == 0
    }
}
