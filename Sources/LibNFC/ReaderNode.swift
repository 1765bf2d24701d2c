// The device node behind a connection string: is it there, may it be opened, who holds it

@preconcurrency import Glibc
import NFCReader

/// The file in /dev that a connection string leads to.
///
/// `nfc_open` gives no reason when it fails, so what can be known is found out before.
struct ReaderNode {
    let connection: String
    let path: String
    let isSerial: Bool
    let isUSB: Bool

    /// The node of `DRIVER:/dev/ttyX[:SPEED]`, `pn532_i2c:/dev/i2c-1`, or of `DRIVER:BUS:DEVICE` for the USB drivers; nil when
    /// the string names no node, which leaves it to libnfc.
    init?(connection: String) {
        let parts = connection.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        if parts[1].hasPrefix("/") {
            path = Self.resolved(String(parts[1]))
            isUSB = false
        } else if parts[0].hasSuffix("_usb"), parts.count >= 3, parts[1...2].allSatisfy({ UInt16($0) != nil }) {
            path = "/dev/bus/usb/\(parts[1])/\(parts[2])"
            isUSB = true
        } else {
            return nil
        }
        self.connection = connection
        // /proc and the claims of this process know a node by one name only, whatever link led to it.
        isSerial = path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/pts/")
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether the node is there; that of an unplugged reader is not.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Opens the node beside libnfc, or throws what keeps this process from opening it.
    ///
    /// Keep it until libnfc has opened it, too: a serial port that is closed in between hangs up, which resets some boards.
    func open() throws(ReaderError) -> OpenNode {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        let node = OpenNode(descriptor: descriptor)
        // libnfc's own mark on a serial port, a private bit in c_iflag, never reaches the kernel: glibc masks it. Without
        // this look, two programs would talk to one chip.
        if isSerial, let holder = holder() { throw .busy(connection: connection, holder: holder) }
        if isUSB { try probeClaim(USBDeviceFile(descriptor: descriptor)) }
        return node
    }

    /// Claims the interface and gives it back.
    ///
    /// libnfc resets an ACR122U before it claims it, also under the feet of a program that has it.
    private func probeClaim(_ file: USBDeviceFile) throws(ReaderError) {
        do throws(USBDeviceFile.Failure) {
            try file.claim()
            file.release()
        } catch {
            let holder = file.kernelDriver().map { "the kernel driver \($0)" }
            switch error.code {
            case EBUSY: throw .busy(connection: connection, holder: holder ?? self.holder())
            case EACCES, EPERM, ENODEV: throw failure(error.code)
            // Whatever this is, libnfc may know what to do with it.
            default: return
            }
        }
    }

    private func failure(_ code: CInt) -> ReaderError {
        switch code {
        case EACCES, EPERM: .noPermission(connection: connection, path: path)
        case EBUSY: .busy(connection: connection, holder: holder())
        default: .noReader(connection: connection)
        }
    }
}

/// A device node that is open as long as this lives.
struct OpenNode: ~Copyable {
    let descriptor: CInt

    deinit { Glibc.close(descriptor) }
}
