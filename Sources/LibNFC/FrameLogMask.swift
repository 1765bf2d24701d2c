// Secrets in libnfc's own debug lines with frames to and from a PN53x — NXP PN532 UM0701, InDataExchange,
// InCommunicateThru

import Cstderr
import Glibc
import ReaderInterface
import Synchronization

/// Hides secrets in lines such as `debug libnfc.bus.uart TX: 00 00 ff 07 f9 d4 42 1b …`.
struct FrameLogMask {
    private static let marks = (sent: "\tTX: ", received: "\tRX: ")
    private static let toChip = 0xD4
    /// The commands that contain a frame for a tag, and the number of bytes before the frame.
    private static let carriers = [0x40: 3, 0x42: 2]

    private var mask = WireMask()
    /// Whether to hide the present answer.
    ///
    /// libnfc reads an answer in several pieces, and all of them are hidden.
    private var hidesAnswer = false

    /// Returns the form of a line, without its newline, that may be shown.
    mutating func shown(_ line: String) -> String {
        if let mark = line.firstRange(of: Self.marks.sent) {
            let bytes = Self.bytes(line[mark.upperBound...])
            // A new command ends the previous answer.
            hidesAnswer = false
            guard let start = Self.tagFrame(in: bytes) else { return line }
            let frame = bytes[start...].map { UInt8(truncatingIfNeeded: $0) }
            let hidden = mask.firstHidden(inCommand: frame)
            // Use a dummy answer to check whether any part of the next answer must be hidden.
            hidesAnswer = mask.firstHidden(inAnswer: Array(repeating: 0, count: 7)) != nil
            guard let hidden else { return line }
            return String(line[..<mark.upperBound]) + Self.text(bytes, hidingFrom: start + hidden)
        }
        guard hidesAnswer, let mark = line.firstRange(of: Self.marks.received) else { return line }
        return String(line[..<mark.upperBound]) + Self.text(Self.bytes(line[mark.upperBound...]), hidingFrom: 0)
    }

    private static func bytes(_ text: Substring) -> [Int] {
        text.split(separator: " ").compactMap { Int($0, radix: 16) }
    }

    private static func tagFrame(in bytes: [Int]) -> Int? {
        for index in bytes.indices.dropLast() where bytes[index] == toChip {
            guard let head = carriers[bytes[index + 1]] else { continue }
            return index + head < bytes.count ? index + head : nil
        }
        return nil
    }

    private static func text(_ bytes: [Int], hidingFrom hidden: Int) -> String {
        bytes.enumerated().map { index, byte in
            index >= hidden ? "**" : (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined(separator: " ")
    }
}

extension LibNFC {
    private static let frameLog = Mutex(FrameLogMask())

    /// Hides passwords and keys in libnfc's output on stderr from now on.
    ///
    /// Call this only in a process that does nothing except hold a reader.
    public static func maskFrameLog() {
        _ = divert_stderr { _, bytes, count in
            guard let bytes else { return 0 }
            let text = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
            let shown = LibNFC.frameLog.withLock { mask in
                text.split(separator: "\n", omittingEmptySubsequences: false).map { mask.shown(String($0)) }
            }
            var output = Array(shown.joined(separator: "\n").utf8)[...]
            while !output.isEmpty {
                let written = output.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { break }
                output = output.dropFirst(written)
            }
            return count
        }
    }
}
