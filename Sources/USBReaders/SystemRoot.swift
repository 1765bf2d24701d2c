// The file system tree from which facts are read — hier(7)

@preconcurrency import Glibc

/// The root of a file system: this machine's, or a folder that contains a copy of parts of one.
///
/// All reads are limited: files to a size, folders to a number of names. A link with an absolute destination points
/// outside a copy, so copies use relative links, as sysfs does.
public struct SystemRoot: Hashable, Sendable {
    /// The path of the root, without a trailing slash; empty for this machine's root.
    public let path: String

    /// Creates a root, by default `/`.
    public init(path: String = "/") {
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Whether this is the machine's own root, where processes, users and nodes are real.
    public var isMachine: Bool { path.isEmpty }

    /// The maximum number of bytes read from a settings file: twice the size of udev's longest rules file.
    static let settingsLimit = 1 << 20
    /// The maximum number of bytes read from an attribute in sysfs, which is one page.
    static let attributeLimit = 4096
    /// The maximum number of names read from a folder.
    static let namesLimit = 100_000

    /// The real path of a file whose path is given relative to this root.
    func place(_ path: String) -> String { self.path + path }

    /// The first bytes of a regular file; nil if it cannot be read.
    func bytes(_ path: String, limit: Int) -> [UInt8]? {
        // O_NONBLOCK, because the path may be a FIFO.
        let descriptor = open(place(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 1 << 14))
        while content.count < limit {
            let count = read(descriptor, &chunk, min(chunk.count, limit - content.count))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            content.append(contentsOf: chunk.prefix(count))
        }
        return content
    }

    /// A file's text, with U+FFFD for invalid UTF-8; nil if it cannot be read.
    func text(_ path: String, limit: Int = settingsLimit) -> String? {
        bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A file's lines, up to a size limit.
    func lines(_ path: String, limit: Int = settingsLimit) -> [Substring] {
        (text(path, limit: limit) ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// An attribute of sysfs: a line without its line break; nil if it is missing or empty.
    func attribute(_ path: String) -> String? {
        guard let bytes = bytes(path, limit: Self.attributeLimit) else { return nil }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0 }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The names in a folder, sorted by their bytes; empty if it cannot be read.
    func names(_ path: String) -> [String] {
        guard let directory = opendir(place(path)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < Self.namesLimit, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a folder can be read.
    func mayList(_ path: String) -> Bool {
        guard let directory = opendir(place(path)) else { return false }
        closedir(directory)
        return true
    }

    /// The destination of a symbolic link, as written; nil if the path is not a link.
    func destination(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            let count = buffer.baseAddress.map { readlink(place(path), $0, buffer.count) } ?? -1
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// Whether the destination of a symbolic link is hidden from this user.
    func isDenied(link path: String) -> Bool {
        var byte = CChar(0)
        return readlink(place(path), &byte, 1) < 0 && errno == EACCES
    }

    /// The last component of a link's destination: the driver of a `driver` link; nil if the path is not a link.
    func lastName(ofLink path: String) -> String? {
        destination(ofLink: path).flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// Whether a path exists, following links.
    func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(place(path), &status) == 0
    }

    /// Whether two paths lead to the same file or device; nil if one of them does not exist.
    ///
    /// A container has its own nodes for the machine's devices, and its own pseudo-terminals with the same numbers.
    func isSameFile(_ path: String, _ other: String) -> Bool? {
        var (one, two) = (stat(), stat())
        guard stat(place(path), &one) == 0, stat(place(other), &two) == 0 else { return nil }
        if one.st_dev == two.st_dev, one.st_ino == two.st_ino { return true }
        let isDevice = [one, two].allSatisfy { $0.st_mode & S_IFMT == S_IFCHR }
        return isDevice && one.st_rdev == two.st_rdev && !Self.pseudoTerminals.contains(one.st_rdev >> 8 & 0xFFF)
    }

    /// The major numbers of Unix98 pseudo-terminals — Linux, Documentation/admin-guide/devices.txt.
    private static let pseudoTerminals: ClosedRange<UInt> = 136...143

    /// When a file was created here or last changed, in seconds since 1970; 0 if it does not exist.
    ///
    /// This is not the modification time of its content, which a package keeps from the build machine.
    func modified(_ path: String) -> Int {
        var status = stat()
        return stat(place(path), &status) == 0 ? status.st_ctim.tv_sec : 0
    }

    /// A path of this system with its links resolved, as seen from the root; nil if it does not exist.
    func resolved(_ path: String) -> String? {
        guard let resolved = realpath(place(path), nil), let root = realpath(place("/"), nil) else { return nil }
        defer {
            free(resolved)
            free(root)
        }
        let (inside, top) = (String(cString: resolved), String(cString: root))
        if top == "/" { return inside }
        return inside.hasPrefix(top + "/") ? String(inside.dropFirst(top.count)) : nil
    }
}
