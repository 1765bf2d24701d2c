// A serial line on which a chip's replies arrive changed — NXP UM0701-02, HSU frames

import Glibc
import Synchronization

/// A pseudo-terminal in front of another one, which changes the replies of the chip behind it at random, with a seed.
final class MutatingLine: @unchecked Sendable {  // all but `counts` and `isMutating` belongs to the thread
    struct Counts {
        var passed = 0
        var mutated = 0
    }

    /// The port for the host, as libnfc's connection string.
    let connection: String
    private let master: CInt
    private let slave: CInt
    private let chip: CInt
    private let stopPipe: [CInt]
    private var mutation: ReplyMutation
    private var pending: [UInt8] = []
    private let counters = Mutex(Counts())
    private var thread = pthread_t()

    var counts: Counts { counters.withLock { $0 } }
    let isMutating = Atomic(true)

    /// Makes a line to the chip's own port, with mutations that the seed determines.
    convenience init(to path: String, seed: UInt64) { self.init(to: path, ReplyMutation(seed: seed)) }

    /// Makes a line to the chip's own port.
    ///
    /// `mutation` changes the chip's replies.
    init(to path: String, _ mutation: ReplyMutation) {
        var (master, slave): (CInt, CInt) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        var settings = termios()
        cfmakeraw(&settings)
        precondition(openpty(&master, &slave, &name, &settings, nil) == 0)
        (self.master, self.slave) = (master, slave)
        connection =
            "pn532_uart:" + String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chip = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var ends: [CInt] = [-1, -1]
        precondition(chip >= 0 && pipe(&ends) == 0)
        for descriptor in [master, slave] + ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        stopPipe = ends
        self.mutation = mutation
        let line = Unmanaged.passRetained(self)
        pthread_create(
            &thread, nil,
            { argument in
                argument.map { Unmanaged<MutatingLine>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, line.toOpaque())
    }

    func stop() {
        close(stopPipe[1])
        pthread_join(thread, nil)
        for descriptor in [master, slave, chip, stopPipe[0]] { close(descriptor) }
    }

    private func run() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var descriptors = [master, chip, stopPipe[0]].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&descriptors, 3, -1) > 0, descriptors[2].revents == 0 else { return }
            if descriptors[0].revents != 0 {
                let count = read(master, &buffer, buffer.count)
                if count > 0 { _ = write(chip, buffer, count) }
            }
            if descriptors[1].revents != 0 {
                let count = read(chip, &buffer, buffer.count)
                guard count > 0 else { return }
                pending += buffer[..<count]
                while let frame = nextFrame() { pass(frame) }
            }
        }
    }

    private func pass(_ frame: [UInt8]) {
        let changed = isMutating.load(ordering: .relaxed) ? mutation.changed(frame) : frame
        counters.withLock { counts in
            if changed == frame { counts.passed += 1 } else { counts.mutated += 1 }
        }
        if !changed.isEmpty { _ = write(master, changed, changed.count) }
    }

    /// The chip itself sends only complete and correct frames.
    private func nextFrame() -> [UInt8]? {
        guard pending.count >= 6 else { return nil }
        let length: Int
        switch (pending[3], pending[4]) {
        case (0x00, 0xFF), (0xFF, 0x00): length = 6
        case (0xFF, 0xFF):
            guard pending.count >= 8 else { return nil }
            length = 10 + Int(pending[5]) << 8 + Int(pending[6])
        case (let count, _): length = 7 + Int(count)
        }
        guard pending.count >= length else { return nil }
        defer { pending.removeFirst(length) }
        return Array(pending.prefix(length))
    }
}
