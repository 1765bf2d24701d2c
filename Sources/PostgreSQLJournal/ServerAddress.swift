// Where a journal's server is, as a person names it — libpq, 34.1.1 Connection Strings

import Clibpq
public import Provisioning

/// A connection URI, which holds no password.
///
/// Host, user, database, TLS (`sslmode`) and fail-over (several hosts, `target_session_attrs`) are libpq's own; so are the
/// places where it finds a password: ~/.pgpass, a service file, `PGPASSFILE`.
public struct ServerAddress: Hashable, Sendable {
    /// The URI as it was given.
    let uri: String
    /// What people read: without parameters, which may say anything.
    public let name: String
    /// The folder of the server's socket, where the URI names one server and by that.
    let socketFolder: String?

    /// Whether a text is such a URI.
    public static func isURI(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Takes a URI.
    ///
    /// - Throws: `passwordInAddress`, `badAddress`, and `libraryMissing`; their texts repeat nothing of the URI.
    public init(_ uri: String) throws(JournalError) {
        guard Self.isURI(uri), !uri.utf8.contains(0) else { throw .badAddress }
        guard libpq_load() else { throw .libraryMissing }
        guard let options = PQconninfoParse(uri, nil) else {
            // libpq's reason may quote a password.
            throw .badAddress
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        guard values["password"] == nil, values["sslpassword"] == nil else { throw .passwordInAddress }
        self.uri = uri
        let user = values["user"].map { $0 + "@" } ?? ""
        let host = (values["host"] ?? values["hostaddr"] ?? "").filter { $0 != "@" }
        let places = values["host"].map { $0.split(separator: ",") } ?? []
        socketFolder = places.count == 1 && places[0].hasPrefix("/") ? String(places[0]) : nil
        let port = values["port"].map { ":" + $0 } ?? ""
        let service = values["service"].map { "?service=" + $0 } ?? ""
        name = "postgresql://\(user)\(host)\(port)/\(values["dbname"] ?? "")\(service)"
    }
}
