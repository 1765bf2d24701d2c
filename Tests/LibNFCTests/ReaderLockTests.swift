// The lock that keeps a second program away from a reader — flock(2)

import Glibc
import Logging
import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct ReaderLockTests {
    private func isLocked(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    @Test func aReaderIsLockedAsLongAsItIsOpen() throws {
        let bench = try Bench()
        #expect(!isLocked(bench.chip.path))
        try bench.open { _ in #expect(isLocked(bench.chip.path)) }
        #expect(!isLocked(bench.chip.path))
    }

    /// The other program does not communicate with the reader, and its open file may be hidden, so only the lock shows
    /// it.
    @Test func aReaderThatAnotherProgramHasLockedIsInUseByThatProgram() throws {
        let bench = try Bench()
        var child = pid_t()
        // The process locks the reader while it runs `flock`, and continues as `sleep`.
        let words = ["flock", "--no-fork", bench.chip.path, "sleep", "30"]
        let arguments = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        try #require(posix_spawn(&child, "/usr/bin/flock", nil, nil, arguments + [nil], nil) == 0)
        defer {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        for _ in 0..<500 where !isLocked(bench.chip.path) { usleep(10_000) }
        let connection = bench.chip.connection
        #expect(throws: ReaderError.busy(connection: connection, holder: "sleep (process \(child))")) {
            try LibNFCReader(connection: connection, queue: bench.queue, logger: Logger(label: "test"))
        }
    }
}
