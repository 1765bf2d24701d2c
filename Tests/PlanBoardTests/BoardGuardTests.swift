// The addresses on which a board listens, the requests that it answers, and the browsers that may see it

import Testing

@testable import PlanBoard

@Suite struct BoardGuardTests {
    @Test func anAddressIsAnIPAddressAndAPort() throws {
        for (text, host, isLoopback) in [
            ("127.0.0.1:8080", "127.0.0.1", true), ("127.8.9.1:1", "127.8.9.1", true), ("[::1]:8080", "::1", true),
            ("[0:0::0:1]:8080", "0:0::0:1", true), ("localhost:8080", "127.0.0.1", true),
            ("0.0.0.0:8080", "0.0.0.0", false), ("[::]:8080", "::", false), ("192.168.1.5:65535", "192.168.1.5", false),
            ("[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", false),
        ] {
            let address = try BoardAddress(text)
            #expect(address.host == host && address.isLoopback == isLoopback, "\(text)")
        }
        for text in [
            "", ":", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8080",
            "[::1]", "[127.0.0.1]:80", "example.com:80", "127.1:80", "127.0.0.1:80/", "127.0.0.1.evil.example:80",
        ] {
            #expect(throws: BoardError.badAddress(text)) { try BoardAddress(text) }
        }
    }

    @Test func aTokenIsLongRandomAndComparedWhole() throws {
        let token = BoardToken()
        #expect(token.text.utf8.count == 64 && BoardToken().text != token.text)
        #expect(token.matches(token.text))
        for wrong in ["", String(token.text.dropLast()), token.text + "0", String(token.text.reversed()) + "x"] {
            #expect(!token.matches(wrong))
        }
        #expect(try BoardToken("abcdefghij-._~09").matches("abcdefghij-._~09"))
        for bad in ["", "short", "with a blank in it", "semicolon;semicolon", "ümlaut-ümlaut-ümlaut"] {
            #expect(throws: BoardError.badToken) { try BoardToken(bad) }
        }
    }

    private static func guarding(
        _ address: String, token: BoardToken? = nil, names: [String] = []
    ) throws -> BoardGuard {
        BoardGuard(try BoardAddress(address), token: token, names: names)
    }

    /// If another site's name resolves to this machine's address, the browser sends that site's name in the request.
    @Test func onlyOurOwnNamesAreAnswered() throws {
        let local = try Self.guarding("127.0.0.1:8080")
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST", "127.0.0.1", "[::1]:9", "localhost:1"] {
            #expect(local.verdict(on: .init(host: host)) == .answered, "\(host)")
        }
        for host in [
            nil, "", "evil.example", "evil.example:8080", "localhost.evil.example", "192.168.1.5:8080", "[::1",
            "127.0.0.1.evil.example",
        ] {
            #expect(local.verdict(on: .init(host: host)) == .misdirected, "\(host ?? "none")")
        }
        let token = BoardToken()
        let open = try Self.guarding("0.0.0.0:8080", token: token, names: ["Board.Shop.example"])
        let bearer = "Bearer \(token.text)"
        for host in [
            "192.168.1.5:8080", "[fe80::1]:8080", "board.shop.example", BoardAddress.machine,
            BoardAddress.machine + ".local:8080",
        ] {
            #expect(open.verdict(on: .init(host: host, authorization: bearer)) == .answered, "\(host)")
        }
        #expect(open.verdict(on: .init(host: "shop.example", authorization: bearer)) == .misdirected)
    }

    @Test func aTokenOpensByAddressHeaderAndCookie() throws {
        let token = BoardToken()
        let guarding = try Self.guarding("0.0.0.0:8080", token: token)
        func verdict(_ change: (inout BoardGuard.Request) -> Void) -> BoardGuard.Verdict {
            var request = BoardGuard.Request(path: "/events", host: "localhost")
            change(&request)
            return guarding.verdict(on: request)
        }
        #expect(verdict { _ in } == .unauthorized)
        #expect(verdict { $0.authorization = "bearer \(token.text)" } == .answered)
        #expect(verdict { $0.authorization = "Basic \(token.text)" } == .unauthorized)
        #expect(verdict { $0.cookie = "a=b; nfctool-board=\(token.text)" } == .answered)
        #expect(verdict { $0.cookie = "nfctool-board=\(token.text)x; nfctool-board" } == .unauthorized)
        #expect(verdict { $0.cookie = "xnfctool-board=\(token.text)" } == .unauthorized)
        #expect(verdict { $0.token = token.text } == .unauthorized)
        let welcome = verdict {
            $0.path = "/"
            $0.token = token.text
        }
        guard case .welcomed(let cookie) = welcome else {
            Issue.record("\(welcome)")
            return
        }
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains(token.text))
        #expect(
            verdict {
                $0.path = "/"
                $0.token = "wrong"
                $0.authorization = "Bearer \(token.text)"
            } == .unauthorized)
        #expect(verdict { $0.method = "POST" } == .methodNotAllowed)
    }

    @Test(arguments: ["board.example:443", "https://board.example", "board.example/", "", "a b", "[::1]", "*.example"])
    func aNameWithAPortOrASlashCouldNeverMatch(_ name: String) {
        #expect(!BoardGuard.isName(name))
    }

    @Test func namesOfHostsAreNames() {
        for name in ["board.example", "Board-2.shop.example", "192.168.1.5", "my_board"] {
            #expect(BoardGuard.isName(name))
        }
    }

    // MARK: Heads

    private static func request(_ text: String) -> BoardGuard.Request? {
        BoardGuard.Request.head(of: Array(text.utf8)).flatMap { BoardGuard.Request(head: $0) }
    }

    @Test func aHeadIsTakenApart() throws {
        let text =
            "GET /?a=b&token=ab%7Ec HTTP/1.1\r\nHOST:  localhost:80 \r\nCookie: a=b\r\nX: y\r\nCookie: c=d\r\n\r\nrest"
        let request = try #require(Self.request(text))
        #expect(request.method == "GET" && request.path == "/" && request.token == "ab~c")
        #expect(request.host == "localhost:80" && request.cookie == "a=b;c=d" && request.authorization == nil)
        #expect(Self.request("HEAD / HTTP/1.0\nAuthorization: Bearer x\n\n")?.authorization == "Bearer x")
    }

    @Test(arguments: [
        "", "\r\n", "GET", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET http://evil/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
    ]) func whatIsNoHeadIsNone(_ text: String) {
        #expect(Self.request(text) == nil)
    }
}
