// The processes and what they have open — proc(5)

@preconcurrency import Glibc

/// What /proc says of the processes, at one moment.
struct ProcessTable {
    /// A process of the table.
    private struct Process {
        let number: Int32
        let name: String
        /// What it has open, by the names the kernel gives; nil where this user may not see it.
        let open: Set<String>?
    }

    private let root: SystemRoot
    private let names: AccountNames
    private let processes: [Process]

    /// Programs that open readers and serial ports by themselves, by the kernel's fifteen characters of a name.
    private static let suspects: Set<String> = [
        "pcscd", "scdaemon", "neard", "nfcd", "ModemManager", "brltty", "ifdhandler", "mfoc", "mfcuk", "nfctool",
    ]
    private static let suspectedBeginnings = ["nfc-", "mifare-"]

    init(root: SystemRoot, names: AccountNames, leavingOut others: Set<Int32> = []) {
        self.root = root
        self.names = names
        let this = getpid()
        processes = root.names("/proc").compactMap { entry in
            guard let number = Int32(entry), number > 0, !others.contains(number) else { return nil }
            // A copy's processes have nothing to do with this one's number.
            guard !(root.isMachine && number == this), let name = Self.name(of: number, root) else { return nil }
            let folder = "/proc/\(number)/fd"
            if root.mayList(folder) {
                let open = root.names(folder).compactMap { root.destination(ofLink: "\(folder)/\($0)") }
                return Process(number: number, name: name, open: Set(open))
            }
            // Without a command line it is a thread of the kernel, or gone.
            return root.attribute("/proc/\(number)/cmdline").map { _ in Process(number: number, name: name, open: nil) }
        }
    }

    /// Who has a node open.
    func holders(of path: String) -> NodeHolders {
        let hidden = processes.filter { $0.open == nil }
        let visible = processes.filter { process in
            guard let open = process.open, open.contains(path) else { return false }
            return !open.contains("/dev/ptmx") && !open.contains("/dev/pts/ptmx")
        }
        return NodeHolders(
            visible: visible.map(holder), hidden: hidden.count,
            suspects: hidden.filter { Self.isSuspect($0.name) }.map(holder))
    }

    /// The first process of a name.
    func first(named name: String) -> NodeHolder? {
        processes.first { $0.name == name }.map(holder)
    }

    private func holder(_ process: Process) -> NodeHolder {
        // The effective user is the second number of the line.
        let user = root.statusNumbers("/proc/\(process.number)/status", of: "Uid:").dropFirst().first
        return NodeHolder(
            process: process.number, name: process.name, user: user, userName: user.flatMap { names.userName($0) })
    }

    private static func isSuspect(_ name: String) -> Bool {
        suspects.contains(name) || suspectedBeginnings.contains { name.hasPrefix($0) }
    }

    private static func name(of process: Int32, _ root: SystemRoot) -> String? {
        guard let bytes = root.bytes("/proc/\(process)/comm", limit: 64) else { return nil }
        return String(decoding: bytes.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}

extension SystemRoot {
    /// The numbers of a line of /proc/PID/status.
    func statusNumbers(_ path: String, of key: String) -> [UInt32] {
        guard let line = lines(path, limit: Self.settingsLimit).first(where: { $0.hasPrefix(key) }) else { return [] }
        return line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    }
}
