// A pseudo-terminal that behaves like a reader's serial port — pty(7), inotify(7)

import Glibc

/// The master side of a pseudo-terminal.
///
/// libnfc marks a port as taken by a private bit in `c_iflag`, and a killed program leaves it set, so that the port
/// would refuse every later one. The line therefore notices when the last program has closed the port, which the
/// master sees as a hang-up, and puts the terminal settings back. To see it, it must not hold the slave open itself
/// while a program has it; to not be woken forever by the hang-up, it must hold it while none has. So it lets go
/// when a program opens the port (inotify) or sends the first byte, and takes hold again at the hang-up.
final class SerialLine: @unchecked Sendable {  // What varies belongs to `run` and its one thread.
    /// The slave's path, `/dev/pts/N`.
    let path: String
    private let master: Int32
    /// Our own descriptor of the slave, while no program has it open.
    private var slave: Int32
    private let inotify: Int32
    private var watch: Int32 = -1
    private let wake: WakePipe
    private let uart: HighSpeedUART

    /// Opens a pseudo-terminal in raw mode.
    init(uart: HighSpeedUART, wake: WakePipe) throws(VirtualReaderError) {
        (self.uart, self.wake) = (uart, wake)
        var master: Int32 = -1
        var slave: Int32 = -1
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw .noPseudoTerminal(errno) }
        var name = [CChar](repeating: 0, count: 128)
        guard ttyname_r(slave, &name, name.count) == 0 else { throw .noPseudoTerminal(errno) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        (self.master, self.slave) = (master, slave)
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
        makeRaw(slave)
        watch = inotify_add_watch(inotify, path, UInt32(IN_OPEN))
    }

    deinit {
        for descriptor in [master, slave, inotify] where descriptor >= 0 { close(descriptor) }
    }

    /// Serves the port until the wake pipe is closed.
    func run() {
        wakeInTime()
        defer { uart.powerOff() }
        send(uart.resume())
        while true {
            var descriptors = [master, wake.readEnd, inotify, uart.antennaDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&descriptors, 4, timeout) >= 0 || errno == EINTR else { return }
            waitOutTheMillisecond()
            if descriptors[1].revents != 0, !wake.drain() { return }
            if descriptors[2].revents != 0 { noteOpening() }
            if descriptors[0].revents & Int16(POLLIN) != 0 { receive() }
            if descriptors[0].revents & Int16(POLLHUP) != 0 { portWasClosed() }
            send(uart.resume())
        }
    }

    /// Whole milliseconds until the chip has something to do; −1 is forever.
    private var timeout: Int32 {
        guard let time = uart.wakeUpTime else { return -1 }
        return Int32(max(.zero, min(time - ContinuousClock.now, .seconds(3600))) / Self.millisecond)
    }

    /// Waits for what is due within a millisecond: poll(2) counts whole ones, and would be late with each answer.
    private func waitOutTheMillisecond() {
        guard let time = uart.wakeUpTime, case let rest = time - .now, rest > .zero, rest < Self.millisecond else {
            return
        }
        if rest > Self.awakening {
            let sleep = rest - Self.awakening
            var interval = timespec(tv_sec: 0, tv_nsec: Int(sleep.components.attoseconds / 1_000_000_000))
            nanosleep(&interval, nil)
        }
        while time > .now {}
    }

    /// Has the kernel wake this thread when its time has come, not up to 50 µs later, as it does to save power.
    private func wakeInTime() {
        var link = [CChar](repeating: 0, count: 64)
        guard readlink("/proc/thread-self", &link, link.count - 1) > 0 else { return }
        let thread = String(decoding: link.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let number = thread.split(separator: "/").last else { return }
        let slack = open("/proc/\(number)/timerslack_ns", O_WRONLY | O_CLOEXEC)
        guard slack >= 0 else { return }
        _ = write(slack, "1", 1)
        close(slack)
    }

    private static let millisecond = Duration.milliseconds(1)
    /// What the kernel needs to wake a thread; it is waited out by a look at the clock.
    private static let awakening = Duration.microseconds(60)

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return }
        letGo()
        send(uart.receive(Array(buffer[..<count])))
    }

    /// Sends what the port takes; a serial line does not wait for a host that does not read.
    private func send(_ bytes: [UInt8]) {
        if !bytes.isEmpty { _ = write(master, bytes, bytes.count) }
    }

    private func noteOpening() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(inotify, &buffer, buffer.count) > 0 {}
        letGo()
    }

    private func letGo() {
        guard slave >= 0 else { return }
        close(slave)
        slave = -1
    }

    private func portWasClosed() {
        letGo()
        uart.lineClosed()
        // Our own opening is not to be noticed as a program's.
        if watch >= 0 { inotify_rm_watch(inotify, watch) }
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        makeRaw(slave)
        tcflush(slave, TCIFLUSH)
        watch = inotify_add_watch(inotify, path, UInt32(IN_OPEN))
        // The removed watch leaves an event of its own behind.
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(inotify, &buffer, buffer.count)
    }

    private func makeRaw(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        settings.c_iflag = 0
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed_t(B115200))
        tcsetattr(descriptor, TCSANOW, &settings)
    }
}
