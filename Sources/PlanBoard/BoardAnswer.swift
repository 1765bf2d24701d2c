// The answers that browsers receive — RFC 9110, RFC 9112; Content Security Policy Level 3

/// An answer to a request.
///
/// The connection ends after the answer.
struct BoardAnswer: Sendable {
    var code: Int
    var phrase: String
    var headers: [(name: String, value: String)] = []
    /// The content, or nil for a stream of events, which has no end.
    var content: String?

    /// Creates an answer with text.
    ///
    /// The type is given without parameters.
    static func text(_ text: String, _ type: String) -> BoardAnswer {
        BoardAnswer(
            code: 200, phrase: "OK", headers: [("Content-Type", type + "; charset=utf-8")], content: text)
    }

    static func redirect(setting cookie: String) -> BoardAnswer {
        BoardAnswer(
            code: 303, phrase: "See Other", headers: [("Location", "/"), ("Set-Cookie", cookie)], content: "")
    }

    static func refusal(
        _ code: Int, _ phrase: String, _ headers: [(name: String, value: String)] = []
    ) -> BoardAnswer {
        var answer = text(BoardPage.refusal(code, phrase), "text/html")
        (answer.code, answer.phrase) = (code, phrase)
        answer.headers += headers
        return answer
    }

    /// A stream of events, which proxies must not buffer.
    static let stream = BoardAnswer(
        code: 200, phrase: "OK", headers: [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")])

    /// Returns the bytes of an event.
    ///
    /// The text is JSON on a single line, because a line break would end the field.
    static func event(_ text: String) -> [UInt8] { Array("retry: 2000\ndata: \(text)\n\n".utf8) }

    func bytes(withContent: Bool) -> [UInt8] {
        var lines = ["HTTP/1.1 \(code) \(phrase)"]
        let length = content.map { [("Content-Length", "\($0.utf8.count)")] } ?? []
        lines += (headers + length + Self.commonHeaders).map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (withContent ? content ?? "" : "")).utf8)
    }

    /// The headers of every answer.
    ///
    /// With them, the page loads nothing from elsewhere, runs only its own script, and cannot be framed. Browsers store
    /// no copy of it.
    private static let commonHeaders = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Connection", "close"),
    ]
}
