// A tag that is stored in a file — Flipper `.nfc`

import Glibc
import Synchronization

/// A tag together with the file that stores its memory.
public struct TagFile: Sendable {
    /// The file's path.
    public let path: String
    /// The tag.
    public let tag: any PersistentTag
    /// Distinguishes the file that was read or created from a later one at the same path.
    private let identity: TagFileLock.Identity

    /// The maximum size of a tag file, in bytes.
    private static let maximumSize = 1 << 20

    /// Loads a tag from the file.
    ///
    /// If there is no such file, writes a new tag in delivery state with a random UID.
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - kind: the kind of a new tag.
    /// - Throws: ``VirtualReaderError/fileInaccessible(path:_:)``, ``VirtualReaderError/fileNotText(path:)``,
    ///   ``VirtualReaderError/badFile(path:_:)``, ``VirtualReaderError/badDump(path:reason:)`` or
    ///   ``VirtualReaderError/noFileFormat(_:)``.
    public init(path: String, kind: VirtualTagKind = .ntag215) throws(VirtualReaderError) {
        guard let file = try Self.existing(at: path) else {
            try self.init(creating: path, kind.make(uid: kind.randomUID()), of: kind)
            return
        }
        self = file
    }

    /// Loads a tag from Flipper text with `parse`.
    ///
    /// If there is no such file, writes `newTag` first.
    package init(
        path: String, newTag: () -> any PersistentTag,
        parse: (String) throws(FlipperFileError) -> any PersistentTag
    ) throws(VirtualReaderError) {
        if try Self.read(path) == nil {
            _ = try Self.save(newTag(), to: path)
        }
        guard let (bytes, identity) = try Self.read(path) else { throw .fileInaccessible(path: path, ENOENT) }
        try self.init(path: path, bytes: bytes, identity, parse: parse)
    }

    init(creating path: String, _ tag: any VirtualTag, of kind: VirtualTagKind) throws(VirtualReaderError) {
        guard let tag = tag as? any PersistentTag else { throw .noFileFormat(kind) }
        identity = try Self.save(tag, to: path)
        (self.path, self.tag) = (path, tag)
    }

    /// Locks the file against other programs, and against other readers in this program.
    ///
    /// - Throws: ``VirtualReaderError/fileInUse(path:holder:)``, ``VirtualReaderError/fileInaccessible(path:_:)``.
    func locked() throws(VirtualReaderError) -> TagFileLock { try TagFileLock.lock(path, as: identity) }

    /// Loads a tag, or returns nil if there is no such file.
    static func existing(at path: String) throws(VirtualReaderError) -> TagFile? {
        guard let (bytes, identity) = try read(path) else { return nil }
        return try TagFile(path: path, bytes: bytes, identity)
    }

    private init(
        path: String, bytes: [UInt8], _ identity: TagFileLock.Identity,
        parse: (String) throws(FlipperFileError) -> any PersistentTag = FlipperFile.parse
    ) throws(VirtualReaderError) {
        (self.path, self.identity) = (path, identity)
        guard let text = try Self.text(bytes, at: path) else { throw .fileNotText(path: path) }
        do throws(FlipperFileError) {
            tag = try parse(text)
        } catch {
            throw .badFile(path: path, error)
        }
    }

    private static let suffix = ".nfc"

    /// Whether a word is the name of a tag file, that is, whether it ends in `.nfc` or in the extension of a
    /// ``TagFileFormat``.
    package static func isName(_ word: String) -> Bool {
        word.hasSuffix(suffix) && word != suffix || TagFileFormat.of(path: word) != nil
    }

    /// Returns the content of a file as Flipper text, or nil if it cannot be read or converted.
    package static func flipperText(at path: String) -> String? {
        guard let (bytes, _) = try? read(path) else { return nil }
        return try? text(bytes, at: path)
    }

    /// Converts the bytes of a file to Flipper text, or returns nil if they are not text.
    private static func text(_ bytes: [UInt8], at path: String) throws(VirtualReaderError) -> String? {
        guard let format = TagFileFormat.of(path: path) else {
            // Editors on Windows add a byte order mark.
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
            return String(validating: text, as: UTF8.self)
        }
        do throws(TagFileFormat.Failure) {
            return try format.flipperText(bytes)
        } catch {
            throw .badDump(path: path, reason: error.reason)
        }
    }

    private static func bytes(of tag: any PersistentTag, at path: String) throws(VirtualReaderError) -> [UInt8] {
        guard let format = TagFileFormat.of(path: path) else { return Array(tag.flipperText.utf8) }
        let old = try read(path)?.bytes ?? []
        do throws(TagFileFormat.Failure) {
            return try format.bytes(tag.flipperText, old)
        } catch {
            throw .badDump(path: path, reason: error.reason)
        }
    }

