// nfctool readers: which readers libnfc can see

import ArgumentParser
import CoreNFC
import NFCReader

struct ReadersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "List the readers that are here.",
        discussion: "A serial reader is listed only when libnfc's configuration or LIBNFC_DEVICE names it.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let readers = try NFCReaderSession.availableReaders()
        if output.json {
            try JSONLine.print(ReadersReport(readers: readers))
        } else {
            for reader in readers { print(TerminalText.escaped(reader)) }
        }
        if readers.isEmpty { throw ReaderError.noReader(connection: nil) }
    }
}

private struct ReadersReport: Encodable {
    let schema = 1
    let readers: [String]
}
