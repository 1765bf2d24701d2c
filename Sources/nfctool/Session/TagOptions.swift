// The options of every tag command — Docs/CommandLine.md, Options of tag commands

import ArgumentParser
import Composing
import TagTypes

struct TagOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The reader: auto, usb:PORT or a label as `nfctool readers` shows them, a libnfc connection string, virtual, \
            virtual:KIND or virtual:FILE (a dump).
            """,
            discussion: """
                Default: the environment variable NFCTOOL_READER, else auto (the first reader found). \
                pn532_uart:/dev/ttyUSB0?speed=921600 raises the speed of a serial line.
                """,
            valueName: "spec"), completion: .reader)
    var reader: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait for a tag: 30s, 500ms, 2m; 0 waits forever. Default: 30s; for scan, no limit.",
            valueName: "time"))
    var timeout: WaitingTime?

    @Option(help: ArgumentHelp("Only the tag with this UID: 4, 7, 8 or 10 bytes in hexadecimal.", valueName: "uid"))
    var uid: TagUID?

    @Option(help: ArgumentHelp("Only tags of this type: 1 to 5, or classic.", valueName: "type"))
    var type: WantedType?

    @Flag(help: HelpText.fast) var fast = false

    @Flag(help: HelpText.trace) var trace = false

    @OptionGroup var secrets: SecretOptions

    @OptionGroup var password: PasswordOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        // Without this check, the parser would use the last value. If the option were an array, the help would show
        // that it can be repeated.
        let count = CommandLine.arguments.filter { $0 == "--reader" || $0.hasPrefix("--reader=") }.count
        guard count < 2 else {
            throw ValidationError("--reader is given \(count) times. This command uses one reader.")
        }
        guard reader?.isEmpty != true else { throw ValidationError("The name of the reader is empty.") }
        // No tag can have a UID of this length, so the command would wait in vain.
        guard uid.map({ UIDText.lengths.contains($0.bytes.count) }) ?? true else {
            throw ValidationError("--uid needs the whole UID of a tag: 4, 7, 8 or 10 bytes.")
        }
    }

    /// The first given option that selects a reader or a tag, or that affects how tags are read.
    ///
    /// Nil if there is none.
    var givenOption: String? {
        let given: [(String, Bool)] = [
            ("--reader", reader != nil), ("--timeout", timeout != nil), ("--uid", uid != nil), ("--type", type != nil),
            ("--fast", fast), ("--trace", trace), ("--password-file", password.file != nil),
        ]
        return given.first { $0.1 }?.0 ?? keys.givenOption
    }

    /// The time to wait for a tag, or nil to wait forever.
    var waitingTime: Duration? { (timeout ?? WaitingTime(.seconds(30))).duration }

    /// Turns on higher bit rates and the wire trace if the options request them.
    ///
    /// Call this before the first session begins.
    func prepareReaders() {
        if fast { ReaderHost.useHigherBitRates() }
        if trace { WireTrace.start(showingSecrets: secrets.showSecrets) }
    }
}

/// A kind of tag as an argument.
enum WantedType: String, ExpressibleByArgument, CaseIterable, Sendable {
    case type1 = "1"
    case type2 = "2"
    case type3 = "3"
    case type4 = "4"
    case type5 = "5"
    case classic

    var tagType: TagType {
        switch self {
        case .type1: .type1
        case .type2: .type2
        case .type3: .type3
        case .type4: .type4
        case .type5: .type5
        case .classic: .mifareClassic
        }
    }
}
