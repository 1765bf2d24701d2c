// The processes that have a device node open — proc(5), /proc/PID/fd

@preconcurrency import Glibc

/// A process that has a node open.
public struct NodeHolder: Hashable, Sendable {
    /// The process ID.
    public let process: Int32
    /// The name in /proc/PID/comm: at most 15 characters, without control characters.
    public let name: String
    /// The user ID of the process; nil if it cannot be determined.
    public let user: UInt32?
    /// The name of the user; nil if it is not known.
    public let userName: String?

    /// Creates a holder.
    public init(process: Int32, name: String, user: UInt32? = nil, userName: String? = nil) {
        self.process = process
        self.name = name
        self.user = user
        self.userName = userName
    }
}

/// The processes that have a node open, as far as they are known.
public struct NodeHolders: Hashable, Sendable {
    /// The processes that have the node open, as far as this user can see them, except this process.
    ///
    /// The process that has locked the node comes first. If an nfctool only holds a reader for another process, that
    /// other process is listed instead.
    public let visible: [NodeHolder]
    /// The number of processes whose open files this user cannot see.
    ///
    /// If a node is busy but has no visible holder, one of these processes holds it.
    public let hidden: Int
    /// The hidden processes with names of programs that are known to open readers, such as pcscd.
    public let suspects: [NodeHolder]

    /// Creates a list of holders.
    ///
    /// By default, there are none.
    public init(visible: [NodeHolder] = [], hidden: Int = 0, suspects: [NodeHolder] = []) {
        self.visible = visible
        self.hidden = hidden
        self.suspects = suspects
    }
}

extension NodeHolders {
    /// Finds the processes that have a node open.
    ///
    /// This process is left out, and so is a process that serves a pseudo-terminal: it holds the other end
    /// (`/dev/ptmx`) and keeps this end open for its clients.
    ///
    /// - Parameters:
    ///   - path: the node, with its links resolved.
    ///   - root: the tree that contains /proc.
    ///   - processes: additional processes to leave out, such as children of this process.
    public init(of path: String, root: SystemRoot = SystemRoot(), leavingOut processes: Set<Int32> = []) {
        let table = ProcessTable(
            root: root, names: AccountNames(root: root), leavingOut: processes, lookingFor: path)
        self = table.holders(of: path)
    }
}
