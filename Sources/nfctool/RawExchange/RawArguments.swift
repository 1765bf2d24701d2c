// Raw commands as arguments, and how they are sent — Docs/CommandLine.md, transceive and apdu

import ArgumentParser
import ReaderSession
import SafeTag
import TagTypes

/// The arguments of `transceive`, which are commands from the data sheet of a tag.
struct OwnCommands: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A command, in hexadecimal.", valueName: "hex"), transform: { try RawCommand.own($0) })
    var commands: [RawCommand]

    /// Waits for the only tag, sends it the commands, and prints the exchanges.
    ///
    /// Exchanges before a failed command are also printed.
    func run(_ options: TagOptions) async throws {
        try await RawSequence(language: .own, commands: commands).run(options)
    }
}

/// The arguments of `apdu`, which are APDUs with expected status words.
struct APDUs: ParsableArguments {
    @Argument(
        help: ArgumentHelp("An APDU in hexadecimal, optionally followed by =SW.", valueName: "hex"),
        transform: { try RawCommand.apdu($0) })
    var commands: [RawCommand]

    /// Waits for the only tag, sends it the APDUs, and prints the exchanges.
    ///
    /// Exchanges before a failed APDU are also printed.
    func run(_ options: TagOptions) async throws {
        try await RawSequence(language: .apdu, commands: commands).run(options)
    }
}

extension RawSequence {
    fileprivate func run(_ options: TagOptions) async throws {
        let (report, failure) = try await TagSession.run(
            options, opening: options.password.credential(), asksForPassword: false
        ) { session in
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
