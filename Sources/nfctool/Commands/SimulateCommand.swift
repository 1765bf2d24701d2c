// nfctool simulate: runs a virtual reader in the foreground for any libnfc or PC/SC program

import ArgumentParser
import Foundation
import Synchronization
import Terminal
import ReaderSession
import VirtualPCSC
import VirtualPN532

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run a virtual reader for any libnfc or PC/SC program.",
        discussion: """
            Prints where programs find the reader, then serves until Ctrl-C.

              nfctool simulate --tag ntag215 &
              LIBNFC_DEVICE=pn532_uart:/dev/pts/3 nfc-list

              nfctool simulate --pcsc acr1552u --tag icode-slix2 --symlink /tmp/pcsc &
              PCSCLITE_CSOCK_NAME=/tmp/pcsc pcsc_scan
            """)

    @Option(
        help: ArgumentHelp(
            "Run a PC/SC reader of this model under a private pcscd. Repeat for several.",
            discussion: "Models: \(PCSCReaderModel.all.map(\.id).joined(separator: ", ")).", valueName: "model[=tags]"),
        completion: .list(PCSCReaderModel.all.map(\.id)), transform: model)
    var pcsc: [PCSCSimulation.Description] = []

    @Option(
        help: ArgumentHelp(
            "A tag in the field. Repeat for several.",
            discussion: "Accepts the part after virtual: in --reader. See VirtualReader.md in the documentation.",
            valueName: "spec"), completion: .virtualTag)
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Make this path a link to the terminal device, or to the socket of pcscd.", valueName: "path"),
        completion: .file())
    var symlink: String?

    @Option(
        help: ArgumentHelp(
            "Accept commands such as place, remove and fault on this Unix socket.", valueName: "socket"),
        completion: .file())
    var control: String?

    private static func model(_ text: String) throws -> PCSCSimulation.Description {
        guard let reader = PCSCSimulation.Description(text) else {
            let (word, known) = (text.prefix { $0 != "=" }, PCSCReaderModel.all.map(\.id).joined(separator: ", "))
            throw ValidationError("Unknown model \"\(word)\". Known models: \(known).")
        }
        return reader
    }

    func validate() throws {
        if pcsc.count > 1, !tag.isEmpty {
            throw ValidationError(
                "--tag cannot be used with several readers. Name the tags of each: --pcsc MODEL=TAGS.")
        }
        if let named = pcsc.first, !named.tags.isEmpty, !tag.isEmpty {
            throw ValidationError("Name all tags in one option: --pcsc \(named.model.id)=TAGS or --tag TAGS.")
        }
    }
}

extension SimulateCommand {
    func run() async throws {
        VirtualDumpFiles.register()
        // Handle signals before anything is created that must be removed at the end.
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
        let interruption = Interruption.onRequest { continuation.finish() }
        defer { withExtendedLifetime(interruption) {} }
        if !pcsc.isEmpty {
            try await servePCSC(until: requests)
            return
        }
        let reader = try VirtualReaderSpec(parsing: VirtualReaderSpec.text(tag)).makeReader()
        defer { reader.stop() }
        try await serve(
            reader.connection, at: reader.path, control: { try ControlSocket(path: $0, reader: reader) },
            until: requests)
    }

    private func servePCSC(until requests: AsyncStream<Void>) async throws {
        var readers = pcsc
        if !tag.isEmpty { readers[0].tags = VirtualReaderSpec.text(tag) }
        let simulation = try PCSCSimulation(readers)
        defer { simulation.stop() }
        let socket = simulation.daemon.socketPath
        try await serve(
            "PCSCLITE_CSOCK_NAME=\(socket)", at: socket, control: simulation.control, until: requests)
    }

    /// Prints the connection string or the environment variable that programs use, and serves them until interrupted.
    private func serve(
        _ name: String, at path: String, control open: (String) throws -> ControlSocket,
        until requests: AsyncStream<Void>
    ) async throws {
        let link = try symlink.map { link in
            try Interruption.onForcedEnd({ unlink(link) }) { try SymbolicLink(at: link, to: path) }
        }
        defer {
            link?.made.remove()
            withExtendedLifetime(link) {}
        }
        let control = try control.map { socket in
            try Interruption.onForcedEnd({ unlink(socket) }) { try open(socket) }
        }
        defer {
            control?.made.stop()
            withExtendedLifetime(control) {}
        }
        StandardOutput.print(name)
        for await _ in requests {}
    }
}
