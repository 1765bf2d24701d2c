// An open USB device node and the ioctl requests for it — Linux usbfs, include/uapi/linux/usbdevice_fs.h

import Cusbfs
@preconcurrency import Glibc

/// A file in /dev/bus/usb that this process has open.
///
/// Any code may have opened the file, and this type never closes it. The kernel binds the claim of an interface to the
/// open file, so data must go through the file that has claimed it.
struct USBDeviceFile {
    let descriptor: CInt

    struct Failure: Error, Hashable {
        let code: CInt
    }

    enum Owner: Hashable {
        case program
        case kernel(driver: String)
    }

    /// Returns the files of a node that this process has open, including libnfc's.
    static func open(inThisProcess path: String) -> [USBDeviceFile] {
        var node = stat()
        guard stat(path, &node) == 0 else { return [] }
        return openFiles().filter { descriptor in
            var file = stat()
            return fstat(descriptor, &file) == 0 && file.st_dev == node.st_dev && file.st_ino == node.st_ino
        }.map(USBDeviceFile.init)
    }

    /// The number of the interface to use, which is the same for all supported readers.
    private static let interface: CUnsignedInt = 0

    /// Claims the interface.
    ///
    /// The claim can be repeated with the same file.
    ///
    /// - Throws: EBUSY while another file or a kernel driver has claimed it.
    func claim() throws(Failure) {
        var interface = Self.interface
        try request(usbfs_claim_interface, &interface)
    }

    func release() {
        var interface = Self.interface
        try? request(usbfs_release_interface, &interface)
    }

    /// Whether this file lost its claim to another program, or loses it within this time.
    ///
    /// This file's own claim is released during the wait, and renewed if no other program wanted it. A program that
    /// takes a reader away resets it first, and claims it a moment later. If libnfc sends a command in between, the
    /// kernel renews libnfc's claim.
    func losesClaim(within limit: Duration) -> Bool {
        var interface = Self.interface
        let end = ContinuousClock.now + limit
        // The kernel refuses to release an interface that another file has claimed, or none.
        let hadClaim = (try? request(usbfs_release_interface, &interface)) != nil
        while owner() == nil, !isUnplugged, .now < end { usleep(5_000) }
        // A device that is gone was not taken by another program.
        guard !isUnplugged else { return false }
        guard hadClaim else { return true }
        do throws(Failure) {
            try claim()
            return false
        } catch {
            return error.code == EBUSY
        }
    }

    func owner() -> Owner? {
        guard let driver = try? driver() else { return nil }
        let name = withUnsafeBytes(of: driver.driver) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return name == "usbfs" ? .program : .kernel(driver: name)
    }

    /// Whether the device was unplugged.
    ///
    /// As soon as the kernel has noticed this, it answers new requests with ENODEV. The node disappears a moment later.
    var isUnplugged: Bool {
        do throws(Failure) {
            _ = try driver()
            return false
        } catch {
            return error.code == ENODEV
        }
    }

    private func driver() throws(Failure) -> usbdevfs_getdriver {
        var driver = usbdevfs_getdriver()
        driver.interface = Self.interface
        try request(usbfs_get_driver, &driver)
        return driver
    }

    /// Resets the device.
    ///
    /// The claims stay valid if the device comes back unchanged.
    func reset() throws(Failure) {
        guard ioctl(descriptor, usbfs_reset, 0 as CInt) >= 0 else { throw Failure(code: errno) }
    }

    func send(_ bytes: [UInt8], to endpoint: UInt8, within milliseconds: Int) throws(Failure) {
        var bytes = bytes
        let count = try transfer(&bytes, endpoint, milliseconds)
        guard count == bytes.count else { throw Failure(code: EIO) }
    }

    /// Receives at most this many bytes from a bulk IN endpoint, in one transfer.
    func receive(
        _ count: Int, from endpoint: UInt8, within milliseconds: Int
    ) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = try transfer(&bytes, endpoint, milliseconds)
        return Array(bytes.prefix(received))
    }

    /// Performs one transfer: submits it, waits for it, and discards it if it does not finish in time.
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
            // The transfer did not come back. The kernel may still write to this memory, so it is leaked on purpose.
            guard result != ETIMEDOUT else { throw Failure(code: ETIMEDOUT) }
            // Data that arrived just before the discard is a valid answer.
            if result == ENOENT || result == ECONNRESET { result = ETIMEDOUT }
        }
        let count = Int(max(0, min(transfer.pointee.actual_length, CInt(bytes.count))))
        bytes = Array(UnsafeBufferPointer(start: buffer, count: bytes.count))
        transfer.deallocate()
        buffer.deallocate()
        guard result == 0 else { throw Failure(code: result) }
        return count
    }

    /// The time in milliseconds in which the kernel must return a discarded transfer.
    private static let discardTime = 500

    /// Waits for the end of a transfer.
    ///
    /// Returns its errno, or ETIMEDOUT if it has not ended.
    private func reap(_ transfer: UnsafeMutablePointer<usbdevfs_urb>, within milliseconds: Int) -> CInt {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            var reaped: UnsafeMutableRawPointer?
            let result = withUnsafeMutablePointer(to: &reaped) {
                ioctl(descriptor, UInt(usbfs_reap), UnsafeMutableRawPointer($0))
            }
            if result >= 0, reaped == UnsafeMutableRawPointer(transfer) { return -transfer.pointee.status }
            // Any other transfer is one that libnfc has given up, so it can be ignored.
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

/// Returns the file descriptors that this process has open.
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
