// Reasons why a board cannot be shown

/// The reason why a board cannot be shown.
public enum BoardError: Error, CustomStringConvertible, Hashable, Sendable {
    /// The text is neither an IP address nor `localhost`, followed by a port.
    case badAddress(String)
    /// Other machines could connect, and nothing prevents them from seeing the board.
    case tokenNeeded(BoardAddress)
    /// Other machines reach the board by this name, for example through a proxy, and nothing prevents them from seeing
    /// it.
    case tokenNeededForName(String)
    /// The text is not a host name.
    case badName(String)
    /// The token is too short to be safe, or a browser cannot send it.
    case badToken
    /// Another program already listens on this address.
    case addressTaken(BoardAddress)
    /// The user has no permission to listen on this port, which is below 1024.
    case notAllowed(BoardAddress)
    /// The system cannot listen on this address.
    case unusable(BoardAddress, reason: String)

    /// A description in one or two sentences.
    public var description: String {
        switch self {
        case .badAddress(let text): "\(text) is not an address to listen on."
        case .tokenNeeded(let address):
            "\(address.host) can be reached from other machines: anyone there could see the board without a token."
        case .tokenNeededForName(let name):
            "Other machines reach the board as \(name), and anyone there could see it without a token."
        case .badName(let text): "\(text) is not a host name. A host name has no port and no slash."
        case .badToken:
            "A token has \(BoardToken.lengths.lowerBound) to \(BoardToken.lengths.upperBound) letters, digits, or - . _ ~"
        case .addressTaken(let address): "Another program already listens on port \(address.port)."
        case .notAllowed(let address): "No permission to listen on port \(address.port)."
        case .unusable(let address, let reason): "Cannot listen on \(address.host), port \(address.port): \(reason)."
        }
    }
}
