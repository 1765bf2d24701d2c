// nfctool transceive: a tag's own commands, byte for byte

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

struct TransceiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transceive",
        abstract: "Send raw commands to the tag, for experts.",
        discussion: """
            Each word is one command of the tag's data sheet, in hexadecimal; with spaces or colons in it, it needs quotes. The \
            reader adds the CRC, and what the tag's protocol wraps around it; a FeliCa command begins with its length, in a \
            Type 1 Tag's the UID is left out. Nothing is asked, checked or kept: a command can change the tag permanently, or \
            ruin it. A command that is refused (NAK) or has no answer ends the run with 76 or 75; nothing after it is sent.

              nfctool transceive 60 3000     # an NTAG's version and first 16 bytes
              nfctool transceive 1BFFFFFFFF 'A2 27 00 00 00 00'
            """)

    @Argument(
        help: ArgumentHelp("A command, in hexadecimal.", valueName: "hex"), transform: { try RawCommand.own($0) })
    var commands: [RawCommand]

    @OptionGroup var options: TagOptions

    func run() async throws {
        try await RawSequence(language: .own, commands: commands).run(options)
    }
}

extension RawSequence {
    /// Waits for the one tag, sends it the commands, and tells what was said, also when a command failed.
    func run(_ options: TagOptions) async throws {
        let (report, failure) = try await TagSession.run(options) { session in
            let tag = try await session.connect(
                to: session.onlyTag(for: options))
            let (chip, transcript) = try await tag.perform { ($0.chip, try play(on: $0.channel)) }
            let report = ExchangeReport(
                reader: session.reader, target: tag.target, chip: chip, exchanges: transcript.exchanges)
            return (report, transcript.failure)
        }
        try report.print(options.output)
        if let failure { throw failure }
    }
}
