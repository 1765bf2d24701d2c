// A server that follows another one — PostgreSQL, 27.2.5 Streaming Replication, 27.2.8 Synchronous Replication

import Foundation

extension PostgreSQLServer {
    private static let replicaName = "replica"
    /// The maximum number of checks of the replica.
    ///
    /// Each check takes some hundredths of a second.
    private static let attempts = 1000

    /// Fills the data folder of a server with a copy of another server, which the server then follows.
    static func copy(_ primary: PostgreSQLServer, into folder: String, by programs: String) throws {
        let (data, log) = (folder + "/data", folder + "/basebackup.log")
        try run(
            """
            \(asUser)\(programs)/pg_basebackup -D \(data) -h \(primary.folder) -U postgres -X stream -c fast --no-sync >\(log) 2>&1 \
                || { cat \(log); exit 1; }
            echo "primary_conninfo = 'host=\(primary.folder) user=postgres application_name=\(replicaName)'" >>\(data)/postgresql.auto.conf
            \(asUser)touch \(data)/standby.signal
            """)
    }

    /// Makes this server a replica of another server.
    ///
    /// This server's own data is lost.
    public func becomeReplica(of primary: PostgreSQLServer) throws {
        try Self.run("rm -rf \(data)")
        try Self.copy(primary, into: folder, by: programs)
        try start()
    }

    /// Ends the recovery of a replica, which then accepts writes.
    public func promote() throws {
        try Self.run("\(Self.asUser)\(programs)/pg_ctl -D \(data) promote -w >/dev/null || tail -20 \(data)/log")
    }

    /// Makes the server confirm a commit only when it is also on the replica's disk.
    ///
    /// Returns when the replica keeps up.
    public func requireReplica() throws {
        try sql("ALTER SYSTEM SET synchronous_standby_names = '\(Self.replicaName)'", in: "postgres")
        try sql("SELECT pg_reload_conf()", in: "postgres")
        // A session reports the state according to the configuration that it read earlier, so use a new session each
        // time.
        for _ in 1...Self.attempts {
            let state = try sql("SELECT sync_state FROM pg_stat_replication", in: "postgres")
            if state == "sync" { return }
        }
        throw Failure(text: "The replica does not keep up.")
    }
}
