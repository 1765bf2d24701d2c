// nfctool simulate: a virtual PN532 in the foreground, for any libnfc program

import ArgumentParser
import Foundation
import Synchronization
import Terminal
import VirtualPN532

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run a virtual PN532 with virtual tags, for any libnfc program.",
        discussion: """
            Prints the reader's connection string, then serves until Ctrl-C.

              nfctool simulate --tag ntag215 &
              LIBNFC_DEVICE=pn532_uart:/dev/pts/3 nfc-list
            """)

    @Option(
        help: ArgumentHelp(
            "A tag in the field; repeat for several.",
            discussion: "What follows virtual: in --reader; Docs/VirtualReader.md lists it.",
            valueName: "spec"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("Make this path a link to the terminal device.", valueName: "path"))
    var symlink: String?

    @Option(
        help: ArgumentHelp(
            "Take commands (place, remove, list, stats, reset, fault) on this Unix socket.", valueName: "socket"))
    var control: String?
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
}
