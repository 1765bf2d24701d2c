// pcscd, which claims every smart-card reader that it finds — pcscd(8), systemd.unit(5)

/// The known facts about pcscd, the PC/SC daemon.
public struct SmartCardDaemon: Hashable, Sendable {
    /// The name of the program.
    public static let name = "pcscd"

    /// The running daemon; nil if it is not running.
    public let process: NodeHolder?
    /// The state of the socket unit, which starts the daemon when a program needs it.
    public let socketUnit: Unit
    /// The state of the service unit.
    public let serviceUnit: Unit
    /// Whether a process listens on the daemon's socket, `/run/pcscd/pcscd.comm`.
    ///
    /// This process is the daemon, or systemd, which starts the daemon when a program looks for smart cards.
    public let isListening: Bool

    /// Creates the facts.
    public init(
        process: NodeHolder? = nil, socketUnit: Unit = .absent, serviceUnit: Unit = .absent, isListening: Bool = false
    ) {
        self.process = process
        self.socketUnit = socketUnit
        self.serviceUnit = serviceUnit
        self.isListening = isListening
    }

    /// The state of a systemd unit.
    public enum Unit: String, Hashable, Sendable {
        /// There is no such unit.
        case absent
        /// The unit exists but is not started at boot.
        case disabled
        /// The unit is started at boot.
        case enabled
        /// The unit cannot be started at all.
        case masked
    }
}

extension SmartCardDaemon {
    /// Collects the facts now, without starting the daemon.
    public static func now(root: SystemRoot = SystemRoot()) -> SmartCardDaemon {
        SmartCardDaemon(
            root: root, processes: ProcessTable(root: root, names: AccountNames(root: root), leavingOut: []))
    }

    init(root: SystemRoot, processes: ProcessTable) {
        self.init(
            process: processes.first(named: "pcscd"), socketUnit: Unit(named: "pcscd.socket", root: root),
            serviceUnit: Unit(named: "pcscd.service", root: root),
            isListening: root.isListened(to: ["/run/pcscd/pcscd.comm", "/var/run/pcscd/pcscd.comm"]))
    }
}

extension SmartCardDaemon.Unit {
    private static let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/system" }
    private static let targets = ["sockets.target.wants", "multi-user.target.wants", "default.target.wants"]

    fileprivate init(named name: String, root: SystemRoot) {
        let links = Self.folders.map { "\($0)/\(name)" }
        guard let file = links.first(where: { root.destination(ofLink: $0) != nil || root.exists($0) }) else {
            self = .absent
            return
        }
        let wants = Self.folders.flatMap { folder in Self.targets.map { "\(folder)/\($0)/\(name)" } }
        if root.destination(ofLink: file) == "/dev/null" {
            self = .masked
        } else {
            self = wants.contains { root.destination(ofLink: $0) != nil || root.exists($0) } ? .enabled : .disabled
        }
    }
}

extension SystemRoot {
    /// Whether a process listens on one of these Unix sockets — proc(5), /proc/net/unix.
    ///
    /// The existence of a socket's file proves nothing, because the file remains after the process has ended. A
    /// connection to the socket could start the daemon.
    fileprivate func isListened(to paths: [String]) -> Bool {
        // The fields are `Num RefCount Protocol Flags Type St Inode Path`, with numbers in hexadecimal.
        lines("/proc/net/unix", limit: 1 << 22).contains { line in
            let fields = line.split(separator: " ", maxSplits: 7)
            guard fields.count == 8, let flags = UInt32(fields[3], radix: 16) else { return false }
            return flags & Self.acceptsConnections != 0 && paths.contains(String(fields[7]))
        }
    }

    /// The flag of a socket that accepts connections (__SO_ACCEPTCON) — Linux, include/uapi/linux/net.h.
    private static let acceptsConnections: UInt32 = 1 << 16
}
