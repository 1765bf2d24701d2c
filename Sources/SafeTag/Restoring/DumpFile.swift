// A dump file by its path, and what is wrong with it

import Composing
public import ReaderInterface
public import TagImage

/// A file that holds, or will hold, a tag's memory.
///
/// ```swift
/// let image = try DumpFile(path: "tag.nfc").read()
/// let bytes = try DumpFile(path: "tag.json").bytes(of: image, .json)
/// ```
public struct DumpFile: Sendable {
    /// `-` is the standard input.
    public let path: String

    /// Names a file; nothing is read yet.
    public init(path: String) { self.path = path }

    /// Reads the file in the format that its content shows, whatever its name is.
    ///
    /// - Throws: `InputError` for a file that cannot be read; ``BrokenDump`` for a file that is not a dump.
    public func read() throws -> TagImage {
        let bytes = try InputFile(path: path).read()
        do throws(TagImageError) {
            return try TagImage(bytes, format: TagImage.Format(contents: bytes))
        } catch {
            throw BrokenDump(source: InputFile(path: path).source, error: error)
        }
    }

    /// An image as the file's bytes; nothing is written.
    ///
    /// - Throws: ``BrokenDump`` for a format that cannot hold the image.
    public func bytes(of image: TagImage, _ format: TagImage.Format) throws(BrokenDump) -> [UInt8] {
        do throws(TagImageError) {
            return try image.bytes(format)
        } catch {
            throw BrokenDump(source: path, error: error)
        }
    }
}

/// A file that is no dump, or a dump that cannot be written in a format.
public struct BrokenDump: ClassifiedError {
    /// The file at the start of a sentence.
    public let source: String
    /// What is wrong.
    public let error: TagImageError

    /// Makes an error about a file.
    public init(source: String, error: TagImageError) {
        self.source = source
        self.error = error
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind {
        if case .notExpressible = error { .wrongChip } else { .badFile }
    }

    /// What happened, in sentences.
    public var description: String {
        switch error {
        // A name may ask for `.bin` as `.mfd`.
        case .notExpressible(let format, let reason) where TagImage.Format(fileName: source) == format:
            "A .\(source.split(separator: ".").last ?? "") file cannot hold this: \(reason)."
        case .notExpressible: error.description
        default: "\(source) is not a dump that can be used. \(error)"
        }
    }
}

/// A file that is not the memory of a tag, though its size and format are right.
public struct UnsoundDump: ClassifiedError {
    /// The file at the start of a sentence.
    public let source: String
    /// What is wrong.
    public let error: TagImageError

    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in sentences.
    public var description: String { "\(BrokenDump(source: source, error: error)) Nothing was written." }

    /// Makes sure that a dump can be the memory of a tag.
    ///
    /// - Parameters:
    ///   - dump: what the file holds.
    ///   - source: the dump's file at the start of a sentence.
    /// - Throws: ``UnsoundDump``.
    public static func check(_ dump: TagImage, _ source: String) throws {
        do throws(TagImageError) {
            try dump.checkMemory()
        } catch {
            throw UnsoundDump(source: source, error: error)
        }
    }
}
