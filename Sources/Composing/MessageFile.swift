// A message in a file or on standard input, as bytes or as hexadecimal text

import Hexadecimal
public import NDEF

/// A file that contains one message.
public struct MessageFile {
    /// The path of the file, or `-` for standard input.
    public let path: String
    /// Whether the file is hexadecimal text.
    public let isHex: Bool

    /// Creates a file without reading it.
    public init(path: String, isHex: Bool) {
        self.path = path
        self.isHex = isHex
    }

    private var input: InputFile { InputFile(path: path) }

    /// Reads the message's bytes.
    ///
    /// The call blocks while a pipe stays open.
    ///
    /// - Throws: ``InputError`` if the file cannot be read, is too long, or is not the expected hexadecimal text.
    public func bytes() throws(InputError) -> [UInt8] {
        let bytes = try input.read()
        guard isHex else { return bytes }
        do throws(HexTextError) {
            return try HexText.bytes(bytes)
        } catch {
            throw .notHex(source: input.source, error)
        }
    }

    /// Decodes the message from the bytes of the file.
    ///
    /// - Throws: ``InputError/notMessage(source:_:)``, or ``InputError/hexText(source:_:)`` if the file is hexadecimal
    ///   text.
    public func message(_ bytes: [UInt8]) throws(InputError) -> NDEFMessage {
        do throws(NDEFError) {
            return try NDEFMessage(bytes: bytes)
        } catch {
            // Hexadecimal text is never a message: bit 7 of a message's first byte (MB) is set, and no digit has bit 7
            // set.
            throw isHexText(bytes) ? .hexText(source: input.source, error) : .notMessage(source: input.source, error)
        }
    }

    private func isHexText(_ bytes: [UInt8]) -> Bool {
        guard !isHex, let text = try? HexText.bytes(bytes) else { return false }
        return !text.isEmpty
    }
}
