// The format of a dump file: as asked, or by its name — Docs/CommandLine.md, dump

public import ArgumentParser
import SafeTag
public import TagImage

extension DumpFile {
    private var nameInSentence: String {
        switch path {
        case "-": "The standard output"
        case "": "The empty file name"
        default: "The name \(path)"
        }
    }

    /// The format to write: as asked, else as the name says.
    func format(_ asked: TagImage.Format?) throws -> TagImage.Format {
        if let format = asked ?? TagImage.Format(fileName: path) { return format }
        throw UsageFailure(
            message: "\(nameInSentence) tells no format; add --format nfc, bin or json.")
    }
}

extension TagImage.Format: ExpressibleByArgument {}
