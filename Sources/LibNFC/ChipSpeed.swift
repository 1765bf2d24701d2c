// Changing the speed of a PN532's serial line — NXP UM0701-02, SetSerialBaudRate

@preconcurrency import Glibc
import USBReaders

/// Both ends of a PN532's serial line, whose speeds are changed together.
///
/// During a change, no libnfc call may be in progress.
struct ChipSpeed {
    let line: ChipLine
    /// The speed while no program uses the reader.
    let usual: SerialSpeed

    /// The time in milliseconds to wait for an answer from a chip that is awake.
    ///
    /// The chip answers within 15 ms, and a serial adapter may hold bytes for 16 ms.
    static let patience = 150
    /// The time in milliseconds to wait for a chip whose speed is not known.
    ///
    /// On a port without a PN532, all attempts together take about half a second.
    private static let searchPatience = 80
    private static let searches = 2
    private static let attempts = 2
    /// The time in microseconds to wait while the chip changes its speed.
    ///
    /// nfcpy waits 1 ms.
    private static let changeTime: useconds_t = 5_000

    private static let getFirmwareVersion: [UInt8] = [0x02]
    /// SAMConfiguration, normal mode.
    static let samConfiguration: [UInt8] = [0x14, 0x01]

    /// Whether the port supports a speed.
    ///
    /// Nothing is sent at this speed.
    func supports(_ speed: SerialSpeed) -> Bool {
        defer { _ = line.setSpeed(usual) }
        return line.setSpeed(speed)
    }

    /// Changes the speed.
    ///
    /// The chip answers at the old speed, and changes when it has received an acknowledgement, also at the old speed.
    /// If it does not answer, it may have missed the command or the acknowledgement, or the end of an earlier answer
    /// has hidden the new one. In each of these cases, the command and the acknowledgement are sent again.
    ///
    /// - Parameters:
    ///   - old: the present speed.
    ///   - new: the new speed.
    ///   - milliseconds: the time for each answer.
    /// - Returns: whether the chip answers at the new speed. If not, the speed of the chip is unknown.
    func change(from old: SerialSpeed, to new: SerialSpeed, within milliseconds: Int = ChipSpeed.patience) -> Bool {
        for _ in 0..<Self.attempts {
            guard line.setSpeed(old) else { return false }
            guard line.answer(to: [0x10, new.code], within: milliseconds) != nil, line.acknowledge() else { continue }
            usleep(Self.changeTime)
            if line.setSpeed(new), line.answer(to: Self.getFirmwareVersion, within: milliseconds) != nil { return true }
        }
        return false
    }

    /// Restores the usual speed of a chip whose present speed is unknown.
    ///
    /// Returns whether the chip now answers at the usual speed.
    func comeBack() -> Bool {
        guard line.setSpeed(usual) else { return false }
        return line.answer(to: Self.getFirmwareVersion, within: Self.patience) != nil || recover()
    }

    /// Finds a chip that a killed program has left at a raised speed, and restores its usual speed.
    ///
    /// Without this, only a loss of power would reset the speed. Returns whether a chip was found and now answers at
    /// the usual speed.
    func recover() -> Bool {
        defer { _ = line.setSpeed(usual) }
        for _ in 0..<Self.searches {
            for speed in SerialSpeed.raised.reversed() where speed != usual && line.setSpeed(speed) {
                let answer = line.answer(to: Self.samConfiguration, ofAwakeChip: false, within: Self.searchPatience)
                guard answer != nil else { continue }
                return change(from: speed, to: usual)
            }
        }
        return false
    }
}

/// A serial line that has a raised speed while the reader is open.
struct RaisedSpeed {
    let speeds: ChipSpeed
    let raised: SerialSpeed

    /// Restores the usual speed, for libnfc and for the next program.
    ///
    /// - Parameter milliseconds: the time for each answer.
    func restore(within milliseconds: Int = ChipSpeed.patience) {
        guard !speeds.change(from: raised, to: speeds.usual, within: milliseconds) else { return }
        // The chip may still use the raised speed. When the reader is opened again, the chip is also searched for at
        // the raised speeds.
        _ = speeds.line.setSpeed(speeds.usual)
    }
}

extension SerialSpeed {
    fileprivate var code: UInt8 {
        switch self {
        case .baud9600: 0x00
        case .baud19200: 0x01
        case .baud38400: 0x02
        case .baud57600: 0x03
        case .baud115200: 0x04
        case .baud230400: 0x05
        case .baud460800: 0x06
        case .baud921600: 0x07
        }
    }
}
