// nfc_open, and recovery of a reader that is present but does not open — libnfc 1.8 nfc_open

import Clibnfc
@preconcurrency import Glibc
import Logging
import ReaderInterface
import Synchronization
import USBReaders

struct ReaderOpening {
    /// The connection string.
    ///
    /// After a reset, a USB reader may have another device number.
    private(set) var connection: String
    private(set) var claim: ReaderClaim
    /// The lock that keeps other processes away, or nil if the connection string names no node.
    private(set) var lock: OpenNode?
    private(set) var device: OpaquePointer
    /// The speed to which a serial line was raised, or nil if the line has its usual speed.
    ///
    /// Restore the usual speed before libnfc closes the device.
    private(set) var raisedSpeed: RaisedSpeed?

    /// Opens a reader, and raises the speed of its serial line if the connection string asks for it.
    ///
    /// If the reader does not answer, resets a USB reader or wakes up a PN532 board, and tries once more.
    ///
    /// - Throws: `ReaderError.noReader`, `busy`, `noPermission`, or `readerFailed` if a device is present but does not
    ///   answer at all, or does not answer at the raised speed.
    init(_ text: String, logger: Logger) throws(ReaderError) {
        // The code that reads options from the user reports what is wrong with them.
        guard let connection = try? ReaderConnection(parsing: text) else { throw .noReader(connection: text) }
        try self.init(text, for: connection.plain, logger: logger)
        if let raised = connection.raisedSpeed, let usual = connection.usualSpeed, raised != usual {
            try raiseSpeed(from: usual, to: raised)
            logger.debug("\(text): the serial line runs at \(raised.rawValue) baud")
        }
    }

    /// Opens a reader at its usual speed.
    ///
    /// `plain` is the connection string for libnfc, without the option for the speed.
    private init(_ connection: String, for plain: String, logger: Logger) throws(ReaderError) {
        claim = try ReaderClaim(connection: connection)
        self.connection = connection
        guard let node = ReaderNode(connection: connection) else {
            guard let device = try Self.device(plain) else { throw .noReader(connection: connection) }
            self.device = device
            return
        }
        let open = try node.open()
        lock = open
        // Remember the port: after a reset, the device may have another number.
        let port = node.port
        if let device = try Self.device(plain) {
            self.device = device
            return
        }
        let mute = ReaderError.readerFailed(operation: "opening", reason: "it did not answer", code: NFC_EIO)
        if node.isUSB {
            // Do not reset a device that another program uses.
            try node.probeClaim(open)
            logger.debug("\(connection) did not open: resetting it and trying once more")
            guard let renewed = node.reset(open, at: port) else {
                throw node.exists ? mute : .noReader(connection: connection)
            }
            if renewed != connection {
                logger.debug("after its reset it is \(renewed)")
                claim = try ReaderClaim(connection: renewed)
            }
            // The same device is still locked. With another device number, the node is another one, which another
            // program may already have locked.
            if renewed != connection { lock = try ReaderNode(connection: renewed)?.open() }
            guard let device = try Self.device(renewed) else { throw mute }
            (self.connection, self.device) = (renewed, device)
        } else {
            guard let wakeUp = SerialWakeUp(on: open.descriptor, connection: connection) else { throw mute }
            logger.debug("\(connection) does not answer: waking it up")
            guard wakeUp.wake(), let device = try Self.device(plain) else { throw mute }
            self.device = device
        }
    }

    private mutating func raiseSpeed(from usual: SerialSpeed, to raised: SerialSpeed) throws(ReaderError) {
        guard let lock else { return }
        let speeds = ChipSpeed(line: ChipLine(descriptor: lock.descriptor), usual: usual)
        let reason: String
        if !speeds.supports(raised) {
            reason = "the serial port does not support \(raised.rawValue) baud"
        } else if speeds.change(from: usual, to: raised) {
            raisedSpeed = RaisedSpeed(speeds: speeds, raised: raised)
            return
        } else {
            _ = speeds.comeBack()
            reason = "it does not answer at \(raised.rawValue) baud"
        }
        nfc_close(device)
        throw .readerFailed(
            operation: "raising the speed of its serial line", reason: reason, code: NFC_EDEVNOTSUPP, fault: .tooFast)
    }

    private static func device(_ connection: String) throws(ReaderError) -> OpaquePointer? {
        try LibNFCContext.starting.withLock { _ throws(ReaderError) in
            guard let context = LibNFCContext.shared else {
                throw .readerFailed(operation: "opening", reason: "libnfc is out of memory", code: NFC_ESOFT)
            }
            try checkDescriptors()
            return nfc_open(context.pointer, connection)
        }
    }

    /// Checks that libnfc can use the next descriptor.
    ///
    /// libnfc waits with `select`, and the C library ends the process if a descriptor is `FD_SETSIZE` or more.
    private static func checkDescriptors() throws(ReaderError) {
        let next = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard next >= 0 else { throw .readerFailed(operation: "opening", reason: "no file can be opened", code: errno) }
        Glibc.close(next)
        guard next < CInt(FD_SETSIZE) - descriptorsOfAReader else {
            throw .readerFailed(
                operation: "opening", reason: "this process has \(next) files open, more than libnfc supports",
                code: EMFILE)
        }
    }

    /// The number of descriptors to keep free.
    ///
    /// They are for the port, for two pipes for aborts, and for files that other threads open at the same time.
    private static let descriptorsOfAReader: CInt = 32
}

extension ReaderNode {
    /// The time in milliseconds in which a device must come back after a reset.
    private static let returnTime = 1_000

    fileprivate var port: PortPath? {
        isUSB ? USBReader.connected().first { $0.connection == connection }?.port : nil
    }

    /// Resets a USB device and waits until it is back, possibly under another number.
    ///
    /// Returns its present connection string, or nil if it cannot be reset or does not come back in time.
    fileprivate func reset(_ node: OpenNode, at port: PortPath?) -> String? {
        let file = USBDeviceFile(descriptor: node.descriptor)
        do throws(USBDeviceFile.Failure) {
            try file.reset()
        } catch {
            // ENODEV means that the device is gone, or that it came back as a different device.
            guard error.code == ENODEV else { return nil }
        }
        for _ in 0..<Self.returnTime / 10 {
            let connection = port.flatMap { port in USBReader.connected().first { $0.port == port }?.connection }
            let present = connection ?? self.connection
            // The node of an unplugged device remains for a moment. The device comes back with another number.
            if present != self.connection || !file.isUnplugged, let node = ReaderNode(connection: present),
                access(node.path, R_OK | W_OK) == 0
            {
                return present
            }
            usleep(10_000)
        }
        return nil
    }
}
