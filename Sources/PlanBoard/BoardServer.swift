// The board's pages over HTTP — RFC 9110, RFC 9112; Content Security Policy Level 3

import FlyingFox
import FlyingSocks
import Foundation

/// Answers requests for the page, its style and script, and what is seen of the plan.
struct BoardServer: HTTPHandler {
    let guarding: BoardGuard
    let feed: BoardFeed

    func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
        let facts = BoardGuard.Request(
            method: request.method.rawValue, path: request.path, host: request.headers[.host],
            token: request.query["token"], authorization: request.headers[.authorization],
            cookie: request.headers[.cookie])
        var response =
            switch guarding.verdict(on: facts) {
            case .answered: answer(request.path)
            case .welcomed(let cookie): Self.redirect(setting: cookie)
            case .methodNotAllowed: Self.refusal(405, "Method Not Allowed", ["Allow": "GET, HEAD"])
            case .misdirected: Self.refusal(421, "Misdirected Request")
            case .unauthorized: Self.refusal(401, "Unauthorized", ["WWW-Authenticate": "Bearer"])
            }
        if facts.method == "HEAD" {
            response = HTTPResponse(statusCode: response.statusCode, headers: response.headers)
        }
        for (name, value) in Self.headers { response.headers[HTTPHeader(name)] = value }
        return response
    }

    private func answer(_ path: String) -> HTTPResponse {
        switch path {
        case "/": return Self.text(BoardPage.html, "text/html")
        case "/board.css": return Self.text(BoardPage.style, "text/css")
        case "/board.js": return Self.text(BoardScript.text, "text/javascript")
        case "/state.json":
            guard let latest = feed.latest else { return Self.refusal(503, "Service Unavailable") }
            return Self.text(latest + "\n", "application/json")
        case "/events":
            guard let sights = feed.subscribe() else { return Self.refusal(503, "Service Unavailable") }
            return HTTPResponse(
                statusCode: .ok, headers: [.contentType: "text/event-stream"],
                body: HTTPBodySequence(from: SightEvents(sights: sights)))
        default: return Self.refusal(404, "Not Found")
        }
    }

    private static func text(_ text: String, _ type: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: .ok, headers: [.contentType: type + "; charset=utf-8"], body: Data(text.utf8))
    }

    private static func redirect(setting cookie: String) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(303, phrase: "See Other"), headers: [.location: "/", .setCookie: cookie])
    }

    private static func refusal(
        _ code: Int, _ phrase: String, _ headers: [String: String] = [:]
    ) -> HTTPResponse {
        var response = text(BoardPage.refusal(code, phrase), "text/html")
        response.statusCode = HTTPStatusCode(code, phrase: phrase)
        for (name, value) in headers { response.headers[HTTPHeader(name)] = value }
        return response
    }

    /// The page asks for nothing elsewhere, runs no script but its own, and is in no other page; nothing keeps a copy.
    private static let headers = [
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
    ]
}

/// What is seen, as events of a stream.
private struct SightEvents: AsyncBufferedSequence {
    typealias Element = UInt8

    let sights: AsyncStream<String>

    func makeAsyncIterator() -> Iterator { Iterator(sights: sights.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var sights: AsyncStream<String>.Iterator

        mutating func next() async -> UInt8? { nil }

        /// An event; JSON on one line has no line's end.
        mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
            guard let sight = await sights.next() else { return nil }
            return Array("retry: 2000\ndata: \(sight)\n\n".utf8)
        }
    }
}
