// The format of a dump file: as requested or according to its name — Docs/CommandLine.md, dump

public import ArgumentParser
import SafeTag
public import TagImage

extension DumpFile {
    private var nameInSentence: String {
        switch path {
        case "-": "standard output"
        case "": "an empty file name"
        default: "\"\(path)\" from its name"
        }
    }

    /// Returns the format to write: the requested format or, without one, the format that the file name selects.
    func format(_ asked: TagImage.Format?) throws -> TagImage.Format {
        if let format = asked ?? TagImage.Format(fileName: path) { return format }
        throw UsageFailure(
            message: "Cannot tell the format of \(nameInSentence). Use --format nfc, bin, json, eml, mct or hex.")
    }
}

extension TagImage.Format: ExpressibleByArgument {}
