// A file that a command makes: never over another one without asking, whole or not at all — fsync(2), rename(2), link(2)

import DurableFiles
import Foundation
import SystemPackage
import Terminal

/// Where a command puts its result: a path, or `-` for the standard output.
struct ResultFile {
    /// Who may read a new file.
    enum Access {
        /// Everybody whom the umask lets.
        case shared
        /// The user alone: it may hold keys or passwords.
        case secret

        fileprivate var permissions: mode_t { self == .secret ? 0o600 : 0o644 }
    }

    let path: String
    private let access: Access
    /// Whether a file that is there may be replaced.
    var mayReplace = false

    init(_ path: String, _ access: Access) {
        self.path = path
        self.access = access
    }

    private var place: URL { URL(fileURLWithPath: path).resolvingSymlinksInPath() }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// The file after it is sure that it can be written and, if one with something in it is there, that it may be
    /// replaced.
    ///
    /// Called before a tag is touched.
    /// - Parameters:
    ///   - overwrite: what allows it without a question.
    ///   - isJSON: whether the output is for a program, which answers no questions.
    ///   - option: the name of that, for a script that forgot it.
    /// - Returns: the file with the permission to replace one; `-` unchanged.
    /// - Throws: ``UnwritableFile``; ``FileExists`` where the command cannot ask; ``Declined``.
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

    /// Looks whether a file can be written there, and leaves it as it is.
    private func checkIsWritable() throws(UnwritableFile) {
        try checkIsNamed()
        let place = place
        let status = Self.status(of: place.path)
        if let status, status.st_mode & S_IFMT == S_IFDIR {
            throw UnwritableFile(path: path, reason: String(cString: strerror(EISDIR)))
        }
        let isDevice = status.map { $0.st_mode & S_IFMT != S_IFREG } ?? false
        // A file is replaced: that is for its folder to allow.
        let (asked, right) = isDevice ? (place.path, W_OK) : (place.deletingLastPathComponent().path, W_OK | X_OK)
        guard Foundation.access(asked, right) == 0 else {
            throw UnwritableFile(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private func checkIsNamed() throws(UnwritableFile) {
        guard !path.isEmpty else { throw UnwritableFile(path: "The empty file name", reason: "it names no file") }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws { try write { try $0(bytes) } }

    /// Writes what a closure hands on, piece by piece; the file appears when all of it is on the disk.
    func write(_ produce: (_ append: @escaping ([UInt8]) throws -> Void) throws -> Void) throws {
        guard path != "-" else { return try produce { StandardOutput.write($0) } }
        try checkIsNamed()
        let status = Self.status(of: path)
        do {
            if let status, status.st_mode & S_IFMT != S_IFREG {
                // A device, a pipe: written into, never replaced.
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
        let cleaning = Interruption.onForcedEnd { unlink(temporary) }
        defer { withExtendedLifetime(cleaning) {} }
        let file = try FileReplacement(of: place, suffix: suffix, permissions: permissions)
        try produce { try file.append($0) }
        try file.commit(replacing: mayReplace)
    }
}

/// A file with something in it is there, and nobody can be asked.
struct FileExists: Failure {
    let path: String
    let option: String
    var name: ErrorName { .confirmationNeeded }
    var message: String { "\(path) already exists. Nothing was overwritten." }
    var advice: String { "To replace it:  \(option)" }
}

/// A file that cannot be written.
struct UnwritableFile: Failure {
    let path: String
    /// A clause.
    let reason: String
    /// What was done to a tag all the same, a sentence.
    var change: String?
    var name: ErrorName { .badFile }
    var message: String { "\(path) cannot be written: \(reason).\(change.map { " " + $0 } ?? "")" }
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
    /// What to do.
    static let advice = "Choose another name for --symlink, or end the simulator that made the link."
}
