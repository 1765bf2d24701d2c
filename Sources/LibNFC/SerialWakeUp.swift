// A PN532 board that did not answer libnfc's first frame — NXP UM0701-02, HSU wake-up, SAMConfiguration

import USBReaders

/// Makes a few attempts to get a chip on a serial port to acknowledge SAMConfiguration.
///
/// libnfc sends its own SAMConfiguration once, waits one second and gives up. Many boards lose the first frame after
/// power-up, and a chip that a killed program has left at a raised speed receives no frame at all.
struct SerialWakeUp {
    private let speeds: ChipSpeed

    private static let tries = 3

    /// Prepares to wake the chip at an open port.
    ///
    /// Returns nil for another driver, or for a speed that libnfc does not support.
    ///
    /// - Parameters:
    ///   - descriptor: the open port.
    ///   - connection: `pn532_uart:PORT[:SPEED]`. Without a speed, the chip's default after power-up is used: 115200.
    init?(on descriptor: CInt, connection: String) {
        guard let speed = (try? ReaderConnection(parsing: connection))?.usualSpeed else { return nil }
        speeds = ChipSpeed(line: ChipLine(descriptor: descriptor), usual: speed)
    }

    /// Sends the wake-up request up to three times at the usual speed, and looks for the chip at the raised speeds if
    /// there is no answer.
    ///
    /// If no chip answers, the settings of the port are restored, because the port may belong to another device.
    /// Returns whether the chip answers at the usual speed.
    func wake() -> Bool {
        let settings = speeds.line.settings
        let isAwake = findsChip()
        if !isAwake, let settings { speeds.line.restore(settings) }
        return isAwake
    }

    private func findsChip() -> Bool {
        guard speeds.line.makeRaw(), speeds.line.setSpeed(speeds.usual) else { return false }
        for _ in 0..<Self.tries
        where speeds.line.wakes(for: ChipSpeed.samConfiguration, within: ChipSpeed.patience) {
            return true
        }
        return speeds.recover()
    }
}
