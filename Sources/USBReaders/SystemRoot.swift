// The tree that facts are read from — hier(7)

@preconcurrency import Glibc

/// The root of a file system: this machine's, or a folder that holds a copy of parts of one.
///
/// Every reading has an end: files up to a size, folders up to a number of names. A link with an absolute destination leads
/// out of a copy, so a copy has relative ones, as sysfs does.
public struct SystemRoot: Hashable, Sendable {
    /// The path of the root, without a slash at the end; empty for this machine's.
    public let path: String

    /// A root, `/` by default.
    public init(path: String = "/") {
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Whether this is the machine's own root, where processes, users and nodes are real.
    public var isMachine: Bool { path.isEmpty }

    /// The most bytes read of a file of settings; the longest of udev's rules have half of it.
    static let settingsLimit = 1 << 20
    /// The most bytes read of an attribute in sysfs, which is a page.
    static let attributeLimit = 4096
    /// The most names taken from a folder.
    static let namesLimit = 100_000

    /// Where a path of this system is on the machine.
    func place(_ path: String) -> String { self.path + path }

    /// The first bytes of a regular file; nil when there is none to read.
    func bytes(_ path: String, limit: Int) -> [UInt8]? {
        // O_NONBLOCK: what should be a file may be a FIFO.
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

    /// A file's text, whatever its bytes; nil when there is none to read.
    func text(_ path: String, limit: Int = settingsLimit) -> String? {
        bytes(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A file's lines, what a limit cuts off left out.
    func lines(_ path: String, limit: Int = settingsLimit) -> [Substring] {
        (text(path, limit: limit) ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// An attribute of sysfs: a line without its end; nil when there is none or it is empty.
    func attribute(_ path: String) -> String? {
        guard let bytes = bytes(path, limit: Self.attributeLimit) else { return nil }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0 }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The names in a folder, sorted by their bytes; none when it cannot be read.
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

    /// Where a symbolic link points, as it is written; nil when it is none.
    func destination(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(place(path), &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// The last name of where a symbolic link points: the driver of a `driver` link.
    func lastName(ofLink path: String) -> String? {
        destination(ofLink: path).flatMap { $0.split(separator: "/").last.map(String.init) }
    }

    /// Whether something is there, behind links.
    func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(place(path), &status) == 0
    }

    /// Whether two paths lead to one file or device; nil when one of them leads nowhere.
    ///
    /// A container has nodes of its own for the devices of the machine, and pseudo-terminals of its own with the same numbers.
    func isSameFile(_ path: String, _ other: String) -> Bool? {
        var (one, two) = (stat(), stat())
        guard stat(place(path), &one) == 0, stat(place(other), &two) == 0 else { return nil }
        if one.st_dev == two.st_dev, one.st_ino == two.st_ino { return true }
        let isDevice = [one, two].allSatisfy { $0.st_mode & S_IFMT == S_IFCHR }
        return isDevice && one.st_rdev == two.st_rdev && !Self.pseudoTerminals.contains(one.st_rdev >> 8 & 0xFFF)
    }

    /// The major numbers of Unix98 pseudo-terminals — Linux, Documentation/admin-guide/devices.txt.
    private static let pseudoTerminals: ClosedRange<UInt> = 136...143

    /// When a file was put here or last changed, in seconds since 1970; 0 when there is none.
    ///
    /// Not when its text was: a package brings that time along from where it was built.
    func modified(_ path: String) -> Int {
        var status = stat()
        return stat(place(path), &status) == 0 ? status.st_ctim.tv_sec : 0
    }

    /// A path of this system with its links followed, as seen from the root; nil when there is none.
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
