// The processes and what they have open — proc(5)

@preconcurrency import Glibc

/// What /proc says of the processes, at one moment.
struct ProcessTable {
    /// A process of the table.
    struct Process {
        let holder: NodeHolder
        /// What it has open, by the names the kernel gives; nil where this user may not see it.
        let open: Set<String>?
    }

    let processes: [Process]

    /// Programs that open readers and serial ports by themselves, by the kernel's fifteen characters of a name.
    private static let suspects: Set<String> = [
        "pcscd", "scdaemon", "neard", "nfcd", "ModemManager", "brltty", "ifdhandler", "mfoc", "mfcuk", "nfctool",
    ]
    private static let suspectedBeginnings = ["nfc-", "mifare-"]

    init(root: SystemRoot, leavingOut others: Set<Int32> = []) {
        let names = AccountNames(root: root)
        let this = getpid()
        var found: [Process] = []
        for process in root.names("/proc").compactMap({ Int32($0) }) where process > 0 {
            // A copy's processes have nothing to do with this one's number.
            if root.isMachine && process == this || others.contains(process) { continue }
            let folder = "/proc/\(process)"
            guard let name = Self.name(folder, root) else { continue }
            let open: Set<String>?
            if root.mayList("\(folder)/fd") {
                open = Set(root.names("\(folder)/fd").compactMap { root.destination(ofLink: "\(folder)/fd/\($0)") })
            } else if root.attribute("\(folder)/cmdline") == nil {
                continue  // a thread of the kernel, or gone
            } else {
                open = nil
            }
            let user = Self.user(folder, root)
            found.append(
                Process(
                    holder: NodeHolder(
                        process: process, name: name, user: user, userName: user.flatMap { names.userName($0) }),
                    open: open))
        }
        processes = found
    }

    /// Who has a node open.
    func holders(of path: String) -> NodeHolders {
        let hidden = processes.filter { $0.open == nil }
        let visible = processes.filter { process in
            guard let open = process.open, open.contains(path) else { return false }
            return !open.contains("/dev/ptmx") && !open.contains("/dev/pts/ptmx")
        }
        return NodeHolders(
            visible: visible.map(\.holder), hidden: hidden.count,
            suspects: hidden.map(\.holder).filter { Self.isSuspect($0.name) })
    }

    /// The first process of a name.
    func first(named name: String) -> NodeHolder? {
        processes.lazy.map(\.holder).first { $0.name == name }
    }

    private static func isSuspect(_ name: String) -> Bool {
        suspects.contains(name) || suspectedBeginnings.contains { name.hasPrefix($0) }
    }

    private static func name(_ folder: String, _ root: SystemRoot) -> String? {
        guard let bytes = root.bytes("\(folder)/comm", limit: 64) else { return nil }
        return String(decoding: bytes.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }

    /// The effective user: the second number of the line.
    private static func user(_ folder: String, _ root: SystemRoot) -> UInt32? {
        root.statusNumbers("\(folder)/status", of: "Uid:").dropFirst().first
    }
}

extension SystemRoot {
    /// The numbers of a line of /proc/PID/status.
    func statusNumbers(_ path: String, of key: String) -> [UInt32] {
        guard let line = lines(path, limit: Self.settingsLimit).first(where: { $0.hasPrefix(key) }) else { return [] }
        return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    }
}
