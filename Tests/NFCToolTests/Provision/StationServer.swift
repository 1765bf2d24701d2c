// A private database for a test, and the arguments of stations that work with it

import PostgreSQLServer
import Testing

struct StationServer {
    let server: PostgreSQLServer
    let name: String
    var uri: String { server.uri(name) }

    init(_ server: PostgreSQLServer) async throws {
        self.server = server
        name = try server.newDatabase()
        let outcome = try await Tool.run("provision", "init-db", uri)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("is prepared for plans"))
    }

    func sql(_ text: String) throws -> String { try server.sql(text, in: name) }

    /// Returns the arguments of a station.
    ///
    /// With `hasFile`, they include the record options that turn the rows of the plan's file into messages.
    func station(_ name: String, _ reader: String, hasFile: Bool = false) -> [String] {
        [
            "provision", "tags.csv", "--journal", uri, "--station", name, "--json", "--timeout", "5s", "--reader",
            reader,
        ]
            + (hasFile ? ["--uri", "https://example.com/{id}?t={uid}"] : [])
    }
}
