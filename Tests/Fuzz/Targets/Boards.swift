// Requests that browsers send to the board of a plan — RFC 9112

@testable import PlanBoard

extension FuzzTarget {
    static let board = [
        FuzzTarget(
            "board-request",
            texts: [
                "GET /events?token=a%20b HTTP/1.1\r\nHost: localhost:8080\r\nCookie: a=b; c\r\nAuthorization: Bearer x\r\n\r\nrest"
            ]
        ) { text in
            let bytes = Array(text.utf8)
            guard let head = BoardGuard.Request.head(of: bytes) else { return }
            try require(bytes.starts(with: head), "the input does not begin with the head")
            _ = BoardGuard.Request(head: head)
        },
        FuzzTarget(
            "board-address", texts: ["localhost:8080", "[::1]:80", "127.0.0.1:0", "[1::2:3]:9", "::ffff:1.2.3.4"]
        ) { text in
            _ = try? BoardAddress(text)
            _ = BoardAddress.isIPv4(text)
            _ = BoardAddress.isIPv6(text)
            _ = BoardGuard.isName(text)
        },
    ]
}
