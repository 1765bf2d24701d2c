// Virtual PC/SC readers below one pcscd, and commands for them in words — Docs/VirtualReader.md, PC/SC readers

package import VirtualPN532

/// Readers that any PC/SC program can use, for as long as this lives.
package final class PCSCSimulation: Sendable {
    /// A model of reader, and the tags in its field.
    package struct Description: Sendable {
        /// The model.
        package var model: PCSCReaderModel
        /// The tags and faults, as ``VirtualPCSCSpec`` has them.
        package var tags: String

        /// Parses `MODEL[=TAGS]`; nil for a model that there is not.
        package init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let model = PCSCReaderModel(id: String(parts[0])) else { return nil }
            (self.model, tags) = (model, parts.count == 2 ? String(parts[1]) : "")
        }
    }

    /// The daemon that programs find the readers by.
    package let daemon: PrivatePCSCDaemon
    private let commands: PCSCControlCommands

    /// Starts a daemon with these readers.
    /// - Throws: `VirtualReaderError` for tags; ``PCSCDaemonError``.
    package init(_ descriptions: [Description]) throws {
        let readers = try descriptions.map { try VirtualPCSCSpec(parsing: $0.tags).makeReader(model: $0.model) }
        daemon = try PrivatePCSCDaemon(readers: readers)
        commands = PCSCControlCommands(readers: readers, daemon: daemon)
    }

    /// Ends the daemon.
    package func stop() { daemon.stop() }

    /// Takes commands on a Unix socket (mode 0600), see ``PCSCControlCommands``.
    /// - Throws: `VirtualReaderError.noSocket`, `VirtualReaderError.noThread`.
    package func control(at path: String) throws(VirtualReaderError) -> ControlSocket {
        try ControlSocket(path: path) { [commands] in commands.execute($0) }
    }
}
