// Messages from libpq about failed connections, converted to sentences for users

import Foundation
import Glibc

/// Converts error messages about a connection.
enum ConnectionText {
    /// Joins the lines of a message.
    ///
    /// A full stop is added before a line that begins a sentence.
    static func joined(_ text: String) -> String {
        var joined = ""
        for line in text.split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty else { continue }
            if let last = joined.last {
                let isSentence = line.first?.isUppercase == true && !".!?:;,".contains(last)
                joined += isSentence ? ". " : " "
            }
            joined += line
        }
        return joined
    }

    /// Joins the lines of a message and ends it with a full stop, because more sentences follow.
    static func sentences(_ text: String) -> String {
        let joined = joined(text)
        return joined.last.map { ".!?".contains($0) } ?? true ? joined : joined + "."
    }

    /// Returns why no further attempt to connect can succeed, as a sentence, or nil if one may succeed.
    ///
    /// libpq does not report the code (3D000) of an error that occurs before a connection is made. This function
    /// therefore looks for the English text of the error. A server with messages in another language counts as away.
    static func permanentReason(_ text: String, address: ServerAddress) -> String? {
        if let folder = address.socketFolder, access(folder, F_OK) != 0, errno == ENOENT {
            return "There is no folder \(folder) with the server's socket."
        }
        let attempts = attempts(text)
        guard !attempts.isEmpty,
            attempts.allSatisfy({ $0.contains("FATAL:  database \"") && $0.hasSuffix("does not exist") })
        else { return nil }
        return "It does not exist on that server."
    }

    /// Returns the lines about the servers that were tried, one for each server.
    private static func attempts(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.contains("FATAL:") || $0.hasPrefix("connection to") }
    }

    /// Parts of the errors that no further attempt changes.
    ///
    /// Other kinds of authentication ask a server, which may be away — PostgreSQL, auth.c and postinit.c.
    private static let loginRefusals = [
        "password authentication failed for user", "Peer authentication failed for user", "no password supplied",
        "certificate authentication failed for user", "connection requires a valid client certificate",
        "FATAL:  no pg_hba.conf entry", "FATAL:  pg_hba.conf rejects connection", "is not permitted to log in",
        "FATAL:  permission denied for database",
    ]

    /// Returns why all servers refuse the login, as a sentence, or nil if not all of them do.
    ///
    /// Like ``permanentReason(_:address:)``, this looks for the English texts.
    static func loginRefusal(_ text: String) -> String? {
        let attempts = attempts(text)
        let isRefusal = { (line: Substring) in
            line.contains("FATAL:  role \"") && line.hasSuffix("does not exist")
                || Self.loginRefusals.contains { line.contains($0) }
        }
        guard let first = attempts.first, attempts.allSatisfy(isRefusal) else { return nil }
        let prefixes = ["failed: ", "FATAL:  ", "fe_sendauth: "]
        return sentences(prefixes.reduce(String(first)) { $0.components(separatedBy: $1).last ?? $0 })
    }
}
