// A message in a file or on the standard input, as bytes or as hexadecimal text

import Composing
import Hexadecimal
import NDEF

/// Where `ndef decode` and `ndef check` find a message.
struct MessageFile {
    /// `-` is the standard input.
    let path: String
    /// Whether the file is hexadecimal text.
    let isHex: Bool

    private var input: InputFile { InputFile(path: path) }

    /// The message's bytes; blocks while a pipe stays open.
    func bytes() throws(InputError) -> [UInt8] {
        let bytes = try input.read()
        guard isHex else { return bytes }
        do throws(HexTextError) {
            return try HexText.bytes(bytes)
        } catch {
            throw .notHex(source: input.source, error)
        }
    }

    /// The message that these bytes of the file are.
    func message(_ bytes: [UInt8]) throws(InputError) -> NDEFMessage {
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
