// The parts of a request's head — RFC 9112, 3 and 5

import Foundation

extension BoardGuard.Request {
    /// The maximum length of a head in bytes.
    static let longestHead = 8192

    /// Returns the bytes of a head without the empty line at its end, or nil if that line has not arrived yet.
    static func head(of bytes: [UInt8]) -> [UInt8]? {
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            let line = bytes[start..<index]
            if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]), start > 0 { return Array(bytes[..<start]) }
            start = index + 1
        }
        return nil
    }

    /// Parses a head.
    ///
    /// Returns nil if the request is not HTTP/1, or names its host twice.
    init?(head: [UInt8]) {
        let text = String(decoding: head, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: true) { $0 == "\n" || $0 == "\r\n" }
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else { return nil }
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(method: String(words[0]), path: String(target[0]))
        for pair in target.dropFirst().first?.split(separator: "&") ?? [] where pair.hasPrefix("token=") {
            token = pair.dropFirst("token=".count).removingPercentEncoding ?? ""
        }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            switch line[..<colon].lowercased() {
            case "host":
                guard host == nil else { return nil }
                host = value
            case "authorization": authorization = value
            // Some browsers and proxies send more than one Cookie header.
            case "cookie": cookie = cookie.map { $0 + ";" + value } ?? value
            default: break
            }
        }
    }
}
