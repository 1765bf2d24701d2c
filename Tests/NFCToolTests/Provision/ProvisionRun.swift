// A plan in a folder, a run of nfctool with it, and its output

import Foundation

struct ProvisionRun {
    let folder: String
    let uri = "https://example.com/{id}?t={uid}"

    static func with<Value>(_ body: (ProvisionRun) async throws -> Value) async throws -> Value {
        try await Tool.withFolder { try await body(ProvisionRun(folder: $0)) }
    }

    func plan(_ count: Int) throws {
        let rows = (1...count).map { "\($0 + 100),box \($0)" }
        try ("id,box\n" + rows.joined(separator: "\n") + "\n")
            .write(toFile: folder + "/tags.csv", atomically: true, encoding: .utf8)
    }

    /// Runs `provision` on one reader, and returns the reported events.
    func provision(_ reader: String, _ more: String...) async throws -> (status: Int32, events: [[String: Any]]) {
        let outcome = try await Tool.run(
            ["provision", "tags.csv", "--uri", uri, "--json", "--timeout", "1s", "--reader", reader] + more, in: folder)
        return (outcome.status, try outcome.jsonLines())
    }

    /// The URI on a tag in a file.
    func uri(on file: String) async throws -> String? {
        let outcome = try await Tool.run("read", "--json", "--reader", "virtual:\(file)", in: folder)
        let records = try outcome.json()["records"] as? [[String: Any]]
        return (records?.first?["content"] as? [String: Any])?["uri"] as? String
    }

    /// Returns the rows of the events with this word, in their order.
    static func rows(_ events: [[String: Any]], _ word: String = "row") -> [Int] {
        events.filter { $0["event"] as? String == word }.compactMap { $0["row"] as? Int }
    }
}
