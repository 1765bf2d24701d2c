// nfctool dump: saves a tag's whole memory in a file

import ArgumentParser
import MemoryPresentation
import ReaderSession
import SafeTag
import TagImage
import Terminal

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Save a tag's whole memory in a file.",
        discussion: """
            The file name selects the format. .nfc: Flipper. .bin and .mfd: the memory in binary; password bytes read as zero. \
            .json: Proxmark, or nfctool's own format for tags that Proxmark's does not support. .eml: one block per line in \
            hexadecimal. .hex: the same with spaces between the bytes. .mct: MIFARE Classic Tool.

            If parts of the memory cannot be read without a password or key, nothing is written unless --partial is \
            given. With --partial, unknown bytes are marked, which .bin and .mfd cannot do. The file may contain keys, \
            so only you can read it. Asks before it replaces an existing file, unless --overwrite is given.

            If an NTAG21x shows its UID or counter in the message, the file contains what is shown. The bytes stored \
            there cannot be read; restore writes zeros.

              nfctool dump tag.nfc
              nfctool dump - --format json
            """)

    @Argument(help: "The file, or - for stdout.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The format: nfc, bin, json, eml, mct or hex.", discussion: "Default: from the file name."))
    var format: TagImage.Format?

    @Flag(help: "Save the readable part if some of the memory cannot be read.")
    var partial = false

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let format = try DumpFile(path: file).format(format)
        let place = try ResultFile(file, .secret).apart(from: ReaderSpecification(options.reader))
            .claimed(overwrite: overwrite.isAllowed, isJSON: options.output.json)
        let (report, write, restore) = try await TagSession.runForReading(options) { session in
            let tag = try await session.connect(
                to: session.onlyTag(for: options))
            let dump = try await TagDump.read(tag)
            guard partial || dump.hidden.isEmpty else { throw PartialDump(of: dump) }
            let name = try await session.name(of: tag)
            if let shown = dump.shown {
                Warning(options.output).show(
                    "The chip shows \(shown.words) in the message. The dump contains what is shown; restore writes zeros there."
                )
            }
            if dump.isFilledIn {
                Warning(options.output).show(
                    "The tag fills in its message at each tap. The dump contains the values of one tap. A tag restored from it would always show these."
                )
            }
            if !dump.sectorsWithoutKey.isEmpty {
                let list = BlockList(dump.sectorsWithoutKey, of: "Sector")
                Warning(options.output).show(
                    "\(list): a key is unknown and missing from the dump. Supply it with --key-file.")
            }
            if !dump.blocked.isEmpty {
                let lack = " The dump does not contain " + (dump.blocked.count == 1 ? "its blocks." : "their blocks.")
                Warning(options.output).show(BlockedSectors(dump.blocked).words + lack)
            }
            if let words = dump.origin?.words { Warning(options.output).show("This card is not genuine: \(words).") }
            let (write, restore) = (await InterruptedWrite.find(on: tag), await session.halfRestore(of: tag.detected))
            let report = DumpReport(
                reader: session.reader, uid: tag.uid, name: name, file: file, format: format, image: dump.image,
                isUnfinished: write != nil || restore != nil)
            return (report, write, restore)
        }
        write?.tell(options.output)
        [restore].compactMap(\.self).tell(options.output)
        try place.write(try DumpFile(path: file).bytes(of: report.image, format))
        // On stdout, there must be nothing but the dump.
        guard file != "-" else { return }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.printSentences(report.text)
        }
    }
}
