// One pcscd process — posix_spawn(3), sd_listen_fds(3)

import Glibc

/// A pcscd that listens on a private socket.
///
/// The process ends with ``end()`` or ``kill()``, or when this program ends for any reason. Only one of the two methods
/// may be called.
struct DaemonProcess: Sendable {
    private let process: pid_t
    /// The write end of a pipe, which is closed when this program ends.
    ///
    /// The preloaded library watches the read end, and then ends pcscd.
    private let lifeline: Int32

    private static let places = ["/usr/sbin/pcscd", "/usr/bin/pcscd", "/usr/local/sbin/pcscd", "/sbin/pcscd"]
    /// The descriptor on which pcscd expects its socket.
    private static let socketNumber: Int32 = 3
    private static let lifelineNumber: Int32 = 4
    private static let firstFree: Int32 = 10
    private static let backlog: Int32 = 32
    private static let longestEnd = Duration.seconds(2)

    static var program: String? { places.first { access($0, X_OK) == 0 } }

    /// Starts the daemon.
    ///
    /// Clients can connect as soon as the initialiser returns.
    ///
    /// - Parameters:
    ///   - directory: the directory for the daemon's socket and configuration.
    ///   - handler: the path of the driver, which is also the preloaded library.
    ///   - log: the file to which the daemon appends its log; nil for no log.
    /// - Throws: `notInstalled` if there is no pcscd, or `system` with the call that failed.
    init(in directory: PrivateDirectory, handler: String, log: String?) throws(PCSCDaemonError) {
        guard let program = Self.program else { throw .notInstalled }
        let socket = try Self.listen(at: directory.socket)
        defer { close(socket) }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system("Making a pipe", errno) }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        let theirs = fcntl(ends[0], F_DUPFD_CLOEXEC, Self.firstFree)
        close(ends[0])
        defer { close(theirs) }
        lifeline = ends[1]

        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, socket, Self.socketNumber)
        posix_spawn_file_actions_adddup2(&files, theirs, Self.lifelineNumber)
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, log ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, 1, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Use a separate process group, so that an interrupt from the terminal reaches only this program.
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)

        var arguments = [program, "--foreground", "--config", directory.configuration]
        if log != nil { arguments += ["--debug", "--apdu"] }
        // Without this option, versions that support it ask polkit, which has no rules for this daemon.
        if Self.knowsPolkit { arguments.append("--disable-polkit") }
        let environment = [
            "LD_PRELOAD=\(handler)", "NFCTOOL_PCSCD=\(directory.path)",
            "NFCTOOL_PCSCD_LINK=\(PrivatePCSCDaemon.link)", "LISTEN_FDS=1", "PATH=/usr/bin:/bin",
        ]
        var process = pid_t()
        let result = Self.withPointers(arguments) { arguments in
            Self.withPointers(environment) { environment in
                posix_spawn(&process, program, &files, &attributes, arguments, environment)
            }
        }
        guard result == 0 else {
            close(lifeline)
            throw .system("Starting pcscd", result)
        }
        self.process = process
    }

    /// Ends the daemon without any cleanup, as if it had crashed.
    func kill() {
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        close(lifeline)
    }

    /// Ends the daemon, which removes its directory first.
    func end() {
        close(lifeline)
        let deadline = ContinuousClock.now + Self.longestEnd
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if ContinuousClock.now > deadline { Glibc.kill(process, SIGKILL) }
            usleep(1_000)
        }
    }

    private static func listen(at path: String) throws(PCSCDaemonError) -> Int32 {
        let socket = try UnixSocket.listen(at: path, backlog: backlog)
        let high = fcntl(socket, F_DUPFD_CLOEXEC, firstFree)
        close(socket)
        guard high >= 0 else { throw .system("Listening for pcscd", errno) }
        return high
    }

    /// Whether pcscd supports the option `--disable-polkit`.
    ///
    /// If so, its executable contains this name.
    private static let knowsPolkit: Bool = {
        guard let program, let file = fopen(program, "rb") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes.prefix(count).split(separator: 0).contains { $0.elementsEqual("disable-polkit".utf8) }
    }()

    private static func withPointers<Result>(
        _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return body(copies)
    }
}
