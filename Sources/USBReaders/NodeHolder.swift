// The processes that have a device node open — proc(5), /proc/PID/fd

@preconcurrency import Glibc

/// A process that has a node open.
public struct NodeHolder: Hashable, Sendable {
    /// The process ID.
    public let process: Int32
    /// The name: /proc/PID/comm, at most 15 characters, without control characters.
    public let name: String
    /// The user ID of the process; nil if it cannot be determined.
    public let user: UInt32?
    /// The name of the user, or nil if it is not known.
    public let userName: String?

    /// Creates a holder.
    public init(process: Int32, name: String, user: UInt32? = nil, userName: String? = nil) {
        self.process = process
        self.name = name
        self.user = user
        self.userName = userName
    }
}

/// The known holders of a node.
public struct NodeHolders: Hashable, Sendable {
    /// The processes that have the node open, as far as this user can see them, except this process.
    ///
    /// The process that has locked the node comes first.
    ///
    /// If an nfctool only holds a reader for another process, that other process is listed instead.
    public let visible: [NodeHolder]
    /// The number of processes whose open files this user cannot see.
    ///
    /// A busy node without a visible holder is held by one of them.
    public let hidden: Int
    /// The hidden processes that are known to open readers, such as pcscd.
    public let suspects: [NodeHolder]

    /// Creates holders, by default none.
    public init(visible: [NodeHolder] = [], hidden: Int = 0, suspects: [NodeHolder] = []) {
        self.visible = visible
        self.hidden = hidden
        self.suspects = suspects
    }
}

extension NodeHolders {
    /// Finds the processes that have a node open.
    ///
    /// Besides this process, the process that serves a pseudo-terminal is left out: it holds the other end
    /// (`/dev/ptmx`) and keeps this end open for its clients.
    ///
    /// - Parameters:
    ///   - path: the node, with its links resolved.
    ///   - root: the tree that contains /proc.
    ///   - processes: additional processes to leave out, such as children of this process.
    public init(of path: String, root: SystemRoot = SystemRoot(), leavingOut processes: Set<Int32> = []) {
        let table = ProcessTable(root: root, names: AccountNames(root: root), leavingOut: processes)
        self = table.holders(of: path)
    }
}
