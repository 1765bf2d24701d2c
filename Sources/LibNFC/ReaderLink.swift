// Limits and times of libnfc's drivers — libnfc 1.8 drivers/acr122_usb.c, pn53x_usb.c, chips/pn53x.c

import Clibnfc
import USBReaders

/// The link between libnfc and the chip.
enum ReaderLink: Hashable {
    /// Frames in pseudo-APDUs in CCID messages.
    case acr122
    /// Frames as USB messages.
    case pn53xUSB
    /// Frames without a wrapper, on a serial line of this speed or on another bus.
    case frames(bitsPerSecond: Int)

    init(connection: String) {
        let parts = ReaderConnection.plain(connection).split(separator: ":", omittingEmptySubsequences: false)
        switch parts.first {
        case "acr122_usb", "acr122_pcsc", "acr122s": self = .acr122
        case "pn53x_usb": self = .pn53xUSB
        default:
            if let raised = (try? ReaderConnection(parsing: connection))?.raisedSpeed {
                self = .frames(bitsPerSecond: raised.rawValue)
                return
            }
            let speed = parts.count > 2 ? Int(parts[2]) ?? Self.usualSpeed : Self.usualSpeed
            self = .frames(bitsPerSecond: Self.speeds ~= speed ? speed : Self.usualSpeed)
        }
    }

    /// The default speed of a PN532, and the range of the speeds that libnfc supports.
    private static let (usualSpeed, speeds) = (115_200, 9_600...460_800)

    /// Whether frames reach the chip without a wrapper, in which case the chip can also be a target.
    var carriesFrames: Bool { if case .frames = self { true } else { false } }

    /// The maximum length of a command to a tag in bytes.
    ///
    /// With a command of 263 bytes or more, libnfc writes past the end of a buffer, which kills the process. In an
    /// ACR122U's pseudo-APDU, one byte contains the length: `D4`, the command code, the target number and the command.
    var maxCommandLength: Int { self == .acr122 ? 252 : 262 }

    /// The maximum length of a tag's answer in bytes.
    ///
    /// With ISO-DEP chaining, libnfc reports an answer of more than 264 bytes, including the status, as a chip error.
    /// In a CCID message, libnfc evaluates only one byte of the length, which counts `D5`, the answer code, the status,
    /// the answer and `90 00`.
    var maxResponseLength: Int { self == .acr122 ? 250 : 262 }

    /// Returns the time-out for libnfc for a command to a target, in milliseconds.
    ///
    /// The time-out protects against a chip that does not answer. The chip itself detects a silent target. A host that
    /// waits less than the chip would mistake a silent target for a faulty chip. Therefore the result is never below
    /// `chipTimeout`, the time after which the chip reports that the target is silent.
    func timeout(for duration: Duration, chipTimeout: Duration) -> CInt {
        timeout(for: max(duration, longestSilence(chipTimeout)))
    }

    /// Returns the maximum time until a silent target is reported: the chip's time-out plus the transfer to the host.
    func longestSilence(_ chipTimeout: Duration) -> Duration { chipTimeout + transport }

    /// Returns the time-out for libnfc, in milliseconds, that gives the chip this long to answer.
    ///
    /// With the value 0, libnfc waits forever, and with -1, it waits 350 ms. Its USB drivers wait 200 ms less than
    /// requested, and would treat an answer that arrives later as the answer to the next command. For them, the result
    /// is at least the time in which any working chip answers, plus these 200 ms.
    func timeout(for duration: Duration) -> CInt {
        let milliseconds = CInt(max(1, min((duration / .milliseconds(1)).rounded(.up), 60_000)))
        return carriesFrames ? milliseconds : max(milliseconds, Self.usbPatience) + Self.usbLoss
    }

    /// The transfer time of the longest command and its answer between host and chip.
    private var transport: Duration {
        guard case .frames(let bitsPerSecond) = self else { return Self.hostDelay }
        let frameTime = Duration.microseconds(Self.longestFrame * 10 * 1_000_000 / bitsPerSecond)
        return (frameTime + Self.adapterDelay) * 2 + Self.hostDelay
    }

    /// The number of bytes in an extended information frame with 264 bytes of data — NXP UM0701-02, 6.2.1.2.
    private static let longestFrame = 275
    /// USB serial adapters deliver received bytes every 16 ms (FTDI's latency timer, AN232B-04).
    private static let adapterDelay = Duration.milliseconds(16)
    /// The time in which even a busy host processes an answer.
    private static let hostDelay = Duration.milliseconds(50)

    /// The time-out in milliseconds for commands that the chip answers itself.
    ///
    /// The 350 ms that libnfc itself uses are only 150 ms with pn53x_usb.
    var commandTimeout: CInt { carriesFrames ? 350 : Self.usbPatience + Self.usbLoss }

    /// The time-out in milliseconds for a reader that has failed.
    var shortestTimeout: CInt { carriesFrames ? 50 : 50 + Self.usbLoss }

    private static let usbPatience: CInt = 500
    /// The value of USB_TIMEOUT_PER_PASS in milliseconds.
    private static let usbLoss: CInt = 200

    /// Whether, after this result, an answer may still arrive or may have been matched to the wrong command.
    ///
    /// On a serial line, this cannot happen, because libnfc discards received bytes before each command.
    func isOutOfStep(after result: CInt) -> Bool {
        switch (self, result) {
        case (.frames, _): false
        // pn53x_usb passes errno on. EIO, ENXIO and EPERM look like libnfc's own errors.
        case (_, NFC_ETIMEOUT), (_, NFC_EIO), (_, NFC_EOVFLOW): true
        case (.pn53xUSB, -110), (.pn53xUSB, -71), (.pn53xUSB, -75), (.pn53xUSB, -84), (.pn53xUSB, -32): true
        default: false
        }
    }
}
