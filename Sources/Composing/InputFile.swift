// A file, or standard input, that is read completely

import Foundation
import NDEF

/// A file whose bytes become data or a message.
public struct InputFile: Sendable {
    /// The maximum number of bytes to read, which is the limit for the payload of a message.
    ///
    /// Reading from an endless device stops after that number.
    public static let maximumLength = NDEFMessage.maximumPayloadLength
    private static let chunkLength = 65536

    /// The path of the file, or `-` for standard input.
    public let path: String

    /// Creates a file with a path.
    public init(path: String) { self.path = path }

    /// The name of the file in words that can begin a sentence.
    ///
    /// Empty if the path is empty.
    public var source: String {
        switch path {
        case "-": "Standard input"
        default: path
        }
    }

    /// Reads the whole file.
    ///
    /// The call blocks while a pipe stays open.
    public func read() throws(InputError) -> [UInt8] {
        guard path != "-" else { return try read(from: STDIN_FILENO) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(source: source, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        return try read(from: descriptor)
    }

    /// Reads the whole file as UTF-8 text, without the byte order mark that editors on Windows add.
    ///
    /// - Returns: the text, with U+FFFD in place of bytes that are not UTF-8.
    /// - Throws: the same errors as ``read()``.
    public func readText() throws(InputError) -> String {
        let bytes = try read()
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return String(decoding: text, as: UTF8.self)
    }

    private func read(from descriptor: Int32) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.chunkLength)
        while bytes.count <= Self.maximumLength {
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if errno != EINTR {
                throw .unreadable(source: source, reason: String(cString: strerror(errno)))
            }
        }
        throw .tooLong(source: source)
    }
}
