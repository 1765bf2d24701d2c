// Which processes have a device node open — proc(5), /proc/PID/fd

@preconcurrency import Glibc

/// A process that has a node open.
public struct NodeHolder: Hashable, Sendable {
    /// Its number.
    public let process: Int32
    /// Its name: /proc/PID/comm, at most 15 characters, control characters left out.
    public let name: String
    /// The number of its user; nil when it cannot be told.
    public let user: UInt32?
    /// The name of its user, where /etc/passwd has one.
    public let userName: String?

    /// Creates a holder.
    public init(process: Int32, name: String, user: UInt32? = nil, userName: String? = nil) {
        self.process = process
        self.name = name
        self.user = user
        self.userName = userName
    }
}

/// What could be found out of who holds a node.
public struct NodeHolders: Hashable, Sendable {
    /// The processes that have it open, as far as this user may see, and the one that has locked it, which comes first; this
    /// process is left out.
    ///
    /// For an nfctool that only holds a reader it is the process it holds it for.
    public let visible: [NodeHolder]
    /// How many processes keep what they have open from this user: with a busy node and nobody visible it is one of these.
    public let hidden: Int
    /// Of the hidden processes those that are known to open readers, like pcscd.
    public let suspects: [NodeHolder]

    /// Creates holders; nobody by default.
    public init(visible: [NodeHolder] = [], hidden: Int = 0, suspects: [NodeHolder] = []) {
        self.visible = visible
        self.hidden = hidden
        self.suspects = suspects
    }
}

extension NodeHolders {
    /// Looks for the processes that have a node open.
    ///
    /// Left out, beside this process: the one that serves a pseudo-terminal, which holds the other end (`/dev/ptmx`) and
    /// keeps this end open for its clients.
    ///
    /// - Parameters:
    ///   - path: the node, its links followed.
    ///   - root: the tree that holds /proc.
    ///   - processes: processes to leave out too, as one of our own.
    public init(of path: String, root: SystemRoot = SystemRoot(), leavingOut processes: Set<Int32> = []) {
        let table = ProcessTable(root: root, names: AccountNames(root: root), leavingOut: processes)
        self = table.holders(of: path)
    }
}
