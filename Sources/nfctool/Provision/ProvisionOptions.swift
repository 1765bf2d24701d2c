// The options of `nfctool provision` — Docs/CommandLine.md, provision

import ArgumentParser
import Foundation
import ReaderInterface
import ReaderSession

/// The options of the commands that work on the tags of a plan.
struct ProvisionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A reader: auto, usb:PORT or a label as `nfctool readers` shows them, a libnfc connection string, virtual… \
            Repeat it to work with several at once.
            """,
            discussion: "Default: the environment variable NFCTOOL_READER, else auto (the first reader found).",
            valueName: "spec"), completion: .reader)
    var reader: [String] = []

    @Flag(help: "Work with all readers that are found.")
    var allReaders = false

    @Option(
        help: ArgumentHelp(
            "How long to wait for the next tag: 30s, 500ms, 2m; 0 waits forever.",
            discussion: "Default: 30s; on a terminal, no limit.", valueName: "time"))
    var timeout: WaitingTime?

    @Option(
        help: ArgumentHelp(
            "Stop after this long without a tag: 30m. In scripts, use --timeout.", valueName: "time")
    )
    var idle: WaitingTime?

    @Option(
        help: ArgumentHelp(
            "When to beep: ok, fail, ok,fail or off.",
            discussion: "An ACR122U beeps by itself. With other readers, the terminal beeps.", valueName: "when"))
    var beep: Beep = .fail

    @Option(help: ArgumentHelp("Show results on an ACR122U's LED, green or red: on or off.", valueName: "state"))
    var led: Lamp = .on

    @Option(
        help: ArgumentHelp("Write a report at the end: FILE.csv, .tsv, .jsonl or .html.", valueName: "file"),
        completion: .file())
    var report: [String] = []

    @Flag(help: "Replace a --report file without asking. A run replaces the report of an earlier run anyway.")
    var overwriteReport = false

    @Flag(help: HelpText.fast) var fast = false

    @Flag(help: HelpText.trace) var trace = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions

    /// The time to wait for a tag.
    ///
    /// Nil to wait forever, which is the default on a terminal.
    var waitingTime: Duration? {
        if let named = timeout ?? idle { return named.duration }
        return isatty(STDIN_FILENO) == 1 ? nil : .seconds(30)
    }

    var signals: SignalStyle { SignalStyle(beep: beep, lamp: led) }

    func validate() throws {
        if timeout != nil, idle != nil { throw ValidationError("Give --timeout or --idle, not both.") }
        if allReaders, !reader.isEmpty { throw ValidationError("Give --reader or --all-readers, not both.") }
        if Set(reader).count != reader.count { throw ValidationError("The same --reader is given twice.") }
    }

    /// Turns on higher bit rates and the wire trace if the options request them.
    ///
    /// Call this before the first session begins.
    func prepareReaders(showingSecrets: Bool) {
        if fast { ReaderHost.useHigherBitRates() }
        if trace { WireTrace.start(showingSecrets: showingSecrets) }
    }

    /// Returns the readers to use, in which nil stands for the default reader.
    func readers() throws -> [String?] {
        guard allReaders else { return reader.isEmpty ? [nil] : reader }
        let readers = try BackEnds.connections()
        guard !readers.isEmpty else { throw ReaderError.noReader(connection: nil) }
        return readers
    }
}
