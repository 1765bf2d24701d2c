// What can be done to a reader's interface beside libnfc — libusb-1.0

internal import Clibusb
@preconcurrency import Glibc

/// An interface of the device on a port.
public struct USBInterfaceControl: Hashable, Sendable {
    /// Where the device is plugged in.
    public let port: PortPath
    /// The number of the interface.
    public let interface: UInt8

    /// The interface of a device on a port, the first one by default.
    public init(port: PortPath, interface: UInt8 = 0) {
        self.port = port
        self.interface = interface
    }

    /// Claims the interface and gives it back at once.
    ///
    /// - Throws: why it could not be claimed.
    public func testClaim() throws(USBControlError) {
        let context = try USBContext()
        guard let device = context.device(at: port) else { throw .gone }
        defer { libusb_unref_device(device) }
        var handle: OpaquePointer?
        try check(libusb_open(device, &handle))
        guard let handle else { throw .gone }
        defer { libusb_close(handle) }
        try check(libusb_claim_interface(handle, CInt(interface)))
        libusb_release_interface(handle, CInt(interface))
    }

    private func check(_ result: CInt) throws(USBControlError) {
        if let error = USBControlError(result, errno: errno) { throw error }
    }
}

/// Why an interface could not be opened or claimed.
public enum USBControlError: Error, Hashable, Sendable {
    /// There is no USB here, or it cannot be read.
    case noUSB
    /// No device is on the port, or not any more.
    case gone
    /// This user may not open the device.
    case noPermission
    /// Another program or a kernel driver has the interface.
    case busy
    /// The device has no such interface.
    case notFound
    /// The system cannot do this.
    case notSupported
    /// The device did not answer.
    case inputOutput
    /// Another code of libusb.
    case failed(Int32)

    /// The error of a result; nil for success.
    ///
    /// libusb has one code for what it does not expect, a refused claim among them: `errno` is then still the system call's.
    init?(_ result: CInt, errno: CInt) {
        guard result < 0 else { return nil }
        self =
            switch libusb_error(result) {
            case LIBUSB_ERROR_NO_DEVICE: .gone
            case LIBUSB_ERROR_ACCESS: .noPermission
            case LIBUSB_ERROR_BUSY: .busy
            case LIBUSB_ERROR_NOT_FOUND: .notFound
            case LIBUSB_ERROR_NOT_SUPPORTED: .notSupported
            case LIBUSB_ERROR_IO, LIBUSB_ERROR_PIPE, LIBUSB_ERROR_TIMEOUT: .inputOutput
            default:
                result == LIBUSB_ERROR_OTHER.rawValue && [EACCES, EPERM].contains(errno)
                    ? .noPermission : .failed(result)
            }
    }
}
