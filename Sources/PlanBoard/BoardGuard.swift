// Decides which requests are answered — RFC 9110. Its check of the Host header prevents DNS rebinding by other sites

/// Decides how a request is answered, before its content is looked up.
struct BoardGuard: Sendable {
    /// The relevant parts of a request.
    struct Request: Sendable {
        var method = "GET"
        var path = "/"
        var host: String?
        /// The token in the URL, or nil if the URL has none.
        var token: String?
        var authorization: String?
        var cookie: String?
    }

    enum Verdict: Hashable, Sendable {
        case answered
        /// The token was in the URL. The browser stores it as a cookie and repeats the request without it.
        case welcomed(cookie: String)
        case methodNotAllowed
        /// The request names a host that is not this machine.
        case misdirected
        case unauthorized
    }

    let token: BoardToken?
    private let names: Set<String>
    private let isLoopback: Bool

    static let cookieName = "nfctool-board"
    private static let cookieSeconds = 31_536_000

    /// Creates the guard of a board.
    ///
    /// `names` contains other names by which browsers reach this machine.
    init(_ address: BoardAddress, token: BoardToken?, names: [String]) {
        self.token = token
        isLoopback = address.isLoopback
        let machine = BoardAddress.machine
        let own = ["localhost"] + (address.isLoopback ? [] : [machine, machine + ".local"])
        self.names = Set((own + names).map { $0.lowercased() })
    }

    /// Whether a browser can send the text as a host name without a port.
    static func isName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                case UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    func verdict(on request: Request) -> Verdict {
        guard ["GET", "HEAD"].contains(request.method) else { return .methodNotAllowed }
        guard let host = request.host, isOurs(host) else { return .misdirected }
        guard let token else { return .answered }
        if let given = request.token {
            guard request.path == "/", token.matches(given) else { return .unauthorized }
            return .welcomed(
                cookie:
                    "\(Self.cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(Self.cookieSeconds)")
        }
        let bearer = request.authorization.flatMap { text in
            text.lowercased().hasPrefix("bearer ") ? String(text.dropFirst(7)) : nil
        }
        let cookies = (request.cookie ?? "").split(separator: ";").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0].drop { $0 == " " } == Self.cookieName ? String(parts[1]) : nil
        }
        return ([bearer].compactMap(\.self) + cookies).contains(where: token.matches) ? .answered : .unauthorized
    }

    /// Whether a request that names this host is meant for this program.
    ///
    /// An IP address does not allow DNS rebinding: a page can have one of this machine's addresses as its origin only
    /// if it was loaded from there.
    private func isOurs(_ host: String) -> Bool {
        let name: String
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return false }
            name = String(host[host.index(after: host.startIndex)..<end])
            return BoardAddress.isIPv6(name)
        }
        name = host.split(separator: ":", maxSplits: 1).first.map { $0.lowercased() } ?? ""
        if BoardAddress.isIPv4(name) { return !isLoopback || name.hasPrefix("127.") || names.contains(name) }
        return names.contains(name)
    }
}
