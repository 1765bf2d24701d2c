// Why there is no board

/// An error of a board.
public enum BoardError: Error, CustomStringConvertible, Hashable, Sendable {
    /// Not an IP address of this machine and a port.
    case badAddress(String)
    /// Others could connect, and nothing keeps them from seeing the board.
    case tokenNeeded(BoardAddress)
    /// A name is given by which other machines reach the board, as through a proxy, and nothing keeps them from seeing it.
    case tokenNeededForName(String)
    /// Not the name of a host.
    case badName(String)
    /// A token that is too short to be safe, or that a browser cannot send.
    case badToken
    /// Another program listens there.
    case addressTaken(BoardAddress)
    /// This user may not listen there: a port below 1024.
    case notAllowed(BoardAddress)
    /// The system will not listen there.
    case unusable(BoardAddress, reason: String)

    /// What happened, in a sentence or two.
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
        case .notAllowed(let address): "You may not listen on port \(address.port)."
        case .unusable(let address, let reason): "Cannot listen on \(address.host), port \(address.port): \(reason)."
        }
    }
}
