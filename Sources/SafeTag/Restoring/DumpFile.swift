// A dump file, and the errors that it may cause

import Composing
public import ReaderInterface
public import TagImage

/// A file that contains, or will contain, the memory of a tag.
///
/// ```swift
/// let image = try DumpFile(path: "tag.nfc").read()
/// let bytes = try DumpFile(path: "tag.json").bytes(of: image, .json)
/// ```
public struct DumpFile: Sendable {
    /// The path of the file, or `-` for standard input.
    public let path: String

    /// Creates a value for a file.
    ///
    /// Nothing is read yet.
    public init(path: String) { self.path = path }

    /// Reads the file in the format that its content shows, regardless of its name.
    ///
    /// - Throws: `InputError` if the file cannot be read; ``BrokenDump`` if it is not a dump.
    public func read() throws -> TagImage {
        let bytes = try InputFile(path: path).read()
        do throws(TagImageError) {
            return try TagImage(bytes, format: TagImage.Format(contents: bytes))
        } catch {
            throw BrokenDump(source: InputFile(path: path).source, error: error)
        }
    }

    /// Reads the file as ``read()`` does, for a command that shows the tag.
    ///
    /// A file that contains only memory does not name the kind of tag, so its memory must have the values that all tags
    /// of its kind have.
    ///
    /// - Returns: the image, and its flaw or nil if it has none. If the format does not name the kind of tag, a flaw is
    ///   thrown instead.
    /// - Throws: `InputError` for a file that cannot be read; ``BrokenDump`` for a file that is not a dump.
    public func readTag() throws -> (image: TagImage, flaw: TagImageError?) {
        let bytes = try InputFile(path: path).read()
        let format = TagImage.Format(contents: bytes)
        let image: TagImage
        do throws(TagImageError) {
            image = try TagImage(bytes, format: format)
        } catch {
            throw BrokenDump(source: InputFile(path: path).source, error: error)
        }
        do throws(TagImageError) {
            try image.checkIdentity()
            return (image, nil)
        } catch {
            guard format == .bin || format == .hex else { return (image, error) }
            throw BrokenDump(source: InputFile(path: path).source, error: error)
        }
    }

    /// Encodes an image as the bytes of the file.
    ///
    /// Nothing is written.
    ///
    /// - Throws: ``BrokenDump`` if the format cannot hold the image.
    public func bytes(of image: TagImage, _ format: TagImage.Format) throws(BrokenDump) -> [UInt8] {
        do throws(TagImageError) {
            return try image.bytes(format)
        } catch {
            throw BrokenDump(source: path, error: error)
        }
    }
}

/// The error for a file that is not a dump, or for a dump that does not fit the requested format.
public struct BrokenDump: ClassifiedError {
    /// The name of the file, worded for the start of a sentence.
    public let source: String
    /// The error in the dump.
    public let error: TagImageError

    /// Creates an error about a file.
    public init(source: String, error: TagImageError) {
        self.source = source
        self.error = error
    }

    /// The kind of failure.
    public var kind: FailureKind {
        if case .notExpressible = error { .wrongChip } else { .badFile }
    }

    /// A description in sentences.
    public var description: String {
        switch error {
        // The extension `.mfd` also requests the format `.bin`, so name the extension, not the format.
        case .notExpressible(let format, let reason) where TagImage.Format(fileName: source) == format:
            "A .\(source.split(separator: ".").last ?? "") file cannot hold this: \(reason)."
        case .notExpressible: error.description
        default: "\(source) is not a dump that can be used. \(error)"
        }
    }
}

/// The error for a file that cannot be the memory of a tag, although its size and format are right.
public struct UnsoundDump: ClassifiedError {
    /// The name of the file, worded for the start of a sentence.
    public let source: String
    /// The error in the dump.
    public let error: TagImageError

    /// The kind of failure.
    public var kind: FailureKind { .badFile }

    /// A description in sentences.
    public var description: String { "\(BrokenDump(source: source, error: error)) Nothing was written." }

    /// Checks that a dump can be the memory of a tag.
    ///
    /// - Parameters:
    ///   - dump: the content of the file.
    ///   - source: the name of the file, worded for the start of a sentence.
    /// - Throws: ``UnsoundDump``.
    public static func check(_ dump: TagImage, _ source: String) throws {
        do throws(TagImageError) {
            try dump.checkMemory()
        } catch {
            throw UnsoundDump(source: source, error: error)
        }
    }
}
