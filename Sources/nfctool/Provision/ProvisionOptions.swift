// The options of `nfctool provision` — Docs/CommandLine.md, provision

import ArgumentParser
import ReaderInterface
import ReaderSession

/// What a run of a plan is told on the command line.
struct ProvisionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A reader: auto, usb:PORT or a label as `nfctool readers` shows them, a libnfc connection string, virtual… \
            Repeat it to work with several at once.
            """,
            discussion: "Default: the environment's NFCTOOL_READER, else auto (the first reader found).",
            valueName: "spec"))
    var reader: [String] = []

    @Flag(help: "Work with all readers that libnfc finds.")
    var allReaders = false

    @Option(
        help: ArgumentHelp(
            "How long to wait for the next tag: 30s, 500ms, 2m; 0 waits forever.", discussion: "Default: 30s.",
            valueName: "time"))
    var timeout: WaitingTime?

    @Option(help: ArgumentHelp("Stop after this many rows are verified.", valueName: "n"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Run a shell command for each verified tag, with the row in its environment.", valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "When to beep: ok, fail, ok,fail or off.",
            discussion: "On an ACR122U it comes from the reader, else from the terminal.", valueName: "when"))
    var beep: Beep = .fail

    @Option(help: ArgumentHelp("Whether an ACR122U's lamp shows green and red: on or off.", valueName: "state"))
    var led: Lamp = .on

    @Option(help: ArgumentHelp("Write a report at the end: FILE.csv, FILE.jsonl or FILE.html.", valueName: "file"))
    var report: [String] = []

    @Flag(help: "Replace a --report file without asking; a report of an earlier run is replaced anyway.")
    var overwriteReport = false

    @Flag(help: HelpText.trace) var trace = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    /// The time to wait for a tag; nil forever.
    var waitingTime: Duration? { (timeout ?? WaitingTime(.seconds(30))).duration }

    /// What tells the operator of a tag.
    var signals: SignalStyle { SignalStyle(beep: beep, lamp: led) }

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        if allReaders, !reader.isEmpty { throw ValidationError("Give --reader or --all-readers, not both.") }
        if Set(reader).count != reader.count { throw ValidationError("The same --reader is given twice.") }
    }

    /// The readers to work with; nil stands for the default.
    func readers() throws -> [String?] {
        guard allReaders else { return reader.isEmpty ? [nil] : reader }
        let readers = try BackEnds.connections()
        guard !readers.isEmpty else { throw ReaderError.noReader(connection: nil) }
        return readers
    }
}
