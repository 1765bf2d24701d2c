// nfctool readers: what is plugged in, what it is called, and whether it can be used now

import ArgumentParser
import CoreNFC
import NFCReader
import USBReaders

struct ReadersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "List the readers that are here, and whether each can be used.",
        discussion: """
            The first column is what --reader takes; usb:PORT stays the same when a reader is unplugged and comes back. A board \
            on a serial port is listed as a reader only when libnfc's configuration or LIBNFC_DEVICE names it.
            """)

    @Flag(help: "Go on and tell of each reader that comes or goes, until Ctrl-C.")
    var watch = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let diagnosis = Diagnosis(.now())
        let readers = PluggedReader.all(in: diagnosis)
        if output.json {
            try JSONLine.print(ReadersReport(readers: readers))
        } else if !readers.isEmpty {
            StandardOutput.print(ReaderTable(readers, style: .standardOutput).text)
        }
        if diagnosis.subjects.isEmpty, !watch { throw ReaderError.noReader(connection: nil) }
    }
}

private struct ReadersReport: Encodable {
    let schema = 1
    let readers: [PluggedReader]
}
