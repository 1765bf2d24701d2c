// A pseudo-terminal that behaves like a reader's serial port — pty(7), epoll(7), inotify(7)

internal import Cepoll
import Glibc

/// The master side of a pseudo-terminal.
///
/// libnfc marks a port as in use with a private bit in `c_iflag`. If a program is killed, the bit stays set, and libnfc
/// would refuse the port to later programs. Therefore the line restores the terminal settings when the last program has
/// closed the port. The master sees this as a hang-up, but only if the line itself does not hold the slave open. The
/// hang-up lasts until a program opens the port, and poll(2) would report it again and again. epoll(7) reports it once.
final class SerialLine: @unchecked Sendable {  // Mutable state is confined to the thread of `run`.
    /// The path of the slave, `/dev/pts/N`.
    let path: String
    private let master: Int32
    /// An epoll descriptor that is ready after each change of the master: bytes arrived, or the port was closed.
    private let changes: Int32
    /// An inotify descriptor that watches the port while the chip waits for a change of the host's speed.
    private let openings: Int32
    private var watch: Int32 = -1
    /// Whether more bytes may have arrived than were received.
    private var isBehind = false
    private let wake: WakePipe
    private let uart: HighSpeedUART

    init(uart: HighSpeedUART, wake: WakePipe) throws(VirtualReaderError) {
        (self.uart, self.wake) = (uart, wake)
        var master: Int32 = -1
        var slave: Int32 = -1
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw .noPseudoTerminal(errno) }
        var name = [CChar](repeating: 0, count: 128)
        guard ttyname_r(slave, &name, name.count) == 0 else { throw .noPseudoTerminal(errno) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.master = master
        openings = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
        changes = edges_of(master)
        makeRaw(slave, speed: speed_t(B115200))
        guard changes >= 0 else { throw .noPseudoTerminal(errno) }
        close(slave)
        // This hang-up is not that of a program.
        _ = next_edge(changes)
    }

    deinit {
        for descriptor in [master, changes, openings] where descriptor >= 0 { close(descriptor) }
    }

    func run() {
        wakeInTime()
        defer { uart.powerOff() }
        send(uart.resume())
        while true {
            var descriptors = [changes, wake.readEnd, uart.antennaDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            // Read the speed before poll(2): if poll(2) then finds no bytes, none were sent at an earlier speed.
            watchOpenings(uart.awaitsNewSpeed)
            let hostSpeed = uart.awaitsNewSpeed ? LineSpeed.ofTerminal(master) : nil
            guard poll(&descriptors, 3, timeout) >= 0 || errno == EINTR else { return }
            waitOutTheMillisecond()
            if descriptors[1].revents != 0, !wake.drain() { return }
            if hostSpeed != nil, wasOpened() { uart.lineOpened() }
            let change = next_edge(changes)
            if isBehind || change & EDGE_BYTES_ARRIVED != 0 {
                receive()
            } else if let hostSpeed {
                uart.notice(hostSpeed)
            }
            if change & EDGE_HUNG_UP != 0 { portWasClosed() }
            send(uart.resume())
        }
    }

    /// The time in milliseconds until the chip has something to do; −1 means forever.
    private var timeout: Int32 {
        if isBehind { return 0 }
        // A change of the host's speed does not wake this thread.
        if uart.awaitsNewSpeed { return 1 }
        guard let time = uart.wakeUpTime else { return -1 }
        return Int32(max(.zero, min(time - ContinuousClock.now, .seconds(3600))) / Self.millisecond)
    }

    /// Waits for the part of a millisecond that is left until the chip has something to do.
    ///
    /// poll(2) counts only whole milliseconds, which would delay each answer.
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

    /// Asks the kernel to wake this thread on time.
    ///
    /// By default, the kernel may wake a thread up to 50 µs late to save power.
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
    /// The time that the kernel needs to wake a thread.
    ///
    /// Instead of sleeping, the line reads the clock again and again for this time.
    private static let awakening = Duration.microseconds(60)

    /// Watches whether a program opens the port.
    ///
    /// Closing a watch can take 15 ms, so there is none most of the time.
    private func watchOpenings(_ isNeeded: Bool) {
        if isNeeded, watch < 0 {
            watch = inotify_add_watch(openings, path, UInt32(IN_OPEN))
        } else if !isNeeded, watch >= 0 {
            inotify_rm_watch(openings, watch)
            watch = -1
            _ = wasOpened()
        }
    }

    private func wasOpened() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return read(openings, &buffer, buffer.count) > 0
    }

    /// Receives bytes that have arrived.
    ///
    /// epoll(7) reports them only once, so this is repeated until there are none.
    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &buffer, buffer.count)
        isBehind = count > 0
        if isBehind { send(uart.receive(Array(buffer[..<count]), at: LineSpeed.ofTerminal(master))) }
    }

    /// Sends as many bytes as the port accepts.
    ///
    /// The rest is dropped, because a serial line does not wait for a host that does not read. A host with another
    /// speed gets garbage.
    private func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        // The host may open the port again as soon as it has the answer.
        watchOpenings(uart.awaitsNewSpeed)
        let arriving = LineSpeed.ofTerminal(master) == uart.speed ? bytes : LineSpeed.garbage(of: bytes)
        _ = write(master, arriving, arriving.count)
    }

    private func portWasClosed() {
        uart.lineClosed()
        let slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { return }
        makeRaw(slave)
        tcflush(slave, TCIFLUSH)
        close(slave)
        // The line itself closed the port here, which is no reason to do all this again.
        if next_edge(changes) & EDGE_BYTES_ARRIVED != 0 { receive() }
    }

    /// Puts the port into raw mode.
    ///
    /// A port keeps its speed when it is closed. A port in raw mode is left unchanged: a program that closes the port
    /// and opens it again at another speed, as nfcpy does, may be setting it up at this moment.
    ///
    /// - Parameters:
    ///   - descriptor: the open port.
    ///   - speed: the speed for a new port; nil to keep the speed.
    private func makeRaw(_ descriptor: Int32, speed: speed_t? = nil) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        var raw = settings
        raw.c_iflag = 0
        cfmakeraw(&raw)
        if let speed { cfsetspeed(&raw, speed) }
        let isRaw = (settings.c_iflag, settings.c_oflag, settings.c_lflag) == (raw.c_iflag, raw.c_oflag, raw.c_lflag)
        if !isRaw || speed != nil { tcsetattr(descriptor, TCSANOW, &raw) }
    }
}
