// nfctool simulate: a virtual reader in the foreground, for any libnfc or PC/SC program

import ArgumentParser
import Foundation
import Synchronization
import Terminal
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
            "Run a PC/SC reader of this model under a pcscd of its own.",
            discussion: "Models: \(PCSCReaderModel.all.map(\.id).joined(separator: ", ")).", valueName: "model"),
        completion: .list(PCSCReaderModel.all.map(\.id)), transform: model)
    var pcsc: PCSCReaderModel?

    @Option(
        help: ArgumentHelp(
            "A tag in the field; repeat for several.",
            discussion: "What follows virtual: in --reader; Docs/VirtualReader.md lists it.",
            valueName: "spec"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Make this path a link to the terminal device, or to the socket of pcscd.", valueName: "path"))
    var symlink: String?

    @Option(
        help: ArgumentHelp(
            "Take commands (place, remove, list, stats, reset, fault) on this Unix socket.", valueName: "socket"))
    var control: String?

    private static func model(_ word: String) throws -> PCSCReaderModel {
        guard let model = PCSCReaderModel(id: word) else {
            let known = PCSCReaderModel.all.map(\.id).joined(separator: ", ")
            throw ValidationError("Unknown model \"\(word)\". Known models: \(known).")
        }
        return model
    }

    func validate() throws {
        if pcsc != nil, control != nil { throw ValidationError("--control does not work with --pcsc.") }
    }
}

extension SimulateCommand {
    /// All tags in one field, with the faults and options of each.
    private var specification: String {
        let parts = tag.map { $0.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false) }
        let options = parts.compactMap { $0.count == 2 ? String($0[1]) : nil }
        return parts.map { String($0[0]) }.joined(separator: ",")
            + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
    }

    func run() async throws {
        // Subscribed before anything is made that must not stay behind.
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
        let interruption = Interruption.onRequest { continuation.finish() }
        defer { withExtendedLifetime(interruption) {} }
        if let pcsc {
            try await servePCSC(pcsc, until: requests)
            return
        }
        let reader = try VirtualReaderSpec(parsing: specification).makeReader()
        defer { reader.stop() }
        let link = try symlink.map { try SymbolicLink(at: $0, to: reader.path) }
        defer { link?.remove() }
        let control = try control.map { try ControlSocket(path: $0, reader: reader) }
        defer { control?.stop() }
        let paths = [symlink, self.control].compactMap(\.self)
        let cleaning = Interruption.onForcedEnd { for path in paths { unlink(path) } }
        defer { withExtendedLifetime(cleaning) {} }
        StandardOutput.print(reader.connection)
        for await _ in requests {}
    }

    private func servePCSC(_ model: PCSCReaderModel, until requests: AsyncStream<Void>) async throws {
        let reader = try VirtualPCSCSpec(parsing: specification).makeReader(model: model)
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let link = try symlink.map { try SymbolicLink(at: $0, to: daemon.socketPath) }
        defer { link?.remove() }
        let cleaning = Interruption.onForcedEnd { [symlink] in if let symlink { unlink(symlink) } }
        defer { withExtendedLifetime(cleaning) {} }
        StandardOutput.print("PCSCLITE_CSOCK_NAME=\(daemon.socketPath)")
        for await _ in requests {}
    }
}
