// The processes and their open files — proc(5)

@preconcurrency import Glibc

/// The processes in /proc at one moment.
struct ProcessTable {
    private struct Process {
        let number: Int32
        let name: String
        /// The open files: the name that the kernel shows for each, and its path in /proc; nil if this user may not see
        /// them.
        let open: [String: String]?
    }

    private let root: SystemRoot
    private let names: AccountNames
    private let processes: [Process]

    /// The names of programs that are known to open readers or serial ports.
    ///
    /// As in the kernel, each name consists of the first fifteen characters.
    private static let suspects: Set<String> = [
        "pcscd", "scdaemon", "neard", "nfcd", "ModemManager", "brltty", "ifdhandler", "mfoc", "mfcuk", "nfctool",
    ]
    private static let suspectedBeginnings = ["nfc-", "mifare-"]

    /// Reads the processes.
    ///
    /// With `node`, only this node and the other ends of pseudo-terminals are looked for among the open files, and
    /// processes without them are left out. This is much faster, and enough for ``holders(of:)`` of that node.
    init(root: SystemRoot, names: AccountNames, leavingOut others: Set<Int32> = [], lookingFor node: String? = nil) {
        self.root = root
        self.names = names
        let this = getpid()
        processes = root.names("/proc").compactMap { entry in
            guard let number = Int32(entry), number > 0, !others.contains(number) else { return nil }
            // In a copy, this process's ID refers to a different process.
            guard !(root.isMachine && number == this) else { return nil }
            let open = Self.openFiles(of: number, lookingFor: node, root)
            if node != nil, open?.isEmpty == true { return nil }
            // A process without a command line is a kernel thread, or has ended.
            guard open != nil || root.attribute("/proc/\(number)/cmdline") != nil else { return nil }
            return Self.name(of: number, root).map { Process(number: number, name: $0, open: open) }
        }
    }

    /// Returns the processes that have a node open.
    ///
    /// The process that has locked the node is first, because it uses the node.
    func holders(of path: String) -> NodeHolders {
        let lockers = root.lockers(of: path)
        let hidden = processes.filter { $0.open == nil && !lockers.contains($0.number) }
        let working = processes.filter { lockers.contains($0.number) }
        let others = processes.filter { process in
            guard !lockers.contains(process.number), let open = process.open else { return false }
            return has(path, among: open) && PseudoTerminal.masters.allSatisfy { open[$0] == nil }
        }
        return NodeHolders(
            visible: (working + others).map { holder(master(of: $0)) }, hidden: hidden.count,
            suspects: hidden.filter { Self.isSuspect($0.name) }.map(holder))
    }

    /// Whether a device node is among these open files, even under the longer path that a program with another root
    /// directory has for it.
    private func has(_ path: String, among open: [String: String]) -> Bool {
        // A container has pseudo-terminals with the same names, so the files themselves are compared. In a copy this is
        // not possible, because the links point outside the copy.
        if let place = open[path], !root.isMachine || root.isSameFile(place, path) ?? true { return true }
        return open.contains { name, place in name.hasSuffix(path) && root.isSameFile(place, path) == true }
    }

    /// Returns the process that a person started.
    ///
    /// If an nfctool only holds a reader for another process, this is that other process.
    private func master(of process: Process) -> Process {
        let arguments = (root.bytes("/proc/\(process.number)/cmdline", limit: 4096) ?? []).split(separator: 0)
        guard arguments.dropFirst().first.map({ $0.elementsEqual(Self.readerHost.utf8) }) ?? false,
            let parent = root.statusNumbers("/proc/\(process.number)/status", of: "PPid:").first, parent > 1
        else { return process }
        let number = Int32(clamping: parent)
        if let master = processes.first(where: { $0.number == number }) { return master }
        guard !(root.isMachine && number == getpid()), let name = Self.name(of: number, root) else { return process }
        return Process(number: number, name: name, open: nil)
    }

    /// The first argument of an nfctool that holds a reader for another process.
    private static let readerHost = "reader-host"

    func first(named name: String) -> NodeHolder? {
        processes.first { $0.name == name }.map(holder)
    }

    private func holder(_ process: Process) -> NodeHolder {
        // The effective user ID is the second number in the line.
        let user = root.statusNumbers("/proc/\(process.number)/status", of: "Uid:").dropFirst().first
        return NodeHolder(
            process: process.number, name: process.name, user: user, userName: user.flatMap { names.userName($0) })
    }

    private static func isSuspect(_ name: String) -> Bool {
        suspects.contains(name) || suspectedBeginnings.contains { name.hasPrefix($0) }
    }

    /// Returns the open files of a process: the name that the kernel shows for each, and its path in /proc.
    ///
    /// With `node`, only files that may be this node, and the other ends of pseudo-terminals, are returned. The result
    /// is nil if this user may not see them.
    private static func openFiles(
        of process: Int32, lookingFor node: String?, _ root: SystemRoot
    ) -> [String: String]? {
        let wanted = node.map { ([$0] + PseudoTerminal.masters).map { Array($0.utf8) } }
        let files = root.links(in: "/proc/\(process)/fd") { destination in
            wanted?.contains { destination.endsWith($0) } ?? true
        }
        return files.map { Dictionary($0) { first, _ in first } }
    }

    private static func name(of process: Int32, _ root: SystemRoot) -> String? {
        guard let bytes = root.bytes("/proc/\(process)/comm", limit: 64) else { return nil }
        return String(decoding: bytes.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the last bytes are these.
    ///
    /// This is called for every open file of the machine.
    fileprivate func endsWith(_ bytes: [UInt8]) -> Bool {
        guard let start = baseAddress, count >= bytes.count else { return false }
        return memcmp(start + (count - bytes.count), bytes, bytes.count) == 0
    }
}

extension SystemRoot {
    /// Returns the numbers in the first line that starts with `key`, in a file such as /proc/PID/status.
    func statusNumbers(_ path: String, of key: String) -> [UInt32] {
        guard let line = lines(path, limit: Self.settingsLimit).first(where: { $0.hasPrefix(key) }) else { return [] }
        return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    }
}
