// The options every tag command has — Docs/CommandLine.md, Options of tag commands

import ArgumentParser
import Hexadecimal
import Logging
import ReaderSession
import TagTypes

struct TagOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The reader: auto, usb:PORT or a label as `nfctool readers` shows them, a libnfc connection string, virtual, \
            virtual:KIND or virtual:FILE.nfc.
            """,
            discussion: "Default: the environment's NFCTOOL_READER, else auto (the first reader found).",
            valueName: "spec"))
    var reader: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to wait for a tag: 30s, 500ms, 2m; 0 waits forever.", valueName: "time"))
    var timeout: WaitingTime?

    @Option(help: ArgumentHelp("Only the tag with this UID, in hexadecimal.", valueName: "uid"))
    var uid: TagUID?

    @Option(help: ArgumentHelp("Only tags of this type: 1 to 5, or classic.", valueName: "type"))
    var type: WantedType?

    @Flag(
        help:
            "Show the bytes to and from the reader on stderr, the content of the tag with its Wi-Fi passwords included."
    )
    var trace = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    /// The time to wait for a tag; nil forever.
    var waitingTime: Duration? { (timeout ?? WaitingTime(.seconds(30))).duration }

    /// Turns the wire trace on, if asked for; before the first session begins.
    func startTrace() {
        if trace { WireTrace.start() }
    }
}

/// The bytes to and from the readers, on stderr.
enum WireTrace {
    /// Shows them from now on; once in a process.
    static func start() {
        ReaderHost.traceReaders()
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .trace
            return handler
        }
    }
}

/// The options of every command with a result.
struct PrintOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object per line; failures are JSON on stderr.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
    var quiet = false
}

/// The options of a command that may ask before it goes on.
struct OutputOptions: ParsableArguments {
    @OptionGroup var print: PrintOptions

    var json: Bool { print.json }
    var quiet: Bool { print.quiet }

    @Flag(name: .shortAndLong, help: "Do what cannot be undone without asking.")
    var yes = false
}

/// A duration as people write it.
struct WaitingTime: ExpressibleByArgument, Hashable {
    /// Nil waits forever.
    let duration: Duration?

    init(_ duration: Duration?) { self.duration = duration }

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        guard let (suffix, factor) = units.first(where: { argument.hasSuffix($0.0) }),
            let number = Double(argument.dropLast(suffix.count)), number.isFinite, (0...1e6).contains(number)
        else { return nil }
        duration = number == 0 ? nil : .milliseconds(Int64((number * factor * 1000).rounded()))
    }
}

/// A tag's UID as an argument: hexadecimal, with or without colons, spaces or dashes.
struct TagUID: ExpressibleByArgument, Hashable {
    let bytes: [UInt8]
    /// The lengths that tags have: ISO/IEC 14443-3 UID and PUPI; FeliCa IDm.
    static let lengths: Set = [4, 7, 8, 10]

    init?(argument: String) {
        let digits = argument.utf8.filter { !":- ".utf8.contains($0) }
        guard let bytes = try? HexText.bytes(digits, separators: ""), 1...10 ~= bytes.count else { return nil }
        self.bytes = bytes
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

/// No reader that libnfc drives has the radio for tags of this type.
struct TypeOutOfReach: Failure {
    var name: ErrorName { .noReader }
    var message: String {
        "Type 5 Tags (ISO 15693: ICODE, ST25TV, NTAG 5) are out of reach: no reader on a PN532, PN533 or ACR122 has their radio."
    }
}
