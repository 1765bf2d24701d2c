// nfctool emulate: makes the reader a tag that phones and other readers can read and write — NFC Forum T4T

import ArgumentParser
import Foundation
import Hexadecimal
import NDEF
import ReaderInterface
import ReaderSession

struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Emulate a tag until Ctrl-C.",
        discussion: """
            The reader becomes a Type 4 Tag with these records. This needs a PN532 on a serial port, I2C or SPI: USB \
            readers such as the ACR122U do not allow emulation. With --writable, a phone can write to the tag: nfctool \
            prints the new message, the next reader sees it, and --output saves it. With --json, each event is one \
            line: started, reader, apdu, written, removed.

              nfctool emulate --uri https://example.com --reader pn532_uart:/dev/ttyUSB0
              nfctool emulate --writable --output written.ndef --count 1

            Without hardware, in two shells:

              nfctool emulate --uri https://example.com --reader 'virtual:?antenna=desk'
              nfctool read --reader 'virtual:?antenna=desk'
            """)

    @OptionGroup(title: "Records") var records: RecordOptions

    @Flag(help: "Let readers write. Without records the tag starts empty.")
    var writable = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write each new message to this file, as raw NDEF.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var overwrite: OverwriteOption

    @Option(help: ArgumentHelp("Stop after N readers have read or written the tag.", valueName: "n"))
    var count: Int?

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this time: 10s, 5m.", valueName: "time"))
    var length: WaitingTime?

    @Option(
        help: ArgumentHelp(
            "The UID: 4 bytes that begin with 08, or only the last 3. Default: random.", valueName: "uid"))
    var uid: TagUID?

    @Option(
        help: ArgumentHelp("The reader, as for all commands; auto is the first one found.", valueName: "spec"),
        completion: .reader)
    var reader: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The longest wait for a reader: 30s, 500ms, 2m; 0, the default, waits forever.", valueName: "time"))
    var timeout: WaitingTime?

    @Flag(help: HelpText.trace) var trace = false

    @OptionGroup(title: HelpText.shared) var options: OutputOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        if let length, length.duration == nil { throw ValidationError("--for must be longer than 0.") }
        if let uid, uid.bytes.count != 3, uid.bytes.count != 4 || uid.bytes[0] != 0x08 {
            throw ValidationError("--uid needs 4 bytes that begin with 08, or only the last 3: --uid 0812AB34")
        }
        if output != nil, !writable { throw ValidationError("--output saves what readers write: add --writable.") }
        if output == "-" {
            throw ValidationError(
                "--output cannot write to standard output. Name a file, or use --json, whose events contain the message."
            )
        }
    }

    func run() async throws {
        let emulated = try EmulatedMessage(try message(), isWritable: writable, count: count)
        // Check the file before the emulation starts, because a phone may write to the tag at any time afterwards.
        var file = try output.map {
            try ResultFile($0, .secret).claimed(overwrite: overwrite.isAllowed, isJSON: options.json)
        }
        file?.mayReplace = true
        if isAlone {
            Hint(options).show(
                "No reader can reach this virtual tag. Run both this command and the reading command with  "
                    + "--reader 'virtual:?antenna=desk'")
        }
        let tail = uid.map { Array($0.bytes.suffix(3)) } ?? (0..<3).map { _ in UInt8.random(in: 0...255) }
        if trace { WireTrace.start(showingSecrets: false) }
        let target = ListeningTarget(nfcID1Tail: tail)
        let log = EmulationLog(options, uid: target.nfcID1.hex, file: file)
        try await emulated.run(
            in: ListeningSession(reader: reader, as: target), within: timeout?.duration, for: length?.duration,
            telling: log)
    }

    /// Whether the reader is virtual, so that no other reader can reach it.
    private var isAlone: Bool {
        let name = reader ?? ProcessInfo.processInfo.environment["NFCTOOL_READER"] ?? ""
        return (name == "virtual" || name.hasPrefix("virtual:")) && !name.contains("antenna=")
    }

    private func message() throws -> NDEFMessage {
        if writable, try records.inOrder().isEmpty { return NDEFMessage(records: []) }
        return try records.message()
    }
}
