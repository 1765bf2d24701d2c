// A message in a file or on the standard input, as bytes or as hexadecimal text

import Hexadecimal
public import NDEF

/// A file that holds one message.
public struct MessageFile {
    /// `-` is the standard input.
    public let path: String
    /// Whether the file is hexadecimal text.
    public let isHex: Bool

    /// Names a file; nothing is read yet.
    public init(path: String, isHex: Bool) {
        self.path = path
        self.isHex = isHex
    }

    private var input: InputFile { InputFile(path: path) }

    /// The message's bytes; blocks while a pipe stays open.
    ///
    /// - Throws: ``InputError`` for a file that cannot be read, is too long, or is not the hexadecimal text it should be.
    public func bytes() throws(InputError) -> [UInt8] {
        let bytes = try input.read()
        guard isHex else { return bytes }
        do throws(HexTextError) {
            return try HexText.bytes(bytes)
        } catch {
            throw .notHex(source: input.source, error)
        }
    }

    /// The message that these bytes of the file are.
    ///
    /// - Throws: ``InputError/notMessage(source:_:)``, or ``InputError/hexText(source:_:)`` where the file is text after all.
    public func message(_ bytes: [UInt8]) throws(InputError) -> NDEFMessage {
        do throws(NDEFError) {
            return try NDEFMessage(bytes: bytes)
        } catch {
            // No message begins with a digit: MB is bit 7 of its first byte.
            throw isHexText(bytes) ? .hexText(source: input.source, error) : .notMessage(source: input.source, error)
        }
    }

    private func isHexText(_ bytes: [UInt8]) -> Bool {
        guard !isHex, let text = try? HexText.bytes(bytes) else { return false }
        return !text.isEmpty
    }
}
