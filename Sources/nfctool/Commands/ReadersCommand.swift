// nfctool readers: lists the connected readers, their names, and whether each can be used now

import ArgumentParser
import Doctor
import DoctorPresentation
import Foundation
import ReaderInterface
import SafeTag
import Terminal
import USBReaders

struct ReadersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "List the connected readers, and whether nfctool can use them.",
        discussion: """
            The first column is the name for --reader. usb:PORT stays the same when a reader is unplugged and plugged in \
            again. To name a reader yourself, add a line such as desk = usb:1-2 to ~/.config/nfctool/readers. Ready means that \
            no problem is known; `nfctool doctor` also opens the reader. A board on a serial port is listed as a reader only \
            when libnfc's configuration or LIBNFC_DEVICE names it. To try nfctool without a reader, use --reader virtual.
            """)

    @Flag(help: "Keep running and print each reader that is connected or disconnected.")
    var watch = false

    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() async throws {
        let watching = watch ? await PluggedReaderWatch() : nil
        let readers = if let watching { watching.initial } else { await PluggedReader.connected() }
        if output.json {
            try JSONLine.print(ReadersReport(readers: readers.map(ReaderObject.init)))
        } else if !readers.isEmpty {
            StandardOutput.print(ReaderTable(readers, style: .standardOutput).text)
        }
        // The list is useful even if the labels cannot be read.
        do { _ = try ReaderLabels.read() } catch {
            if !output.json { StandardError.print("nfctool: \(TerminalText.escaped(error.sentence))\n") }
        }
        if let watching {
            try await follow(watching)
        } else if !readers.contains(where: { $0.state != .undriven && $0.state != .perhaps }) {
            throw ReaderError.noReader(connection: nil)
        }
    }

    /// Prints each event until a signal ends the command, and throws ``Interrupted`` after the signal.
    private func follow(_ watch: PluggedReaderWatch) async throws {
        let interruption = Interruption.onRequest { watch.stop() }
        defer { withExtendedLifetime(interruption) {} }
        StandardOutput.endWhenUnread()
        Hint(json: output.json, quiet: output.quiet).show("Watching for readers. Press Ctrl-C to stop.")
        for await event in watch.events { try tell(event) }
        throw Interrupted(cause: nil)
    }

    private func tell(_ event: PluggedReaderWatch.Event) throws {
        let reader = event.reader
        if output.json {
            let word = event.isArrival ? "arrived" : "left"
            try JSONLine.print(ReaderEventReport(event: word, reader: ReaderObject(reader)), at: .now)
        } else if event.isArrival {
            StandardOutput.print("arrived  " + ReaderTable([reader], style: .standardOutput).text)
        } else {
            StandardOutput.print(TerminalText.escaped("left     \(ReaderTable.name(of: reader))  \(reader.model)"))
        }
    }
}

private struct ReadersReport: Encodable {
    let schema = 1
    let readers: [ReaderObject]
}

private struct ReaderEventReport: Encodable {
    let schema = 1
    let event: String
    let reader: ReaderObject
}
