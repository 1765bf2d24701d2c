// A PN532's serial port, used in addition to libnfc — termios(3); NXP UM0701-02, 6.2.1 and HSU wake-up

@preconcurrency import Glibc
import USBReaders

/// This process's own descriptor of a serial port, used to set the speed and to exchange frames with the chip.
///
/// The speed is a property of the port, so it also changes for libnfc. Do not exchange frames while libnfc is using the
/// port.
struct ChipLine {
    let descriptor: CInt

    /// The frame that acknowledges an answer.
    static let acknowledgement: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    /// The wake-up bytes, and zeros for the time that the chip needs to wake up.
    private static let wakeUp: [UInt8] = [0x55, 0x55] + [UInt8](repeating: 0, count: 14)
    /// The maximum number of bytes to receive, which is more than the length of any expected answer.
    ///
    /// The limit ends the wait on a port that receives only noise.
    private static let mostBytes = 64

    /// The settings of the port, or nil if it is not a serial port.
    var settings: termios? {
        var settings = termios()
        return tcgetattr(descriptor, &settings) == 0 ? settings : nil
    }

    func restore(_ settings: termios) {
        var settings = settings
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    /// Makes the port transparent for all bytes, and returns whether that succeeded.
    ///
    /// A PN532 has no lines for flow control. If another program had left flow control on, no byte would be sent.
    func makeRaw() -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return false }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~(tcflag_t(CRTSCTS) | tcflag_t(CSTOPB))
        return tcsetattr(descriptor, TCSANOW, &settings) == 0
    }

    /// Sets the speed of the port.
    ///
    /// Returns false if the port does not support the speed. Many drivers do not report this as an error, and keep
    /// another speed.
    func setSpeed(_ speed: SerialSpeed) -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return false }
        cfsetspeed(&settings, speed.setting)
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0, tcgetattr(descriptor, &settings) == 0 else {
            return false
        }
        return cfgetospeed(&settings) == speed.setting
    }

    /// Sends an acknowledgement, waits until it has left the host, and returns whether that succeeded.
    func acknowledge() -> Bool { send(Self.acknowledgement) && tcdrain(descriptor) == 0 }

    /// Wakes the chip, sends a command, and returns whether the chip acknowledges it in time.
    func wakes(for command: [UInt8], within milliseconds: Int) -> Bool {
        tcflush(descriptor, TCIFLUSH)
        guard send(Self.wakeUp + Self.frame(command)) else { return false }
        return receive(within: milliseconds) { received -> Bool? in
            let isAcknowledged = received.indices.contains { received[$0...].starts(with: Self.acknowledgement) }
            return isAcknowledged ? true : nil
        } ?? false
    }

    /// Sends a command and waits for its answer.
    ///
    /// - Parameters:
    ///   - command: the command's code and data.
    ///   - isAwake: whether the chip is known to be awake.
    ///   - milliseconds: the time for the answer.
    /// - Returns: the bytes after the response code, or nil if there is no valid answer in time.
    func answer(to command: [UInt8], ofAwakeChip isAwake: Bool = true, within milliseconds: Int) -> [UInt8]? {
        tcflush(descriptor, TCIFLUSH)
        guard send((isAwake ? [] : Self.wakeUp) + Self.frame(command)) else { return nil }
        return receive(within: milliseconds) { Self.answer(to: command[0], in: $0) }
    }

    private func send(_ bytes: [UInt8]) -> Bool { write(descriptor, bytes, bytes.count) == bytes.count }

    /// Receives bytes until `result` returns a value for them, and returns that value.
    ///
    /// Nil if the time is over before that.
    private func receive<Value>(within milliseconds: Int, until result: ([UInt8]) -> Value?) -> Value? {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        var received: [UInt8] = []
        while received.count < Self.mostBytes {
            let rest = ((deadline - ContinuousClock.now) / .milliseconds(1)).rounded(.up)
            var port = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard rest > 0, poll(&port, 1, CInt(rest)) > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return nil }
            received += bytes.prefix(count)
            if let found = result(received) { return found }
        }
        return nil
    }

    private static func frame(_ command: [UInt8]) -> [UInt8] {
        let data = [0xD4] + command
        let length = UInt8(data.count)
        return [0x00, 0x00, 0xFF, length, 0 &- length] + data + [0 &- data.reduce(0, &+), 0x00]
    }

    /// Returns the data of the answer to a command.
    ///
    /// Nil if the bytes do not contain the complete answer.
    private static func answer(to code: UInt8, in bytes: [UInt8]) -> [UInt8]? {
        for start in bytes.indices where bytes[start...].starts(with: [0x00, 0xFF]) && bytes.count > start + 4 {
            let length = Int(bytes[start + 2])
            let end = start + 4 + length
            guard bytes[start + 2] &+ bytes[start + 3] == 0, length >= 2, bytes.count > end else { continue }
            let data = bytes[(start + 4)..<end]
            guard data.reduce(bytes[end], &+) == 0, data.starts(with: [0xD5, code &+ 1]) else { continue }
            return Array(data.dropFirst(2))
        }
        return nil
    }
}

extension SerialSpeed {
    fileprivate var setting: speed_t {
        let setting: CInt =
            switch self {
            case .baud9600: B9600
            case .baud19200: B19200
            case .baud38400: B38400
            case .baud57600: B57600
            case .baud115200: B115200
            case .baud230400: B230400
            case .baud460800: B460800
            case .baud921600: B921600
            }
        return speed_t(setting)
    }
}
