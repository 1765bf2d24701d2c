// From what the user calls a reader to libnfc's connection string — CLI.md, --reader SPEC

import Foundation
import Synchronization
package import VirtualPN532

/// What names a reader: `auto`, `virtual…`, or a libnfc connection string.
package struct ReaderSpecification: Hashable, Sendable {
    /// The text as given.
    package let text: String

    /// The default, from the environment variable `NFCTOOL_READER`, else `auto`.
    static var standard: ReaderSpecification { ReaderSpecification(nil) }

    /// Takes a specification, or nil for the default.
    package init(_ text: String?) {
        let environment = ProcessInfo.processInfo.environment["NFCTOOL_READER"]
        self.text = text ?? environment.flatMap { $0.isEmpty ? nil : $0 } ?? "auto"
    }

    /// The embedded readers this process has started, by their specification: a virtual tag lives as long as the process.
    private static let virtualReaders = Mutex<[String: VirtualReader]>([:])

    /// The embedded reader this names, started when it is asked for the first time; nil when it names another kind.
    package func virtualReader() throws -> VirtualReader? {
        guard text == "virtual" || text.hasPrefix("virtual:") else { return nil }
        let specification = try VirtualReaderSpec(parsing: String(text.dropFirst("virtual:".count)))
        return try Self.virtualReaders.withLock { readers in
            if let reader = readers[text] { return reader }
            let reader = try specification.makeReader()
            readers[text] = reader
            return reader
        }
    }

    /// The libnfc connection string; nil for `auto`.
    func connection() throws -> String? {
        if let virtual = try virtualReader() { return virtual.connection }
        return text == "auto" ? nil : text
    }
}
