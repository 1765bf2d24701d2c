// nfctool dump: a tag's whole memory into a file

import ArgumentParser
import CoreNFC
import NFCReader
import TagImage

struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Save a tag's whole memory in a file.",
        discussion: """
            The file's name tells the format: .nfc is Flipper's, .bin and .mfd are the memory as the chip gives it (password \
            bytes read as zero), .json is Proxmark's, or our own for tags that has no type for.

              nfctool dump tag.nfc
              nfctool dump - --format json
            """)

    @Argument(help: "The file, - for stdout.")
    var file: String

    @Option(help: ArgumentHelp("The format: nfc, bin or json.", discussion: "Default: as the file's name ends."))
    var format: TagImage.Format?

    @OptionGroup var options: TagOptions

    func run() async throws {
        let format = try DumpFile(path: file).format(format)
        let report = try await TagSession.run(options) { session in
            let tag = try await session.onlyTag(within: options.waitingTime, uid: options.uid)
            let (image, _) = try await session.image(of: tag)
            return DumpReport(reader: session.reader, uid: tag.uid, file: file, format: format, image: image)
        }
        try RawOutput(path: file).write(try DumpFile(path: file).bytes(of: report.image, format))
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
    let file: String
    let format: TagImage.Format
    let image: TagImage

    private var unreadable: [Int] { image.blocks.filter { $0.bytes == nil }.map(\.number) }

    var text: String {
        let what = image.kind == .type4 ? "\(image.files.count) files" : "\(image.blocks.count) blocks"
        let passing = unreadable.filter { image.kind.isChangedByChip($0) }
        let lost = unreadable.filter { !passing.contains($0) }
        let notes = [
            passing.isEmpty ? "" : "; \(BlockList(passing)), which the chip itself changes, were not read",
            lost.isEmpty ? "" : "; \(BlockList(lost)) could not be read",
        ]
        return TerminalText.escaped(
            "Saved \(what) of \(image.kindName) \(uid) in \(file)\(notes.joined()).")
    }

    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, file, format, blocks, unreadable
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(image.kindName, forKey: .chip)
        try container.encode(file, forKey: .file)
        try container.encode(format.rawValue, forKey: .format)
        try container.encode(image.blocks.count, forKey: .blocks)
        try container.encode(unreadable, forKey: .unreadable)
    }
}

/// Block numbers as people list them: `blocks 0-2, 40`.
struct BlockList: CustomStringConvertible {
    private let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers.sorted() }

    var description: String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, number == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let texts = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return (numbers.count == 1 ? "block " : "blocks ") + texts.joined(separator: ", ")
    }
}
