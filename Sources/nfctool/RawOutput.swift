// Raw bytes to a file or to stdout

import Foundation
import SystemPackage

/// Where raw bytes go: a path, or `-` for stdout.
struct RawOutput {
    let path: String

    /// Whether there is nothing, or a regular file, at the path or where its links lead.
    private var isReplaceable: Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a file with something in it is there already.
    var wouldReplaceFile: Bool {
        var status = stat()
        return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    }

    /// Looks whether a file can be written there, and leaves it as it is.
    func checkIsWritable() throws {
        try checkIsNamed()
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var status = stat()
        let isThere = stat(place.path, &status) == 0
        if isThere, status.st_mode & S_IFMT == S_IFDIR {
            throw UnwritableFile(path: path, reason: String(cString: strerror(EISDIR)))
        }
        let isDevice = isThere && status.st_mode & S_IFMT != S_IFREG
        // A file is replaced: that is for its folder to allow.
        let (asked, right) = isDevice ? (place.path, W_OK) : (place.deletingLastPathComponent().path, W_OK | X_OK)
        guard access(asked, right) == 0 else {
            throw UnwritableFile(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private func checkIsNamed() throws(UnwritableFile) {
        guard !path.isEmpty else { throw UnwritableFile(path: "The empty file name", reason: "it names no file") }
    }

    /// Writes all bytes; a file appears whole or not at all.
    func write(_ bytes: [UInt8]) throws {
        guard path != "-" else { return StandardOutput.write(bytes) }
        try checkIsNamed()
        do {
            if isReplaceable {
                try Data(bytes).write(to: URL(fileURLWithPath: path).resolvingSymlinksInPath(), options: .atomic)
            } else {
                // A device, a pipe: written into, never replaced. A pipe waits for who reads it, and a signal ends that.
                try StuckOutput.watched {
                    let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
                    try file.closeAfter { _ = try file.writeAll(bytes) }
                }
            }
        } catch let error as Errno {
            throw UnwritableFile(path: path, reason: "\(error)")
        } catch {
            throw UnwritableFile(path: path, error)
        }
    }
}

/// A file that cannot be written.
struct UnwritableFile: Failure {
    let path: String
    /// A clause.
    let reason: String
    /// What was done to a tag all the same, a sentence.
    var deed: String?
    var name: ErrorName { .badFile }
    var message: String { "\(path) cannot be written: \(reason).\(deed.map { " " + $0 } ?? "")" }
}

extension UnwritableFile {
    /// Asks the system about the folder, since Foundation's errors keep its reason to themselves.
    init(path: String, _ error: any Error) {
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
        let isSystems = access(folder, W_OK | X_OK) != 0
        let reason = isSystems ? String(cString: strerror(errno)) : error.localizedDescription
        self.init(path: path, reason: reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    }
}
