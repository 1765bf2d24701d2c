// The process that serves a pseudo-terminal — pts(4); proc(5), /proc/PID/fdinfo

/// A pseudo-terminal: a program, such as an emulator, answers instead of a device.
package struct PseudoTerminal: Hashable, Sendable {
    /// The number in its path.
    package let number: UInt32

    /// Creates the pseudo-terminal `/dev/pts/NUMBER`, or nil for any other path.
    package init?(path: String) {
        guard path.hasPrefix(Self.folder), let number = UInt32(path.dropFirst(Self.folder.count)) else { return nil }
        self.number = number
    }

    private static let folder = "/dev/pts/"
    /// The names that the kernel shows for the other end.
    static let masters = ["/dev/ptmx", "/dev/pts/ptmx"]

    /// Whether a process has the other end open, as far as this user can see.
    ///
    /// Looks only at this process, which is much faster than looking for all holders of the node.
    package func isServed(by process: Int32, root: SystemRoot = SystemRoot()) -> Bool {
        let wanted = Self.masters.map { Array($0.utf8) }
        let ends = root.links(in: "/proc/\(process)/fd") { name in wanted.contains { name.elementsEqual($0) } } ?? []
        return ends.contains { end in
            guard let file = end.path.split(separator: "/").last else { return false }
            return root.statusNumbers("/proc/\(process)/fdinfo/\(file)", of: "tty-index:").first == number
        }
    }
}
