// The process that holds a reader, from the point of view of its parent process — posix_spawn(3), waitpid(2)

import Foundation
@preconcurrency import Glibc
import ReaderInterface
import Synchronization

/// How to start a program that calls ``ReaderServer/run()``.
package struct ReaderProgram: Hashable, Sendable {
    let path: String
    /// The arguments, without the program's name.
    let arguments: [String]
    /// Whether the program's standard error is shown.
    ///
    /// The messages that the C library prints about an aborted process are of no use to users.
    let showsErrors: Bool
    /// Whether the output includes libnfc's debug lines.
    let showsDebugLines: Bool

    package init(path: String, arguments: [String], showsErrors: Bool = false, showsDebugLines: Bool = false) {
        self.path = path
        self.arguments = arguments
        self.showsErrors = showsErrors
        self.showsDebugLines = showsDebugLines
    }
}

/// A child process that holds one reader.
///
/// The process ends with this object: by itself when it finds its socket closed, or by SIGKILL if it is stuck.
final class ReaderProcess: Sendable {
    private let socket: MessageSocket
    let identifier: pid_t
    /// The error that all later requests throw, or nil while requests are still sent.
    private let end = Mutex<ReaderError?>(nil)
    private let abortTime = Mutex<SuspendingClock.Instant?>(nil)
    private let driver = Mutex("libnfc")
    /// The name of the library that drives the reader, for errors.
    var library: String {
        get { driver.withLock { $0 } }
        set { driver.withLock { $0 = newValue } }
    }

    /// The interval at which to check whether the call was aborted.
    private static let look = Duration.milliseconds(100)
    /// The time within which an aborted call must end.
    ///
    /// It makes Ctrl-C take effect within a second.
    private static let abortPatience = Duration.milliseconds(600)

    init(_ program: ReaderProgram) throws(ReaderError) {
        guard let (ours, theirs) = MessageSocket.pair() else {
            throw .readerFailed(operation: "starting", reason: "no socket could be created for it", code: errno)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirs.descriptor, STDIN_FILENO)
        if !program.showsErrors {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Use a separate process group, so that Ctrl-C reaches only the parent process. The parent closes the reader in
        // an orderly way.
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A signal that arrives before the process handles signals waits until then. Otherwise, Ctrl-C could kill the
        // process while it is still in the parent's group.
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        posix_spawnattr_setsigmask(&attributes, &signals)
        let arguments = ([program.path] + program.arguments).map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        // Swift's backtrace of a process that libnfc aborted is useless, and takes seconds during which the reader
        // stays occupied.
        let own = [
            "SWIFT_BACKTRACE": "enable=no",
            // libnfc itself prints messages, such as "Unable to find USB busses". At level 0, it prints none. At level
            // 3, it also prints the frames to the chip.
            "LIBNFC_LOG_LEVEL": program.showsDebugLines ? "3" : "0",
        ]
        let variables = ProcessInfo.processInfo.environment.merging(own) { $1 }
        let environment = variables.map { strdup("\($0)=\($1)") }
        defer { for variable in environment { free(variable) } }
        var identifier = pid_t()
        let result = posix_spawn(
            &identifier, program.path, &actions, &attributes, arguments + [nil], environment + [nil])
        guard result == 0 else {
            throw .readerFailed(operation: "starting", reason: "its program \(program.path) does not run", code: result)
        }
        socket = ours
        self.identifier = identifier
    }

    deinit {
        let (socket, identifier) = (socket, identifier)
        // The process ends when its socket is closed. If it does not, it is killed.
        shutdown(socket.descriptor, CInt(SHUT_RDWR))
        Self.reap(identifier)
    }

    /// Sends a request, and waits for the reply until the deadline.
    ///
    /// - Throws: the reader's error; ``ReaderError/readerFailed(operation:reason:code:fault:)`` if the process ended or
    ///   is stuck, and for every later request.
    func reply(to request: ReaderRequest, during operation: String) throws(ReaderError) -> ReaderReply {
        if let end = end.withLock({ $0 }) { throw end }
        guard socket.send(request.encoded) else { throw died(during: operation) }
        // Like the process, this clock stops while the machine is asleep.
        let deadline = SuspendingClock.now + request.deadline
        while true {
            switch socket.receive(within: Self.look) {
            case .message(let message):
                guard let reply = try? ReaderReply(decoding: message) else {
                    throw ended(
                        .readerFailed(
                            operation: operation, reason: "its process sent an invalid reply",
                            code: EPROTO))
                }
                if case .failed(let error) = reply { throw error }
                return reply
            case .closed:
                throw died(during: operation)
            case .nothing:
                if let time = abortTime.withLock({ $0 }), .now >= time + Self.abortPatience { throw ended(.aborted) }
                if .now >= deadline {
                    throw ended(
                        .readerFailed(operation: operation, reason: "it did not answer in time", code: ETIMEDOUT))
                }
            }
        }
    }

    /// Whether every later request fails.
    ///
    /// May be called from any thread.
    var isEnded: Bool { end.withLock { $0 != nil } || abortTime.withLock { $0 != nil } }

    /// Aborts the running request, if there is one.
    ///
    /// May be called from any thread.
    func abort() {
        abortTime.withLock { $0 = $0 ?? .now }
        _ = socket.send(ReaderRequest.abort.encoded)
    }

    /// Kills a process that is stuck or sends invalid data.
    private func ended(_ error: ReaderError) -> ReaderError {
        kill(identifier, SIGKILL)
        return end.withLock { end in
            end = end ?? error
            return error
        }
    }

    /// Handles a process that has closed its socket.
    ///
    /// libnfc ends the process with `abort()` on some malformed replies of a chip, and may corrupt memory on others.
    private func died(during operation: String) -> ReaderError {
        ended(.readerFailed(operation: operation, reason: "\(library) crashed on what it sent", code: EPIPE))
    }

    /// Waits on a separate thread for a process that was told to end.
    ///
    /// The wait may be endless: in a system call on a broken USB device, not even SIGKILL ends a process.
    private static func reap(_ identifier: pid_t) {
        var id = pthread_t()
        let argument = UnsafeMutableRawPointer(bitPattern: Int(identifier))
        let result = pthread_create(
            &id, nil,
            { argument in
                let identifier = pid_t(Int(bitPattern: argument))
                // A healthy process turns the field off and closes the reader within a few milliseconds.
                for _ in 0..<1_000 {
                    if waitpid(identifier, nil, WNOHANG) != 0 { return nil }
                    usleep(1_000)
                }
                kill(identifier, SIGKILL)
                waitpid(identifier, nil, 0)
                return nil
            }, argument)
        if result == 0 { pthread_detach(id) }
    }
}
