// A file that contains a message, or the dump of a tag with a message

public import Composing
import Hexadecimal
public import NDEF
import TagImage

/// A file that contains a message or the dump of a tag.
///
/// Only the content decides: a file that is exactly one message is a message. Any other file is a dump if it can be
/// read as a dump. If the caller requests hexadecimal text, the file is always a message.
public enum StoredMessage {
    /// A message, with the bytes from which it was read.
    case message(NDEFMessage, bytes: [UInt8])
    /// The dump of a tag.
    case dump(DumpedTag)

    /// Reads the file.
    ///
    /// - Throws: `InputError`, also for a file that is neither a message nor a dump; ``BrokenDump`` for a damaged dump
    ///   in a text format.
    public init(of file: MessageFile) throws {
        let bytes = try file.bytes()
        do throws(InputError) {
            self = .message(try file.message(bytes), bytes: bytes)
        } catch {
            // Hexadecimal text of a message may happen to have the size of a tag's memory.
            let isMessageAsText = (try? HexText.bytes(bytes)).flatMap { try? NDEFMessage(bytes: $0) } != nil
            guard !file.isHex, !isMessageAsText, let image = try Self.image(bytes, in: file) else { throw error }
            self = .dump(DumpedTag(image, file: file.path))
        }
    }

    private static func image(_ bytes: [UInt8], in file: MessageFile) throws(BrokenDump) -> TagImage? {
        let format = TagImage.Format(contents: bytes)
        do throws(TagImageError) {
            let image = try TagImage(bytes, format: format)
            // A truncated message can have the same size as a tag's memory.
            if format == .bin || format == .hex { try image.checkIdentity() }
            return image
        } catch {
            // A binary or hexadecimal file is more likely to be a damaged message than a damaged dump.
            if format == .bin || format == .hex { return nil }
            throw BrokenDump(source: InputFile(path: file.path).source, error: error)
        }
    }
}
