// A private PostgreSQL server for tests: a cluster on a socket in a temporary folder, which is removed with its process

import Foundation
import Glibc

/// A database server that no other program uses.
///
/// The Debian package `postgresql` is sufficient, because the programs are found in the folder in which it installs
/// them.
public final class PostgreSQLServer: Sendable {
    /// The server of this process, started when it is first needed.
    public static let shared = Result { try PostgreSQLServer() }

    /// The folder of the socket.
    public let folder: String
    let programs: String
    let data: String
    /// The server runs as long as this pipe is open, so a test that is killed leaves no server behind.
    private let lifeline: Int32
    /// The process that ends the server.
    private let holder: pid_t
    private let isDurable: Bool

    /// Creates a cluster and starts it.
    ///
    /// - Parameters:
    ///   - isDurable: whether the server waits for the disk. If it does not, a killed server process still loses
    ///     nothing.
    ///   - primary: the server of which this one is a streaming replica, or nil for a new cluster.
    /// - Throws: ``Failure`` when PostgreSQL is not installed, or with the output of the program that failed.
    public init(isDurable: Bool = false, replicaOf primary: PostgreSQLServer? = nil) throws {
        self.isDurable = isDurable
        programs = try Self.programs()
        var template = Array("/tmp/nfcpg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(text: "There is no folder for a server.") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        data = folder + "/data"
        // PostgreSQL does not run as root.
        if geteuid() == 0 { try Self.run("chown \(Self.user) \(folder)") }
        if let primary {
            try Self.copy(primary, into: folder, by: programs)
        } else {
            try Self.run(
                "\(Self.asUser)\(programs)/initdb -D \(data) -U postgres -A trust -E UTF8 --locale=C --no-sync >\(folder)/initdb.log 2>&1 || { cat \(folder)/initdb.log; exit 1; }"
            )
        }
        // Ends the server and removes its folder when this process ends in any way, because this closes the pipe.
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(text: "There is no pipe.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        lifeline = ends[1]
        holder = try Self.spawn(
            """
            trap '' TERM INT HUP; cd /; read -r end
            \(Self.asUser)\(programs)/pg_ctl -D \(data) stop -m immediate -w >/dev/null 2>&1
            rm -rf \(folder)
            """, input: ends[0])
        close(ends[0])
        try start()
    }

    /// Starts the server and waits until it accepts connections.
    public func start() throws {
        let flush = isDurable ? "" : "-c fsync=off -c full_page_writes=off"
        let options =
            "-k \(folder) -c listen_addresses='' -c max_connections=300 -c shared_buffers=64MB -c wal_keep_size=256MB \(flush)"
        try Self.run(
            "\(Self.asUser)\(programs)/pg_ctl -D \(data) -l \(data)/log -w -o \"\(options)\" start >/dev/null || tail -20 \(data)/log"
        )
    }

    /// Ends the server immediately, like a power failure.
    ///
    /// `start` starts it again.
    public func stopAtOnce() throws {
        try Self.run("\(Self.asUser)\(programs)/pg_ctl -D \(data) stop -m immediate -w >/dev/null")
    }

    deinit {
        close(lifeline)
        // Swift Testing finds no other ended process, such as an exit test, while one is left that nothing waits for.
        while waitpid(holder, nil, 0) < 0, errno == EINTR {}
    }

    /// The URI of a database.
    public func uri(_ database: String, user: String = "postgres") -> String {
        "postgresql://\(user)@/\(database)?host=\(folder)"
    }

    /// Creates an empty database with a unique name.
    public func newDatabase() throws -> String {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        _ = try sql("CREATE DATABASE \(name)", in: "postgres")
        return name
    }

    /// Runs SQL with psql, an independent program.
    ///
    /// - Returns: the values separated by `|`, one row per line.
    @discardableResult public func sql(_ text: String, in database: String, user: String = "postgres") throws -> String
    {
        let file = folder + "/" + UUID().uuidString
        try Data(text.utf8).write(to: URL(filePath: file))
        defer { unlink(file) }
        return try Self.run(
            "\(programs)/psql -X -q -t -A -v ON_ERROR_STOP=1 -h \(folder) -U \(user) -f \(file) \(database) 2>&1")
    }

    // MARK: Programs

    /// A program that failed.
    public struct Failure: Error, CustomStringConvertible {
        let text: String
        /// The output of the program.
        public var description: String { text }
    }

    private static let user = "nobody"
    static var asUser: String {
        geteuid() == 0 ? "setpriv --reuid=\(Self.user) --regid=nogroup --clear-groups " : ""
    }

    private static func programs() throws -> String {
        let base = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []).compactMap { Int($0) }
        guard let version = versions.max() else { throw Failure(text: "There is no \(base): install postgresql.") }
        return "\(base)/\(version)/bin"
    }

    @discardableResult static func run(_ line: String) throws -> String {
        let file = "/tmp/nfcpg-output-" + UUID().uuidString
        defer { unlink(file) }
        let process = try spawn("cd /; { \(line)\n} >\(file) 2>&1 </dev/null", input: nil)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        guard status == 0 else { throw Failure(text: text.isEmpty ? line : text) }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Starts a shell without open files of this process, because the server outlives it.
    private static func spawn(_ line: String, input: Int32?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if input != nil {
            for end in [1, 2] { posix_spawn_file_actions_addopen(&actions, Int32(end), "/dev/null", O_WRONLY, 0) }
        }
        let closing =
            #"for file in /proc/$$/fd/*; do n=${file##*/}; [ "$n" -lt 3 ] || eval "exec $n>&-"; done 2>/dev/null; "#
        let words: [String] = ["bash", "-c", closing + line]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/bash", &actions, nil, arguments, environ)
        guard code == 0 else { throw Failure(text: String(cString: strerror(code))) }
        return process
    }
}
