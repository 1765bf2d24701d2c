// nfctool readers: what is plugged in, what it is called, and whether it can be used now

import ArgumentParser
import Doctor
import ReaderInterface
import SafeTag
import Terminal
import USBReaders

struct ReadersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "List the readers that are here, and whether each can be used.",
        discussion: """
            The first column is what --reader takes; usb:PORT stays the same when a reader is unplugged and comes back, and \
            a label (desk = usb:1-2) is yours: a line in ~/.config/nfctool/readers. Ready means that nothing is known \
            against it: `nfctool doctor` opens it, too. A board on a serial port is listed as a reader only when libnfc's \
            configuration or LIBNFC_DEVICE names it.
            """)

    @Flag(help: "Go on and print each reader that comes or goes, until Ctrl-C.")
    var watch = false

    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() async throws {
        let watching = watch ? PluggedReaderWatch() : nil
        let readers = watching?.initial ?? PluggedReader.now()
        if output.json {
            try JSONLine.print(ReadersReport(readers: readers.map(ReaderObject.init)))
        } else if !readers.isEmpty {
            StandardOutput.print(ReaderTable(readers, style: .standardOutput).text)
        }
        // The list is of use without the labels.
        do { _ = try ReaderLabels.read() } catch {
            if !output.json { StandardError.print("nfctool: \(TerminalText.escaped(error.sentence))\n") }
        }
        if let watching {
            try await follow(watching)
        } else if !readers.contains(where: { $0.state != .undriven && $0.state != .perhaps }) {
            throw ReaderError.noReader(connection: nil)
        }
    }

    /// Tells of each event; returns never, but by a signal's failure.
    private func follow(_ watch: PluggedReaderWatch) async throws {
        let interruption = Interruption.onRequest { watch.stop() }
        defer { withExtendedLifetime(interruption) {} }
        Hint(json: output.json, quiet: output.quiet).show("Watching for readers. Ctrl-C ends.")
        for await event in watch.events { try tell(event) }
        throw Interrupted(cause: nil)
    }

    private func tell(_ event: PluggedReaderWatch.Event) throws {
        let (reader, word) = (event.reader, event.isArrival ? "arrived" : "left")
        if output.json {
            try JSONLine.print(
                ReaderEventReport(event: word, reader: ReaderObject(reader)), at: EventClock.system.now())
        } else if word == "left" {
            StandardOutput.print(TerminalText.escaped("left     \(ReaderTable.name(of: reader))  \(reader.model)"))
        } else {
            StandardOutput.print("arrived  " + ReaderTable([reader], style: .standardOutput).text)
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
