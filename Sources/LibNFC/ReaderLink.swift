// What libnfc's drivers make of sizes and times — libnfc 1.8 drivers/acr122_usb.c, pn53x_usb.c, chips/pn53x.c

import Clibnfc

/// The way between libnfc and the chip.
enum ReaderLink: Hashable {
    /// Frames in pseudo-APDUs in CCID messages.
    case acr122
    /// Frames as USB messages.
    case pn53xUSB
    /// Frames as they are, on a serial line of this speed or another bus.
    case frames(bitsPerSecond: Int)

    /// The link of a connection string's driver.
    init(connection: String) {
        let parts = connection.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.first {
        case "acr122_usb", "acr122_pcsc", "acr122s": self = .acr122
        case "pn53x_usb": self = .pn53xUSB
        default:
            let speed = parts.count > 2 ? Int(parts[2]) ?? Self.usualSpeed : Self.usualSpeed
            self = .frames(bitsPerSecond: Self.speeds ~= speed ? speed : Self.usualSpeed)
        }
    }

    /// A PN532's own speed, and the speeds that libnfc knows.
    private static let (usualSpeed, speeds) = (115_200, 9_600...460_800)

    /// Whether frames go to the chip as they are, so that it may also be a target.
    var carriesFrames: Bool { if case .frames = self { true } else { false } }

    /// The longest command to a tag.
    ///
    /// libnfc copies 263 bytes and more past the end of a buffer, which kills the process. In an ACR122U's pseudo-APDU one
    /// byte counts what is sent: `D4`, the command code, the target number, and this.
    var maxCommandLength: Int { self == .acr122 ? 252 : 262 }

    /// The longest answer of a tag.
    ///
    /// With ISO-DEP chaining, libnfc reports an answer over 264 bytes, status included, as a chip error. Of a CCID message it
    /// looks at one byte of the length: `D5`, the answer code, the status, this, and `90 00`.
    var maxResponseLength: Int { self == .acr122 ? 250 : 262 }

    /// The time-out to give libnfc for a command to a target, in milliseconds.
    ///
    /// It is a guard against a chip that is silent, since the chip itself knows when a target is. A host that waits
    /// less than the chip does would take a silent target for a mute chip. So the result is never below `chipTimeout`,
    /// the time after which the chip reports that the target is silent.
    func timeout(for duration: Duration, chipTimeout: Duration) -> CInt {
        timeout(for: max(duration, longestSilence(chipTimeout)))
    }

    /// How long it takes until a silent target is reported, at most: the chip's time-out and the way to the host.
    func longestSilence(_ chipTimeout: Duration) -> Duration { chipTimeout + transport }

    /// The time-out to give libnfc, in milliseconds, so that the chip has this long to answer.
    ///
    /// libnfc waits forever at 0, and 350 ms at -1. Its USB drivers take 200 ms off before they look for an answer at all, and
    /// one that comes later would be taken for that to the next command: so they get those back, and a wait that no sound chip
    /// exceeds.
    func timeout(for duration: Duration) -> CInt {
        let milliseconds = CInt(max(1, min((duration / .milliseconds(1)).rounded(.up), 60_000)))
        return carriesFrames ? milliseconds : max(milliseconds, Self.usbPatience) + Self.usbLoss
    }

    /// The time of the longest command and answer between host and chip.
    private var transport: Duration {
        guard case .frames(let bitsPerSecond) = self else { return Self.hostDelay }
        let frameTime = Duration.microseconds(Self.longestFrame * 10 * 1_000_000 / bitsPerSecond)
        return (frameTime + Self.adapterDelay) * 2 + Self.hostDelay
    }

    /// Bytes of an extended information frame with 264 bytes of data — NXP UM0701-02, 6.2.1.2.
    private static let longestFrame = 275
    /// USB serial adapters hand on what they received every 16 ms (FTDI's latency timer, AN232B-04).
    private static let adapterDelay = Duration.milliseconds(16)
    /// The time in which a busy host gets to look.
    private static let hostDelay = Duration.milliseconds(50)

    /// For commands that the chip itself answers at once; libnfc's own 350 ms are 150 with pn53x_usb.
    var commandTimeout: CInt { carriesFrames ? 350 : Self.usbPatience + Self.usbLoss }

    /// For a reader from which nothing is to be had any more.
    var shortestTimeout: CInt { carriesFrames ? 50 : 50 + Self.usbLoss }

    private static let usbPatience: CInt = 500
    /// USB_TIMEOUT_PER_PASS.
    private static let usbLoss: CInt = 200

    /// Whether an answer may be under way after this result, or was taken for another's.
    ///
    /// A serial line is emptied by libnfc before each command.
    func isOutOfStep(after result: CInt) -> Bool {
        switch (self, result) {
        case (.frames, _): false
        // pn53x_usb gives errno away, of which EIO, ENXIO and EPERM look like libnfc's own errors.
        case (_, NFC_ETIMEOUT), (_, NFC_EIO), (_, NFC_EOVFLOW): true
        case (.pn53xUSB, -110), (.pn53xUSB, -71), (.pn53xUSB, -75), (.pn53xUSB, -84), (.pn53xUSB, -32): true
        default: false
        }
    }
}
