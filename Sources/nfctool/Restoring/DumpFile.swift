// A dump file by its path: its format, and what is wrong with it — Docs/CommandLine.md, dump and restore

public import ArgumentParser
import Composing
public import TagImage

/// A file that holds, or will hold, a tag's memory.
struct DumpFile {
    let path: String

    private var nameInSentence: String {
        switch path {
        case "-": "The standard output"
        case "": "The empty file name"
        default: "The name \(path)"
        }
    }

    /// Reads the file, whatever its name says, in the format its contents tell.
    func read() throws -> TagImage {
        let bytes = try InputFile(path: path).read()
        do throws(TagImageError) {
            return try TagImage(bytes, format: TagImage.Format(contents: bytes))
        } catch {
            throw BrokenDump(source: InputFile(path: path).source, error: error)
        }
    }

    /// An image as the file's bytes.
    func bytes(of image: TagImage, _ format: TagImage.Format) throws(BrokenDump) -> [UInt8] {
        do throws(TagImageError) {
            return try image.bytes(format)
        } catch {
            throw BrokenDump(source: path, error: error)
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

/// A file that is no dump, or a dump that cannot be written in a format.
struct BrokenDump: Failure {
    let source: String
    let error: TagImageError

    var name: ErrorName {
        if case .notExpressible = error { .wrongChip } else { .badFile }
    }

    var message: String {
        switch error {
        case .notExpressible: error.description
        default: "\(source) is not a dump that can be used. \(error)"
        }
    }

    var details: [String: FailureDetail] {
        guard case .malformed(let place, _, _) = error else { return [:] }
        let field = ["field": FailureDetail.text(place.field)]
        return place.line.map { field.merging(["line": .number($0)]) { first, _ in first } } ?? field
    }
}

/// A file that is not the memory of a tag, though its size and format are right.
struct UnsoundDump: Failure {
    let source: String
    let error: TagImageError
    var name: ErrorName { .badFile }
    var message: String { BrokenDump(source: source, error: error).message + " Nothing was written." }
    var details: [String: FailureDetail] { BrokenDump(source: source, error: error).details }

    /// - Throws: ``UnsoundDump``.
    static func check(_ dump: TagImage, _ source: String) throws {
        do throws(TagImageError) {
            try dump.checkMemory()
        } catch {
            throw UnsoundDump(source: source, error: error)
        }
    }
}
