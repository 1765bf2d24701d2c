// Virtual PC/SC readers under one pcscd, with control commands — Docs/VirtualReader.md, PC/SC readers

package import VirtualPN532

/// Virtual readers that any PC/SC program can use as long as this object exists.
package final class PCSCSimulation: Sendable {
    package struct Description: Sendable {
        package var model: PCSCReaderModel
        /// The tags and faults in the syntax of ``VirtualPCSCSpec``.
        package var tags: String

        /// Parses `MODEL[=TAGS]`, or returns nil for an unknown model.
        package init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let model = PCSCReaderModel(id: String(parts[0])) else { return nil }
            (self.model, tags) = (model, parts.count == 2 ? String(parts[1]) : "")
        }
    }

    package let daemon: PrivatePCSCDaemon
    private let commands: PCSCControlCommands

    /// Starts a daemon with these readers.
    ///
    /// - Throws: `VirtualReaderError` for invalid tags, or ``PCSCDaemonError``.
    package init(_ descriptions: [Description]) throws {
        let readers = try descriptions.map { try VirtualPCSCSpec(parsing: $0.tags).makeReader(model: $0.model) }
        daemon = try PrivatePCSCDaemon(readers: readers)
        commands = PCSCControlCommands(readers: readers, daemon: daemon)
    }

    package func stop() { daemon.stop() }

    /// Accepts the commands of ``PCSCControlCommands`` on a Unix socket (mode 0600).
    ///
    /// - Throws: `VirtualReaderError.noSocket`, `VirtualReaderError.noThread`.
    package func control(at path: String) throws(VirtualReaderError) -> ControlSocket {
        try ControlSocket(path: path) { [commands] in commands.execute($0) }
    }
}
