// One open node of a USB device and the kernel's requests to it — Linux usbfs, include/uapi/linux/usbdevice_fs.h

import Cusbfs
@preconcurrency import Glibc

/// An open file of /dev/bus/usb, whoever opened it; never closes it.
///
/// The kernel binds the claim of an interface to the open file, so bytes go through the one that has claimed it.
struct USBDeviceFile {
    let descriptor: CInt

    /// A request's errno.
    struct Failure: Error, Hashable {
        let code: CInt
    }

    /// Who has claimed an interface.
    enum Owner: Hashable {
        /// A program, through its own open file of the node.
        case program
        /// A driver in the kernel.
        case kernel(driver: String)
    }

    /// The files of a node that this process has open, libnfc's among them.
    static func open(inThisProcess path: String) -> [USBDeviceFile] {
        var node = stat()
        guard stat(path, &node) == 0 else { return [] }
        return openFiles().filter { descriptor in
            var file = stat()
            return fstat(descriptor, &file) == 0 && file.st_dev == node.st_dev && file.st_ino == node.st_ino
        }.map(USBDeviceFile.init)
    }

    /// All our readers have one interface that matters.
    private static let interface: CUnsignedInt = 0

    /// Claims the interface, as often as one likes with the same file.
    ///
    /// - Throws: EBUSY while another file or a kernel driver has it.
    func claim() throws(Failure) {
        var interface = Self.interface
        try request(usbfs_claim_interface, &interface)
    }

    func release() {
        var interface = Self.interface
        try? request(usbfs_release_interface, &interface)
    }

    /// Whether this file has the interface.
    ///
    /// The kernel does not say, but it refuses to release what another file has. What was released is claimed again.
    func hasClaim() -> Bool {
        var interface = Self.interface
        do throws(Failure) {
            try request(usbfs_release_interface, &interface)
            try claim()
            return true
        } catch {
            // A device that is gone was taken by no program.
            return error.code != EINVAL && error.code != EBUSY
        }
    }

    /// Who has the interface; nil when nobody has.
    func owner() -> Owner? {
        var driver = usbdevfs_getdriver()
        driver.interface = Self.interface
        guard (try? request(usbfs_get_driver, &driver)) != nil else { return nil }
        let name = withUnsafeBytes(of: driver.driver) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return name == "usbfs" ? .program : .kernel(driver: name)
    }

    /// Resets the device, which keeps its claims if it comes back as it was.
    func reset() throws(Failure) {
        guard ioctl(descriptor, usbfs_reset, 0 as CInt) >= 0 else { throw Failure(code: errno) }
    }

    /// Sends bytes to a bulk OUT endpoint.
    func send(_ bytes: [UInt8], to endpoint: UInt8, within milliseconds: Int) throws(Failure) {
        var bytes = bytes
        let count = try transfer(&bytes, endpoint, milliseconds)
        guard count == bytes.count else { throw Failure(code: EIO) }
    }

    /// Receives at most so many bytes from a bulk IN endpoint: one transfer.
    func receive(
        _ count: Int, from endpoint: UInt8, within milliseconds: Int
    ) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = try transfer(&bytes, endpoint, milliseconds)
        return Array(bytes.prefix(received))
    }

    /// One transfer: submitted, reaped, and discarded when it is not done in time.
    private func transfer(_ bytes: inout [UInt8], _ endpoint: UInt8, _ milliseconds: Int) throws(Failure) -> Int {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
        buffer.update(from: bytes, count: bytes.count)
        let transfer = UnsafeMutablePointer<usbdevfs_urb>.allocate(capacity: 1)
        transfer.initialize(to: usbdevfs_urb())
        transfer.pointee.type = UInt8(USBDEVFS_URB_TYPE_BULK)
        transfer.pointee.endpoint = endpoint
        transfer.pointee.buffer = UnsafeMutableRawPointer(buffer)
        transfer.pointee.buffer_length = CInt(bytes.count)
        guard ioctl(descriptor, UInt(usbfs_submit), UnsafeMutableRawPointer(transfer)) >= 0 else {
            let code = errno
            transfer.deallocate()
            buffer.deallocate()
            throw Failure(code: code)
        }
        var result = reap(transfer, within: max(1, min(milliseconds, 5_000)))
        if result == ETIMEDOUT {
            _ = ioctl(descriptor, UInt(usbfs_discard), UnsafeMutableRawPointer(transfer))
            result = reap(transfer, within: Self.discardTime)
            // Not given back: the kernel may still write to it, so nobody else gets this memory.
            guard result != ETIMEDOUT else { throw Failure(code: ETIMEDOUT) }
            // What came just before it was discarded is an answer all the same.
            if result == ENOENT || result == ECONNRESET { result = ETIMEDOUT }
        }
        let count = Int(max(0, min(transfer.pointee.actual_length, CInt(bytes.count))))
        bytes = Array(UnsafeBufferPointer(start: buffer, count: bytes.count))
        transfer.deallocate()
        buffer.deallocate()
        guard result == 0 else { throw Failure(code: result) }
        return count
    }

    /// Milliseconds the kernel gets to give a discarded transfer back.
    private static let discardTime = 500

    /// Waits for the end of a transfer: its errno, ETIMEDOUT while it has not ended.
    private func reap(_ transfer: UnsafeMutablePointer<usbdevfs_urb>, within milliseconds: Int) -> CInt {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            var reaped: UnsafeMutableRawPointer?
            let result = withUnsafeMutablePointer(to: &reaped) {
                ioctl(descriptor, UInt(usbfs_reap), UnsafeMutableRawPointer($0))
            }
            if result >= 0, reaped == UnsafeMutableRawPointer(transfer) { return -transfer.pointee.status }
            // Another transfer is one that libnfc gave up: nobody waits for it.
            guard result >= 0 || errno == EAGAIN || errno == EINTR else { return errno }
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return ETIMEDOUT }
            var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&file, 1, CInt(min(left, 1_000) + 1))
        }
    }

    private func request<Value>(_ number: CUnsignedLong, _ value: inout Value) throws(Failure) {
        let result = withUnsafeMutablePointer(to: &value) {
            ioctl(descriptor, UInt(number), UnsafeMutableRawPointer($0))
        }
        guard result >= 0 else { throw Failure(code: errno) }
    }
}

/// The descriptors this process has open.
private func openFiles() -> [CInt] {
    guard let directory = opendir("/proc/self/fd") else { return [] }
    defer { closedir(directory) }
    let own = dirfd(directory)
    var files: [CInt] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if let file = CInt(name), file != own { files.append(file) }
    }
    return files
}
