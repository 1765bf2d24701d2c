// A pseudo-terminal that behaves like a reader's serial port — pty(7), inotify(7)

import Glibc

/// The master side of a pseudo-terminal.
///
/// libnfc marks a port as in use with a private bit in `c_iflag`. If a program is killed, the bit stays set, and libnfc
/// would refuse the port to later programs. Therefore the line restores the terminal settings when the last program has
/// closed the port. The master sees this as a hang-up, but only if the line itself does not hold the slave open. While
/// no program has the port open, the line must hold the slave open. Otherwise the hang-up would wake its thread again
/// and again. So the line closes the slave when a program opens the port (inotify) or sends the first byte, and opens
/// it again at the hang-up.
final class SerialLine: @unchecked Sendable {  // Mutable state is confined to the thread of `run`.
    /// The path of the slave, `/dev/pts/N`.
    let path: String
    private let master: Int32
    /// The line's own descriptor of the slave; −1 while a program has the port open.
    private var slave: Int32
    private let inotify: Int32
    private var watch: Int32 = -1
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
        (self.master, self.slave) = (master, slave)
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(master, F_SETFL, fcntl(master, F_GETFL) | O_NONBLOCK)
        makeRaw(slave, speed: speed_t(B115200))
        watch = inotify_add_watch(inotify, path, UInt32(IN_OPEN))
    }

    deinit {
        for descriptor in [master, slave, inotify] where descriptor >= 0 { close(descriptor) }
    }

    func run() {
        wakeInTime()
        defer { uart.powerOff() }
        send(uart.resume())
        while true {
            var descriptors = [master, wake.readEnd, inotify, uart.antennaDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            // Read the speed before poll(2): if poll(2) then finds no bytes, none were sent at an earlier speed.
            let hostSpeed = uart.awaitsNewSpeed ? LineSpeed.ofTerminal(master) : nil
            guard poll(&descriptors, 4, timeout) >= 0 || errno == EINTR else { return }
            waitOutTheMillisecond()
            if descriptors[1].revents != 0, !wake.drain() { return }
            if descriptors[2].revents != 0 { noteOpening() }
            if descriptors[0].revents & Int16(POLLIN) != 0 {
                receive()
            } else if let hostSpeed {
                uart.notice(hostSpeed)
            }
            if descriptors[0].revents & Int16(POLLHUP) != 0 { portWasClosed() }
            send(uart.resume())
        }
    }

    /// The time in milliseconds until the chip has something to do; −1 means forever.
    private var timeout: Int32 {
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

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return }
        letGo()
        send(uart.receive(Array(buffer[..<count]), at: LineSpeed.ofTerminal(master)))
    }

    /// Sends as many bytes as the port accepts.
    ///
    /// The rest is dropped, because a serial line does not wait for a host that does not read. A host with another
    /// speed gets garbage.
    private func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let arriving = LineSpeed.ofTerminal(master) == uart.speed ? bytes : LineSpeed.garbage(of: bytes)
        _ = write(master, arriving, arriving.count)
    }

    private func noteOpening() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(inotify, &buffer, buffer.count) > 0 {}
        letGo()
        uart.lineOpened()
    }

    private func letGo() {
        guard slave >= 0 else { return }
        close(slave)
        slave = -1
    }

    private func portWasClosed() {
        letGo()
        uart.lineClosed()
        // The line itself opens the slave now. This must not count as an opening by a program.
        if watch >= 0 { inotify_rm_watch(inotify, watch) }
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        makeRaw(slave)
        tcflush(slave, TCIFLUSH)
        watch = inotify_add_watch(inotify, path, UInt32(IN_OPEN))
        // Discard the event that the removed watch leaves behind.
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(inotify, &buffer, buffer.count)
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
