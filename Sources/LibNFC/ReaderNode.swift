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

    /// The node of `DRIVER:/dev/ttyX[:SPEED]`, `pn532_i2c:/dev/i2c-1`, or of `DRIVER:BUS:DEVICE` for the USB drivers; nil when
    /// the string names no node, which leaves it to libnfc.
    init?(connection: String) {
        let parts = connection.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        if parts[1].hasPrefix("/dev/") {
            path = String(parts[1])
        } else if parts[0].hasSuffix("_usb"), parts.count >= 3, parts[1...2].allSatisfy({ UInt16($0) != nil }) {
            path = "/dev/bus/usb/\(parts[1])/\(parts[2])"
        } else {
            return nil
        }
        self.connection = connection
        isSerial = path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/pts/")
    }

    /// Throws what keeps this process from opening the node, if anything does.
    func check() throws(ReaderError) {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case EACCES, EPERM: throw .noPermission(connection: connection, path: path)
            case EBUSY:
                guard case .process(let name) = holder() else { throw .busy(connection: connection, holder: nil) }
                throw .busy(connection: connection, holder: name)
            default: throw .noReader(connection: connection)
            }
        }
        defer { Glibc.close(descriptor) }
        if isSerial { try checkClaim(descriptor) }
    }

    /// libnfc marks a serial port as taken by a private bit in `c_iflag`, which survives a killed process: so the bit
    /// counts only while somebody has the port open, or may have it open unseen.
    private func checkClaim(_ descriptor: CInt) throws(ReaderError) {
        let claimed: tcflag_t = 0x8000_0000
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0, settings.c_iflag & claimed != 0 else { return }
        switch holder() {
        case .process(let name): throw .busy(connection: connection, holder: name)
        case .hidden: throw .busy(connection: connection, holder: nil)
        case .nobody: break
        }
        settings.c_iflag &= ~claimed
        tcsetattr(descriptor, TCSANOW, &settings)
    }
}
