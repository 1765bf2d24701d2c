// The board's URLs: the page, its style and script, and the state of the plan — Docs/Stations.md, The board

/// Answers the requests of browsers.
struct BoardServer: Sendable {
    let guarding: BoardGuard
    let feed: BoardFeed

    func answer(_ request: BoardGuard.Request) -> BoardAnswer {
        switch guarding.verdict(on: request) {
        case .answered: answer(at: request.path)
        case .welcomed(let cookie): .redirect(setting: cookie)
        case .methodNotAllowed: .refusal(405, "Method Not Allowed", [("Allow", "GET, HEAD")])
        case .misdirected: .refusal(421, "Misdirected Request")
        case .unauthorized: .refusal(401, "Unauthorized", [("WWW-Authenticate", "Bearer")])
        }
    }

    private func answer(at path: String) -> BoardAnswer {
        switch path {
        case "/": return .text(BoardPage.html, "text/html")
        case "/board.css": return .text(BoardPage.style, "text/css")
        case "/board.js": return .text(BoardScript.text, "text/javascript")
        case "/state.json":
            guard let latest = feed.latest else { return .refusal(503, "Service Unavailable") }
            return .text(latest.text + "\n", "application/json")
        case "/events": return .stream
        default: return .refusal(404, "Not Found")
        }
    }
}
