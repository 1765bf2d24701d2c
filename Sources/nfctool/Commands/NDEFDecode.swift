// nfctool ndef decode: from the bytes of a message to records

import ArgumentParser
import NDEF

struct NDEFDecode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show the records of a message.",
        discussion: """
            Takes exactly one message: raw bytes, or text with --hex.

              nfctool read --output - | nfctool ndef decode
              echo D1 01 08 54 02 65 6E 48 65 6C 6C 6F | nfctool ndef decode --hex --json
            """)

    @Argument(help: "A file, - for stdin.")
    var file = "-"

    @Flag(help: "Read hexadecimal text; white space and colons may stand between bytes.")
    var hex = false

    @Flag(help: "Print JSON; failures are JSON on stderr.")
    var json = false

    func run() throws {
        let bytes = try bytes()
        let message = try message(bytes)
        if json {
            try JSONLine.print(
                MessageReport(messageLength: bytes.count, records: message.records.map(RecordReport.init)))
        } else {
            StandardOutput.print(RecordTable(message.records, style: .standardOutput).text)
        }
    }

    private func bytes() throws(InputError) -> [UInt8] {
        let input = InputFile(path: file)
        let bytes = try input.read()
        guard hex else { return bytes }
        do throws(HexTextError) {
            return try HexText.bytes(bytes)
        } catch {
            throw .notHex(source: input.source, error)
        }
    }

    private func isHexText(_ bytes: [UInt8]) -> Bool {
        guard !hex, let text = try? HexText.bytes(bytes) else { return false }
        return !text.isEmpty
    }

    private func message(_ bytes: [UInt8]) throws(InputError) -> NDEFMessage {
        do throws(NDEFError) {
            return try NDEFMessage(bytes: bytes)
        } catch {
            let source = InputFile(path: file).source
            // No message begins with a digit: MB is bit 7 of its first byte.
            throw isHexText(bytes) ? .hexText(source: source, error) : .notMessage(source: source, error)
        }
    }
}

/// The JSON form of a message.
private struct MessageReport: Encodable {
    let schema = 1
    let messageLength: Int
    let records: [RecordReport]
}
