// The address of a journal's server, as the user gives it — libpq, 34.1.1 Connection Strings

import Clibpq
public import Provisioning

/// A connection URI without a password.
///
/// libpq itself handles the host, user, database, TLS (`sslmode`) and fail-over (several hosts,
/// `target_session_attrs`). It finds the password in ~/.pgpass, a service file, or `PGPASSFILE`.
public struct ServerAddress: Hashable, Sendable {
    let uri: String
    /// The name to show.
    ///
    /// It contains no parameters, because their values may be secret.
    public let name: String
    /// The folder of the server's socket, if the URI names a single server by its socket.
    let socketFolder: String?

    /// Whether a string is a connection URI.
    public static func isURI(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Parses a URI.
    ///
    /// - Throws: `passwordInAddress`, `badAddress` or `libraryMissing`. Their descriptions contain no part of the URI.
    public init(_ uri: String) throws(JournalError) {
        guard Self.isURI(uri), !uri.utf8.contains(0) else { throw .badAddress }
        guard libpq_load() else { throw .libraryMissing }
        guard let options = PQconninfoParse(uri, nil) else {
            // Do not pass on libpq's message, because it may contain a password.
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
