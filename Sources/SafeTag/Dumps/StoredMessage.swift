// A message from a file: the message itself, or the dump of a tag that holds it

public import Composing
import Hexadecimal
public import NDEF
import TagImage

/// A file with a message, or with the dump of a tag.
///
/// What a file is follows from its bytes alone: a message, if all of it is one; else a dump, if it is one; else neither. With
/// hexadecimal text that was asked for it is a message.
public enum StoredMessage {
    /// A message, with the bytes it was read from.
    case message(NDEFMessage, bytes: [UInt8])
    /// The dump of a tag.
    case dump(DumpedTag)

    /// Reads the file.
    ///
    /// - Throws: `InputError`, also for a file that is neither; ``BrokenDump`` for one that begins like the text of a dump.
    public init(of file: MessageFile) throws {
        let bytes = try file.bytes()
        do throws(InputError) {
            self = .message(try file.message(bytes), bytes: bytes)
        } catch {
            // A message as text has the size of a memory now and then.
            let isMessageAsText = (try? HexText.bytes(bytes)).flatMap { try? NDEFMessage(bytes: $0) } != nil
            guard !file.isHex, !isMessageAsText, let image = try Self.image(bytes, in: file) else { throw error }
            self = .dump(DumpedTag(image, file: file.path))
        }
    }

    private static func image(_ bytes: [UInt8], in file: MessageFile) throws(BrokenDump) -> TagImage? {
        let format = TagImage.Format(contents: bytes)
        do throws(TagImageError) {
            return try TagImage(bytes, format: format)
        } catch {
            // Of mere bytes, and of hexadecimal text, it is more likely that they were to be a message.
            if format == .bin || format == .hex { return nil }
            throw BrokenDump(source: InputFile(path: file.path).source, error: error)
        }
    }
}
