// Waking a PN532 board that missed libnfc's first frame in its sleep — NXP UM0701-02, HSU wake-up, SAMConfiguration

@preconcurrency import Glibc

/// Makes a few attempts to get a chip on a serial port to acknowledge SAMConfiguration.
///
/// libnfc sends its own SAMConfiguration once, waits one second and gives up. Many boards lose the first frame after
/// power-up.
struct SerialWakeUp {
    private let descriptor: CInt
    private let speed: speed_t

    /// The wake-up bytes, zeros for the time that the chip needs to wake up, and SAMConfiguration (normal mode).
    private static let request: [UInt8] =
        [0x55, 0x55] + [UInt8](repeating: 0, count: 14)
        + [0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD4, 0x14, 0x01, 0x17, 0x00]
    private static let acknowledgement: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    private static let tries = 3
    /// The waiting time in milliseconds.
    ///
    /// The chip acknowledges within 15 ms, and a serial adapter may hold bytes for 16 ms.
    private static let patience: CInt = 150
    private static let speeds: [String: CInt] = [
        "9600": B9600, "19200": B19200, "38400": B38400, "57600": B57600, "115200": B115200, "230400": B230400,
        "460800": B460800,
    ]

    /// Prepares to wake the chip at an open port.
    ///
    /// Nil for another driver or a speed that libnfc does not support.
    ///
    /// - Parameters:
    ///   - descriptor: the open port.
    ///   - connection: `pn532_uart:PORT[:SPEED]`. Without a speed, the chip's default after power-up is used: 115200.
    init?(on descriptor: CInt, connection: String) {
        let parts = connection.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.first == "pn532_uart", let speed = Self.speeds[parts.count > 2 ? String(parts[2]) : "115200"] else {
            return nil
        }
        self.descriptor = descriptor
        self.speed = speed_t(speed)
    }

    /// Sends the wake-up request up to three times.
    ///
    /// Returns true when the chip acknowledges it.
    func wake() -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return false }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        cfsetspeed(&settings, speed)
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else { return false }
        for _ in 0..<Self.tries {
            tcflush(descriptor, TCIFLUSH)
            guard write(descriptor, Self.request, Self.request.count) == Self.request.count else { return false }
            if isAcknowledged() { return true }
        }
        return false
    }

    private func isAcknowledged() -> Bool {
        var received: [UInt8] = []
        var port = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Limited: do not wait on a port that only sends noise.
        while received.count < 64, poll(&port, 1, Self.patience) > 0 {
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return false }
            received += bytes.prefix(count)
            if received.indices.contains(where: { received[$0...].starts(with: Self.acknowledgement) }) { return true }
        }
        return false
    }
}
