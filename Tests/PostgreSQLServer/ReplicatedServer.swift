// A database that survives the loss of a server: a primary server and its synchronous replica, in turn

import Synchronization

/// Two servers, one of which is the other's synchronous replica.
public final class ReplicatedServer: Sendable {
    private let both: [PostgreSQLServer]
    private let primaryIndex = Mutex(0)
    /// The server that accepts writes.
    public var primary: PostgreSQLServer { both[primaryIndex.withLock(\.self)] }
    private var replica: PostgreSQLServer { both[1 - primaryIndex.withLock(\.self)] }

    /// Starts both servers.
    public init() throws {
        let first = try PostgreSQLServer()
        both = [first, try PostgreSQLServer(replicaOf: first)]
        try first.requireReplica()
    }

    /// The URI of a database on the server that accepts writes.
    public func uri(_ database: String) -> String {
        "postgresql://postgres@/\(database)?host=\(both.map(\.folder).joined(separator: ","))&target_session_attrs=read-write"
    }

    /// Kills the primary server permanently, and makes its replica the primary.
    ///
    /// The folder of the killed server becomes a replica of the new primary. After that, a commit is again confirmed
    /// only if both servers have it.
    public func failOver() throws {
        try primary.stopAtOnce()
        try replica.promote()
        primaryIndex.withLock { $0 = 1 - $0 }
        try replica.becomeReplica(of: primary)
        try primary.requireReplica()
    }
}
