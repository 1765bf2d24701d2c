// The file system tree from which facts are read — hier(7)

@preconcurrency import Glibc

/// The root of a file system: this machine's, or a folder that contains a copy of parts of one.
///
/// All reads are limited: a file to a size, a folder to a number of names. A link with an absolute destination points
/// outside a copy, so copies use relative links, as sysfs does.
public struct SystemRoot: Hashable, Sendable {
    /// The path of the root without a trailing slash; empty for this machine's root.
    public let path: String

    /// Creates a root.
    ///
    /// The default is this machine's root.
    public init(path: String = "/") {
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Whether this is the machine's own root, where processes, users and nodes are real.
    public var isMachine: Bool { path.isEmpty }

    /// The maximum number of bytes read from a settings file, which is twice the size of udev's longest rules file.
    static let settingsLimit = 1 << 20
    /// The maximum number of bytes read from an attribute in sysfs, which is one page.
    static let attributeLimit = 4096
    /// The maximum number of names read from a folder.
    static let namesLimit = 100_000

    /// Returns the real path for a path relative to this root.
    func place(_ path: String) -> String { self.path + path }

    /// Returns the first `limit` bytes of a regular file, or nil if the file cannot be read.
    func bytes(_ path: String, limit: Int) -> [UInt8]? {
        // O_NONBLOCK is necessary because the path may be a FIFO.
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

    /// Returns the text in a file, with U+FFFD for invalid UTF-8, or nil if the file cannot be read.
    func text(_ path: String, limit: Int = settingsLimit) -> String? {
        bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the lines in the first `limit` bytes of a file; an empty array if the file cannot be read.
    func lines(_ path: String, limit: Int = settingsLimit) -> [Substring] {
        (text(path, limit: limit) ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Returns an attribute in sysfs, without its line break, or nil if it is missing or empty.
    func attribute(_ path: String) -> String? {
        guard let bytes = bytes(path, limit: Self.attributeLimit) else { return nil }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0 }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Returns the names in a folder, sorted by their bytes; an empty array if the folder cannot be read.
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

    /// Returns the symbolic links in a folder whose destinations are wanted: the destination, as written in the link, and
    /// the path of each.
    ///
    /// The result is nil if the folder or its links cannot be read.
    func links(
        in folder: String, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) -> [(destination: String, path: String)]? {
        guard let directory = opendir(place(folder)) else { return nil }
        defer { closedir(directory) }
        return withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            var links: [(destination: String, path: String)] = []
            for _ in 0..<Self.namesLimit {
                guard let entry = readdir(directory) else { break }
                let count = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) { name in
                        buffer.baseAddress.map { readlinkat(dirfd(directory), name, $0, buffer.count) } ?? -1
                    }
                }
                // The kernel checks the process, not the file: if it denies one link, it denies all of them.
                if count < 0, errno == EACCES { return nil }
                let destination = UnsafeRawBufferPointer(rebasing: buffer.prefix(max(0, count)))
                guard count >= 0, isWanted(destination) else { continue }
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                links.append((String(decoding: destination, as: UTF8.self), "\(folder)/\(name)"))
            }
            return links
        }
    }

    /// Returns the destination of a symbolic link, as written in the link, or nil if the path is not a link.
    func destination(ofLink path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            let count = buffer.baseAddress.map { readlink(place(path), $0, buffer.count) } ?? -1
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// Returns the last component of a link's destination, which is the driver for a link named `driver`.
    ///
    /// The result is nil if the path is not a link.
    func lastName(ofLink path: String) -> String? {
        destination(ofLink: path).flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// Whether a path exists after links are followed.
    func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(place(path), &status) == 0
    }

    /// Whether two paths lead to the same file or device; nil if one of them does not exist.
    ///
    /// Device numbers are compared too, because a container has its own nodes for the machine's devices. They are not
    /// compared for pseudo-terminals, because a container has its own pseudo-terminals with the same numbers.
    func isSameFile(_ path: String, _ other: String) -> Bool? {
        var (one, two) = (stat(), stat())
        guard stat(place(path), &one) == 0, stat(place(other), &two) == 0 else { return nil }
        if one.st_dev == two.st_dev, one.st_ino == two.st_ino { return true }
        let isDevice = [one, two].allSatisfy { $0.st_mode & S_IFMT == S_IFCHR }
        return isDevice && one.st_rdev == two.st_rdev && !Self.pseudoTerminals.contains(one.st_rdev >> 8 & 0xFFF)
    }

    /// The major device numbers of Unix98 pseudo-terminals — Linux, Documentation/admin-guide/devices.txt.
    private static let pseudoTerminals: ClosedRange<UInt> = 136...143

    /// Returns when a file was created on this system or last changed, in seconds since 1970; 0 if it does not exist.
    ///
    /// This is not the modification time of the content, which a package keeps from the machine that built it.
    func modified(_ path: String) -> Int {
        var status = stat()
        return stat(place(path), &status) == 0 ? status.st_ctim.tv_sec : 0
    }

    /// Returns a path with its links resolved, relative to this root, or nil if it does not exist in this root.
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
