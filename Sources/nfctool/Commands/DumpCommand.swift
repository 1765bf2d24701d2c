// nfctool dump: a tag's whole memory into a file

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag
import TagImage
import TagTypes
import Terminal

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Save a tag's whole memory in a file.",
        discussion: """
            The file's name tells the format: .nfc is Flipper's, .bin and .mfd are the memory as the chip gives it (password \
            bytes read as zero), .json is Proxmark's, or our own for tags that has no type for.

            What a tag does not show without its password, or a key, would be missing in the file: it is written with --partial \
            only. The file may hold keys, so only you may read it. One that exists already is replaced once you agree, or with \
            --overwrite.

            Where an NTAG21x shows its UID or counter in the message, the file has what is shown: what is stored there does not \
            read. restore writes zeros there.

              nfctool dump tag.nfc
              nfctool dump - --format json
            """)

    @Argument(help: "The file, - for stdout.")
    var file: String

    @Option(help: ArgumentHelp("The format: nfc, bin or json.", discussion: "Default: as the file's name ends."))
    var format: TagImage.Format?

    @Flag(help: "Save what can be read of a tag that does not show all of its memory.")
    var partial = false

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var options: TagOptions

    func run() async throws {
        let format = try DumpFile(path: file).format(format)
        let place = try ResultFile(file, .secret).claimed(overwrite: overwrite.isAllowed, isJSON: options.output.json)
        let (report, write, restore) = try await TagSession.run(options, for: .reading) { session in
            let tag = try await session.connect(
                to: session.onlyTag(for: options))
            let (image, memory) = try await tag.image()
            // Passwords and keys never read back.
            let hidden = memory.blocks.filter { $0.bytes == nil && $0.role != .password }.map(\.number)
            guard partial || hidden.isEmpty else { throw PartialDump(of: image, hidden: hidden) }
            let name = try await session.name(of: tag)
            if let shown = memory.mirror?.content {
                Warning(options.output).show(
                    "The chip shows \(shown.words) in the message. The dump has what is shown; restore writes zeros in its place."
                )
            }
            let (write, restore) = (await InterruptedWrite.find(on: tag), await session.halfRestore(of: tag.detected))
            let report = DumpReport(
                reader: session.reader, uid: tag.uid, name: name, file: file, format: format, image: image,
                isUnfinished: write != nil || restore != nil)
            return (report, write, restore)
        }
        write?.tell(options.output)
        [restore].compactMap(\.self).tell(options.output)
        try place.write(try DumpFile(path: file).bytes(of: report.image, format))
        // What goes to stdout is the dump alone.
        guard file != "-" else { return }
        if options.output.json {
            try JSONLine.print(report)
        } else if !options.output.quiet {
            StandardOutput.print(report.text)
        }
    }
}

/// What was saved.
private struct DumpReport: Encodable {
    let reader: String
    let uid: String
    let name: String
    let file: String
    let format: TagImage.Format
    let image: TagImage
    /// Whether an earlier write or restore of the tag was interrupted: the dump holds what that left.
    let isUnfinished: Bool

    private var unreadable: [Int] { image.blocks.filter { $0.bytes == nil }.map(\.number) }

    var text: String {
        let what = image.kind == .type4 ? "\(image.files.count) files" : "\(image.blocks.count) blocks"
        let passing = unreadable.filter { image.kind.isChangedByChip($0) }
        let lost = unreadable.filter { !passing.contains($0) }
        let notes = [
            passing.isEmpty ? "" : "; \(BlockList(passing)), which the chip itself changes, were not read",
            lost.isEmpty ? "" : "; \(BlockList(lost)) could not be read",
        ]
        return TerminalText.escaped("Saved \(what) of \(name) \(uid) in \(file)\(notes.joined()).")
    }

    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, file, format, blocks, unreadable, unfinished
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(name, forKey: .chip)
        try container.encode(file, forKey: .file)
        try container.encode(format.rawValue, forKey: .format)
        try container.encode(image.blocks.count, forKey: .blocks)
        try container.encode(unreadable, forKey: .unreadable)
        if isUnfinished { try container.encode(true, forKey: .unfinished) }
    }
}

/// A tag does not show all of its memory.
struct PartialDump: Failure {
    private let kind: TagImage.Kind
    private let count: Int
    private let hidden: [Int]

    init(of image: TagImage, hidden: [Int]) {
        kind = image.kind
        count = image.blocks.count
        self.hidden = hidden
    }

    /// What blocks of Type 1 hide behind is the reader, not the tag.
    private var isOutOfReach: Bool { kind == .topaz96 || kind == .topaz512 }

    var name: ErrorName { isOutOfReach ? .wrongChip : .passwordNeeded }

    var message: String {
        let need =
            switch kind {
            case .type2: "without the password or key"
            case .classic1K, .classic4K: "with the keys that everybody knows"
            case .feliCaLite, .type3: "without the card's key"
            case .topaz96, .topaz512, .type4: "with this reader"
            }
        return
            "\(hidden.count) of the tag's \(count) blocks cannot be read \(need): \(BlockList(hidden)). Nothing was saved."
    }

    /// What to do, in up to three lines.
    var advice: String {
        guard case .type2 = kind else { return "Save what can be read:  --partial" }
        return """
            Give the password:  --password-file FILE , or its text in the environment variable NFCTOOL_PASSWORD.
            Save what can be read without it:  --partial
            """
    }
}
