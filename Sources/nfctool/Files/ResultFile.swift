// A file that a command creates. It replaces another file only with permission, and is never partly written — fsync(2),
// rename(2), link(2)

import DurableFiles
import Foundation
import ReaderSession
import SystemPackage
import Terminal

/// The destination of a command's result: a path, or `-` for standard output.
struct ResultFile {
    /// Who may read a new file.
    enum Access {
        /// Everyone whom the umask permits.
        case shared
        /// Only the user, because the file may contain keys or passwords.
        case secret

        fileprivate var permissions: mode_t { self == .secret ? 0o600 : 0o644 }
    }

    let path: String
    private let access: Access
    var mayReplace = false

    init(_ path: String, _ access: Access) {
        self.path = path
        self.access = access
    }

    private var place: URL { URL(fileURLWithPath: path).resolvingSymlinksInPath() }

    /// Returns this file after checking that it is not the file of the virtual tag on the reader.
    ///
    /// A dump does not contain passwords. If it were written to that file, the virtual tag would lose its passwords.
    ///
    /// - Throws: ``ResultOverTag``.
    func apart(from reader: ReaderSpecification) throws(ResultOverTag) -> ResultFile {
        guard path != "-" else { return self }
        let status = Self.status(of: path)
        for file in reader.tagFiles {
            let other = Self.status(of: file)
            let isSame =
                if let status, let other {
                    status.st_dev == other.st_dev && status.st_ino == other.st_ino
                } else {
                    place.path == ResultFile(file, access).place.path
                }
            if isSame { throw ResultOverTag(path: path) }
        }
        return self
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Returns this file after checking that it can be written and may replace an existing file.
    ///
    /// An empty file may always be replaced. Call this before a tag is changed.
    /// - Parameters:
    ///   - overwrite: whether the file may replace an existing file without a question.
    ///   - isJSON: whether the output is for a program, which cannot answer questions.
    ///   - option: the option that allows replacement, for the advice.
    /// - Returns: the file with permission to replace an existing file, or `-` unchanged.
    /// - Throws: ``UnwritableFile``; ``FileExists`` if the user cannot be asked; ``Declined``.
    func claimed(overwrite: Bool, isJSON: Bool = false, option: String = "--overwrite") throws -> ResultFile {
        guard path != "-" else { return self }
        try checkIsWritable()
        var claimed = self
        guard let status = Self.status(of: path), status.st_mode & S_IFMT == S_IFREG else { return claimed }
        if status.st_size > 0, !overwrite {
            guard Confirmation.obstacle(isJSON: isJSON) == nil else { throw FileExists(path: path, option: option) }
            try Confirmation(obstacle: nil).ask(
                "Overwrite \(TerminalText.escaped(path))?", facts: "\(TerminalText.escaped(path)) already exists.")
        }
        claimed.mayReplace = true
        return claimed
    }

    /// Checks that a file can be written at this path, and changes nothing.
    private func checkIsWritable() throws(UnwritableFile) {
        try checkIsNamed()
        let place = place
        let status = Self.status(of: place.path)
        if let status, status.st_mode & S_IFMT == S_IFDIR {
            throw UnwritableFile(path: path, reason: String(cString: strerror(EISDIR)))
        }
        let isDevice = status.map { $0.st_mode & S_IFMT != S_IFREG } ?? false
        // Writing replaces the file, so its folder must be writable.
        let (asked, right) = isDevice ? (place.path, W_OK) : (place.deletingLastPathComponent().path, W_OK | X_OK)
        guard Foundation.access(asked, right) == 0 else {
            throw UnwritableFile(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private func checkIsNamed() throws(UnwritableFile) {
        guard !path.isEmpty else { throw UnwritableFile(path: path, reason: "it is empty") }
    }

    func write(_ bytes: [UInt8]) throws { try write { try $0(bytes) } }

    /// Writes the bytes that a closure appends piece by piece.
    ///
    /// The file appears only after all bytes are on disk.
    func write(_ produce: (_ append: @escaping ([UInt8]) throws -> Void) throws -> Void) throws {
        guard path != "-" else { return try produce { StandardOutput.write($0) } }
        try checkIsNamed()
        let status = Self.status(of: path)
        do {
            if let status, status.st_mode & S_IFMT != S_IFREG {
                // Devices and pipes are written to directly, and never replaced.
                let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
                try file.closeAfter { try produce { _ = try file.writeAll($0) } }
            } else {
                try replace(permissions: access.permissions & (status?.st_mode ?? 0o777), produce)
            }
        } catch let error as Errno {
            throw UnwritableFile(path: path, reason: "\(error)")
        }
    }

    private func replace(
        permissions: mode_t, _ produce: (_ append: @escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let suffix = FileReplacement.newSuffix()
        let temporary = place.path + suffix
        let (file, cleaning) = try Interruption.onForcedEnd({ unlink(temporary) }) { () throws(Errno) in
            try FileReplacement(of: place, suffix: suffix, permissions: permissions)
        }
        defer { withExtendedLifetime(cleaning) {} }
        try produce { try file.append($0) }
        try file.commit(replacing: mayReplace)
    }
}

struct FileExists: Failure {
    let path: String
    let option: String
    var name: ErrorName { .confirmationNeeded }
    var message: String { "\(path) already exists. Nothing was overwritten." }
    var advice: String { "To replace it:  \(option)" }
}

struct UnwritableFile: Failure {
    let path: String
    /// The reason why the file cannot be written, as a clause.
    let reason: String
    /// A sentence about the change that was made to a tag before this error, or nil if there was none.
    var change: String?
    var name: ErrorName { .badFile }
    var message: String {
        let problem = path.isEmpty ? "The file name is empty." : "\(path) cannot be written: \(reason)."
        return problem + (change.map { " " + $0 } ?? "")
    }
}

struct ResultOverTag: Failure {
    let path: String
    var name: ErrorName { .usage }
    var message: String {
        "\(path) is the file of the virtual tag on the reader. Choose another name for the output file."
    }
}

extension SymbolicLink.NotMade: Failure {
    var name: ErrorName { UnwritableFile(path: path, reason: reason).name }
    var message: String { UnwritableFile(path: path, reason: reason).message }
}

extension SymbolicLink.InUse: Failure {
    var name: ErrorName { .readerBusy }
    var message: String {
        let destination = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "something"
        return "\(path) is a link to \(destination), which is in use. Nothing was changed."
    }
    static let advice = "Choose another name for --symlink, or end the simulator that made the link."
}
