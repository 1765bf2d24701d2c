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

    /// The kernel driver of the interface; nil when there is none, or a program has it.
    func kernelDriver() -> String? {
        var driver = usbdevfs_getdriver()
        driver.interface = Self.interface
        guard (try? request(usbfs_get_driver, &driver)) != nil else { return nil }
        let name = withUnsafeBytes(of: driver.driver) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return name.isEmpty || name == "usbfs" ? nil : name
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

    private func transfer(_ bytes: inout [UInt8], _ endpoint: UInt8, _ milliseconds: Int) throws(Failure) -> Int {
        var failure: CInt = 0
        let count = bytes.withUnsafeMutableBytes { buffer in
            // usbfs waits for ever at 0.
            var transfer = usbdevfs_bulktransfer(
                ep: CUnsignedInt(endpoint), len: CUnsignedInt(buffer.count),
                timeout: CUnsignedInt(max(1, min(milliseconds, 5_000))), data: buffer.baseAddress)
            let count = ioctl(descriptor, usbfs_bulk, &transfer)
            if count < 0 { failure = errno }
            return Int(count)
        }
        guard count >= 0 else { throw Failure(code: failure) }
        return count
    }

    private func request<Value>(_ number: CUnsignedLong, _ value: inout Value) throws(Failure) {
        let result = withUnsafeMutablePointer(to: &value) { ioctl(descriptor, UInt(number), UnsafeMutableRawPointer($0)) }
        guard result >= 0 else { throw Failure(code: errno) }
    }
}
