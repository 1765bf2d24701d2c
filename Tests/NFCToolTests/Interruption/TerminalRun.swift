// The built nfctool on its own terminal, as a user runs it — pty(7), posix_spawn(3)

import Foundation
import Glibc

/// An nfctool process whose standard input, output and error are a pseudo-terminal.
final class TerminalRun {
    let process: pid_t
    /// All output of nfctool so far.
    private(set) var output = ""
    private let terminal: Int32
    private let name: String
    private let mark: String
    private var status: Int32?
    private let clock = ContinuousClock()

    private static let variable = "NFCTOOL_TEST_MARK"
    /// The time between two checks of the output.
    private static let look = Duration.milliseconds(5)

    /// Starts nfctool in a folder, which also holds its state.
    init(_ arguments: [String], in folder: String) throws {
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, which unlockpt and ptsname use.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw POSIXError(.ENOTTY) }
        name = "/dev/pts/\(number)"
        // The terminal is wide enough that no sentence is wrapped.
        var size = winsize(ws_row: 50, ws_col: 240, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENOTTY) }
        _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
        mark = UUID().uuidString
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal, whose Ctrl-C it receives.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID of glibc's <spawn.h>.
        let newSession: Int16 = 0x80
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let program = "/usr/bin/env"
        let words = ([program, "-C", folder, "\(Tool.products)/nfctool"] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        let inherited = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("NFCTOOL_") && !["NO_COLOR", "COLUMNS"].contains(name)
        }
        let variables = inherited.merging([
            "PATH": "\(Tool.products):/usr/bin:/bin", "XDG_STATE_HOME": folder, Self.variable: mark, "TERM": "xterm",
        ]) { $1 }
        let environment = variables.map { strdup("\($0)=\($1)") }
        defer { for variable in environment { free(variable) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, &attributes, words + [nil], environment + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        self.process = process
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(terminal)
    }

    /// Whether the terminal shows what is typed.
    var showsTyping: Bool {
        var settings = termios()
        return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types a string; `\u{3}` is Ctrl-C.
    func type(_ text: String) { _ = write(terminal, Array(text.utf8), text.utf8.count) }

    func send(_ signal: Int32) { if status == nil { kill(process, signal) } }

    func hasEnded() -> Bool {
        takeOutput()
        guard status == nil else { return true }
        var word: Int32 = 0
        guard waitpid(process, &word, WNOHANG) == process else { return false }
        status = word & 0x7F == 0 ? word >> 8 & 0xFF : -(word & 0x7F)
        takeOutput()
        return true
    }

    /// Waits until nfctool has printed a string.
    ///
    /// Returns false if nfctool ended, or took too long, without printing it.
    func prints(_ text: String, within limit: Duration = .seconds(20)) async throws -> Bool {
        let start = clock.now
        while !hasEnded(), clock.now - start < limit {
            if output.contains(text) { return true }
            try await Task.sleep(for: Self.look)
        }
        return output.contains(text)
    }

    /// Waits until nfctool has printed a string.
    ///
    /// - Throws: ``UnexpectedEnd`` if nfctool ended, or took too long, without printing the string.
    func wait(for text: String) async throws {
        guard try await prints(text) else { throw UnexpectedEnd(output: output, errors: "") }
    }

    /// Waits until nfctool has read all typed lines — FIONREAD of ioctl_tty(2).
    ///
    /// - Throws: ``UnexpectedEnd`` if nfctool ended, or took too long, before it had read them.
    func hasReadLines(within limit: Duration = .seconds(20)) async throws {
        let input = open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard input >= 0 else { throw POSIXError(.ENOTTY) }
        defer { close(input) }
        let start = clock.now
        while !hasEnded(), clock.now - start < limit {
            var unread: Int32 = 0
            if ioctl(input, UInt(FIONREAD), &unread) == 0, unread == 0 { return }
            try await Task.sleep(for: Self.look)
        }
        throw UnexpectedEnd(output: output, errors: "")
    }

    /// Waits until nfctool ends.
    ///
    /// Returns the exit code, or the negative number of a signal, or nil if nfctool did not end within the limit.
    func ended(within limit: Duration = .seconds(20)) async throws -> Int32? {
        let start = clock.now
        while !hasEnded(), clock.now - start < limit { try await Task.sleep(for: Self.look) }
        return status
    }

    /// Returns the processes that nfctool started and that are still running.
    func survivors() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let text = Data("\(Self.variable)=\(mark)".utf8)
        return names.filter { name in
            guard pid_t(name) != nil, let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ")
            else { return false }
            return environment.range(of: text) != nil
        }
    }

    private func takeOutput() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { return }
            output += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
