// Raw commands on the command line, and their run — Docs/CommandLine.md, transceive and apdu

import ArgumentParser
import ReaderSession
import SafeTag
import TagTypes

/// Commands of a tag's data sheet.
struct OwnCommands: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A command, in hexadecimal.", valueName: "hex"), transform: { try RawCommand.own($0) })
    var commands: [RawCommand]

    /// Waits for the one tag, sends it the commands, and tells what was said, also when a command failed.
    func run(_ options: TagOptions) async throws {
        try await RawSequence(language: .own, commands: commands).run(options)
    }
}

/// APDUs, with the status words they must have.
struct APDUs: ParsableArguments {
    @Argument(
        help: ArgumentHelp("An APDU in hexadecimal, optionally followed by =SW.", valueName: "hex"),
        transform: { try RawCommand.apdu($0) })
    var commands: [RawCommand]

    /// Waits for the one tag, sends it the APDUs, and tells what was said, also when one failed.
    func run(_ options: TagOptions) async throws {
        try await RawSequence(language: .apdu, commands: commands).run(options)
    }
}

extension RawSequence {
    fileprivate func run(_ options: TagOptions) async throws {
        let (report, failure) = try await TagSession.run(options) { session in
            let tag = try await session.connect(to: session.onlyTag(for: options))
            let (chip, transcript) = try await tag.perform { ($0.chip, try play(on: $0.channel)) }
            let report = ExchangeReport(
                reader: session.reader, target: tag.target, chip: chip, exchanges: transcript.exchanges)
            return (report, transcript.failure)
        }
        try report.print(options.output)
        if let failure { throw failure }
    }
}
