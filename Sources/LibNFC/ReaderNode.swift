// The device node for a connection string: whether it exists, whether it can be opened, and which process holds it

@preconcurrency import Glibc
import ReaderInterface
import USBReaders

/// The file in /dev that a connection string refers to.
///
/// `nfc_open` reports no reason when it fails, so the possible reasons are checked first.
struct ReaderNode {
    let connection: String
    let path: String
    let isSerial: Bool
    let isUSB: Bool

    /// Creates the node of `DRIVER:/dev/ttyX[:SPEED][?speed=SPEED]`, `pn532_i2c:/dev/i2c-1`, or `DRIVER:BUS:DEVICE` for
    /// the USB drivers.
    ///
    /// Returns nil if the string names no node, so that only libnfc can find the reader.
    init?(connection: String) {
        let parts = ReaderConnection.plain(connection).split(separator: ":", omittingEmptySubsequences: false)
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
        // Resolve the path, because /proc and the claims of this process use only one name for a node, not its links.
        isSerial = path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/pts/")
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether the node exists.
    ///
    /// The node of an unplugged reader does not exist.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Opens the node in addition to libnfc and locks it, or throws the reason why this process cannot use it.
    ///
    /// Keep the result as long as libnfc uses the reader, because the lock ends with the result. If a serial port is
    /// closed before libnfc opens it, the port hangs up, which resets some boards.
    func open() throws(ReaderError) -> OpenNode {
        for _ in 1..<Self.claimAttempts {
            if let node = try openIfFree() { return node }
            // The holder may be about to exit, or may just be checking whether the node is free.
            usleep(10_000)
        }
        guard let node = try openIfFree() else { throw .busy(connection: connection, holder: holder()) }
        return node
    }

    /// Opens the node.
    ///
    /// Returns nil if another process has locked it or has the serial port open.
    ///
    /// libnfc does not prevent two programs from using the same reader. It resets an ACR122U before claiming it, which
    /// ends the claim of any other program. Its mark on a serial port, a private bit in c_iflag, never reaches the
    /// kernel, because glibc masks it. Therefore the node is locked with flock(2) before libnfc is called. The lock is
    /// on the node itself, not on a file in /run/lock: in every distribution, every user who may open the reader can
    /// lock it. It ends with the process, and a reader that is plugged in again has a new, unlocked node. /proc/locks
    /// shows the holder.
    private func openIfFree() throws(ReaderError) -> OpenNode? {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        let node = OpenNode(descriptor: descriptor)
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
        if isSerial, !isEmbedded, holder() != nil { return nil }
        if isUSB, let owner = USBDeviceFile(descriptor: descriptor).owner() { throw busy(owner) }
        return node
    }

    /// Whether the process that started this one serves the pseudo-terminal.
    ///
    /// Usually, this is an embedded virtual reader of nfctool, which no other program knows.
    private var isEmbedded: Bool { PseudoTerminal(path: path)?.isServed(by: getppid()) ?? false }

    /// Checks that the interface of a USB device can be claimed, and throws the reason if it cannot.
    ///
    /// Use this only for a device that did not open: the claim is released again, which some readers do not tolerate.
    func probeClaim(_ node: OpenNode) throws(ReaderError) {
        let file = USBDeviceFile(descriptor: node.descriptor)
        for attempt in 1...Self.claimAttempts {
            do throws(USBDeviceFile.Failure) {
                try file.claim()
                return file.release()
            } catch {
                switch error.code {
                // The holder may be about to exit.
                case EBUSY where attempt < Self.claimAttempts: usleep(10_000)
                case EBUSY: throw busy(file.owner())
                case EACCES, EPERM: throw failure(error.code)
                // After a reset by libnfc, the reader may have become another device.
                default: return
                }
            }
        }
    }

    private static let claimAttempts = 10

    private func busy(_ owner: USBDeviceFile.Owner?) -> ReaderError {
        switch owner {
        case .kernel(let driver): .busy(connection: connection, holder: "the kernel driver \(driver)")
        case .program, nil: .busy(connection: connection, holder: holder())
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

/// A device node that stays open and locked as long as this object exists.
final class OpenNode: Sendable {
    let descriptor: CInt

    init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }
}
