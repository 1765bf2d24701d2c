// nfctool restore: writes a dump back to a tag with the same chip

import ArgumentParser
import Composing
import SafeTag
import TagImage
import Terminal

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Write a dump to a tag of the same chip.",
        discussion: """
            Writes only blocks that differ, and reads each back. UID, lock bits, one-time bits and configuration are \
            kept unless an option includes them. Passwords and counters are never restored. Refuses a file that cannot \
            be the memory of a tag. Asks before the dump of another tag replaces a message, before a message would mix \
            data of dump and tag, and before changes that cannot be undone; --yes skips these questions. If the chip \
            shows its UID or counter in the message, it stops doing so first. It does so again if the dump says so, or \
            if the dump was made from this tag.

              nfctool restore tag.nfc
              nfctool restore amiibo.bin --otp --lock-bits
            """)

    @Argument(help: "The dump file, or - for stdin. The format is detected from its content.", completion: .file())
    var file: String

    @Flag(name: .customLong("uid-block"), help: "Also restore the blocks with the UID, on chips that allow it.")
    var uidBlock = false

    @Flag(help: "Also restore lock bits (permanent) and the read-only mark of a Type 3 Tag.")
    var lockBits = false

    @Flag(help: "Also restore one-time bits for data, as in a capability container (permanent).")
    var otp = false

    @Flag(
        name: .customLong("configuration"),
        help: "Also restore configuration, sector trailers and reserved blocks, but not passwords.")
    var restoresConfiguration = false

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    private var parts: RestorePlan.Parts {
        var parts: RestorePlan.Parts = []
        if uidBlock { parts.insert(.uid) }
        if lockBits { parts.insert(.lockBits) }
        if otp { parts.insert(.otp) }
        if restoresConfiguration { parts.insert(.configuration) }
        return parts
    }

    func run() async throws {
        let dump = try DumpFile(path: file).read()
        try UnsoundDump.check(dump, InputFile(path: file).source)
        let report = try await TagSession.run(options) { session in
            do {
                let (tag, result) = try await Restore(dump, parts, from: file, in: session)
                    .run(on: session.onlyTag(for: options))
                return RestoreReport(
                    result, reader: session.reader, uid: tag.uid, chip: try await session.name(of: tag), file: file)
            } catch let error as TagImageError {
                throw BrokenDump(source: InputFile(path: file).source, error: error)
            }
        }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.printSentences(report.text)
        }
    }
}
