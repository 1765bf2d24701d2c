// A file to which a line is appended for each tag — POSIX O_APPEND, fsync, flock(2)

import DurableFiles
import Foundation
import Glibc
package import SystemPackage

/// A file to which lines are appended.
///
/// Each line is on disk when the call that appends it returns. Several programs may append to the same file. A line is
/// written completely or not at all.
package final class AppendedLines: Sendable {
    package enum Refusal: Error {
        case system(Errno)
        /// The path is a device, a pipe or a folder.
        case notAFile
        /// The existing content does not begin in the expected way.
        case otherContent
    }

    private let descriptor: Int32
    private static let newline = UInt8(ascii: "\n")

    /// Opens the file, or creates it with mode 0600, because a tag's message may contain a password.
    ///
    /// If the last line of the file has no line break, one is added.
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - header: the first line, with its line break. It is written to an empty file, and any other file must begin
    ///     with it.
    ///   - beginning: the text with which a non-empty file must begin if `header` is empty.
    /// - Throws: `notAFile` for a folder, a pipe or a device; `otherContent` for a file that begins differently;
    ///   `system` with the error of a system call.
    package init(path: String, header: String = "", beginning: String = "") throws(Refusal) {
        descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            let code = Errno(rawValue: errno)
            throw code == .isDirectory ? .notAFile : .system(code)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        flock(descriptor, LOCK_EX)
        defer { flock(descriptor, LOCK_UN) }
        guard fstat(descriptor, &status) == 0 else { throw .system(Errno(rawValue: errno)) }
        let expected = Array((header.isEmpty ? beginning : header).utf8)
        guard status.st_size == 0 || bytes(at: 0, expected.count) == expected else { throw .otherContent }
        do throws(Errno) {
            if status.st_size == 0 {
                try write(header)
                try DurableFile.synchronize(URL(fileURLWithPath: path).deletingLastPathComponent())
            } else if bytes(at: status.st_size - 1, 1) != [Self.newline] {
                try write(header.hasSuffix("\r\n") ? "\r\n" : "\n")
            }
        } catch {
            throw .system(error)
        }
    }

    deinit { close(descriptor) }

    /// Appends a line, which must end with a line break.
    package func append(_ line: String) throws(Errno) {
        flock(descriptor, LOCK_EX)
        defer { flock(descriptor, LOCK_UN) }
        try write(line)
    }

    private func write(_ text: String) throws(Errno) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Errno(rawValue: errno) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let code = Errno(rawValue: errno)
            if count < 0, code == .interrupted { continue }
            guard count > 0 else {
                ftruncate(descriptor, status.st_size)
                throw code
            }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw Errno(rawValue: errno) }
    }

    private func bytes(at offset: off_t, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = pread(descriptor, &bytes, count, offset)
        return Array(bytes.prefix(max(0, length)))
    }
}