    /// Returns the file's bytes and its identity, or nil if there is no such file.
    private static func read(
        _ path: String
    ) throws(VirtualReaderError) -> (bytes: [UInt8], TagFileLock.Identity)? {
        // Do not block: opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .fileInaccessible(path: path, errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .fileInaccessible(path: path, EINVAL)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw .fileInaccessible(path: path, errno) }
            if count == 0 { return (bytes, TagFileLock.Identity(status)) }
            bytes += buffer[..<count]
            guard bytes.count <= maximumSize else { throw .fileInaccessible(path: path, EFBIG) }
        }
    }

    /// Replaces the file atomically and keeps its permissions.
    ///
    /// No program ever reads a half-written file. A symbolic link is kept, and its target is replaced.
    ///
    /// - Parameter lock: the lock on the file, which moves to the new file.
    /// - Throws: ``VirtualReaderError/fileInaccessible(path:_:)``, ``VirtualReaderError/badDump(path:reason:)``. In
    ///   both cases, the old file is unchanged.
    func save(keeping lock: TagFileLock) throws(VirtualReaderError) { try Self.save(tag, to: path, keeping: lock) }

    @discardableResult private static func save(
        _ tag: any PersistentTag, to path: String, keeping lock: TagFileLock? = nil
    ) throws(VirtualReaderError) -> TagFileLock.Identity {
        let text = try bytes(of: tag, at: path)
        let place = destination(of: path)
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
        var temporary = Array("\(place).XXXXXX".utf8CString)
        let descriptor = mkstemp(&temporary)
        guard descriptor >= 0 else { throw .fileInaccessible(path: path, errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // A write to a regular file writes all bytes or fails.
        let isWritten = write(descriptor, text, text.count) == text.count
        let isKept = fchmod(descriptor, mode ?? defaultMode) == 0
        // Lock the new file before it is renamed, so that no other program can lock it in between.
        if lock != nil { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
        guard isWritten, isKept, fstat(descriptor, &status) == 0, rename(temporary, place) == 0 else {
            let code = errno
            unlink(temporary)
            close(descriptor)
            throw .fileInaccessible(path: path, code)
        }
        if let lock { lock.take(over: descriptor) } else { close(descriptor) }
        return TagFileLock.Identity(status)
    }

    /// Returns the path at the end of a chain of symbolic links.
    ///
    /// There may be no file at that path.
    private static func destination(of path: String) -> String {
        var place = path
        for _ in 0..<mostLinks {
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(place, &target, target.count)
            guard count > 0 else { break }
            let name = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
            place = name.hasPrefix("/") ? name : "\(folder)\(name)"
        }
        return place
    }

    /// The maximum number of symbolic links that Linux follows in a path.
    private static let mostLinks = 40

    /// The permissions of a new file, according to the process's umask.
    private static var defaultMode: mode_t {
        // The umask can only be read by setting it. During this time, files that another thread creates are private to
        // the user.
        let mask = umask(0o077)
        _ = umask(mask)
        return 0o666 & ~mask
    }
}

/// The tag files of a reader, their locks, and the generations that were saved.
package final class TagStore: Sendable {
    private struct State {
        var files: [(file: TagFile, lock: TagFileLock, savedGeneration: Int)] = []
        var error: VirtualReaderError?
    }
    private let state = Mutex(State())

    package init() {}

    package init(_ files: [TagFile]) throws(VirtualReaderError) {
        for file in files { try add(file) }
    }

    package var error: VirtualReaderError? { state.withLock(\.error) }

    /// Locks a file and adds it to the store.
    ///
    /// - Throws: the errors of ``TagFile/locked()``.
    package func add(_ file: TagFile) throws(VirtualReaderError) {
        let lock = try file.locked()
        state.withLock { $0.files.append((file, lock, file.tag.generation)) }
    }

    /// Saves all changes, and releases the files whose tags are no longer in the field so that they can be placed
    /// again.
    package func release(except isPlaced: (any VirtualTag) -> Bool) {
        saveChanges()
        state.withLock { state in state.files.removeAll { !isPlaced($0.file.tag) } }
    }

    package func saveChanges() {
        state.withLock { state in
            for index in state.files.indices {
                let file = state.files[index].file
                let generation = file.tag.generation
                guard generation != state.files[index].savedGeneration else { continue }
                do throws(VirtualReaderError) {
                    try file.save(keeping: state.files[index].lock)
                    state.files[index].savedGeneration = generation
                } catch {
                    state.error = error
                }
            }
        }
    }
}
