// What libpq says of a connection that fails, for a person: its lines as sentences

import Foundation
import Glibc

/// The texts of errors of a connection.
enum ConnectionText {
    /// The lines of a text in one; a line that begins a sentence comes after a full stop.
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

    /// The same, with a full stop at its end: more sentences follow.
    static func sentences(_ text: String) -> String {
        let joined = joined(text)
        return joined.last.map { ".!?".contains($0) } ?? true ? joined : joined + "."
    }

    /// Why no further attempt to connect succeeds, in a sentence; nil where one may.
    ///
    /// libpq does not give the code of an error (3D000) that ends a connection before it is made, so this goes by the text
    /// of a server that speaks English. Other servers count as away.
    static func permanentReason(_ text: String, address: ServerAddress) -> String? {
        if let folder = address.socketFolder, access(folder, F_OK) != 0, errno == ENOENT {
            return "There is no folder \(folder) with the server's socket."
        }
        // One for each server that was tried.
        let attempts = text.split(separator: "\n").filter { $0.contains("FATAL:") || $0.hasPrefix("connection to") }
        guard !attempts.isEmpty,
            attempts.allSatisfy({ $0.contains("FATAL:  database \"") && $0.hasSuffix("does not exist") })
        else { return nil }
        return "It does not exist on that server."
    }
}
