// Access to a reader's interface without libnfc — libusb-1.0

internal import Clibusb
@preconcurrency import Glibc

/// An interface of the device on a port.
public struct USBInterfaceControl: Hashable, Sendable {
    /// The port of the device.
    public let port: PortPath
    /// The interface number.
    public let interface: UInt8

    /// Creates a control for an interface of the device on a port.
    ///
    /// The default is the first interface.
    public init(port: PortPath, interface: UInt8 = 0) {
        self.port = port
        self.interface = interface
    }

    /// Claims the interface and releases it immediately.
    ///
    /// - Throws: the reason why the interface could not be claimed.
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

/// The reason why an interface could not be opened or claimed.
public enum USBControlError: Error, Hashable, Sendable {
    /// USB is not available here, or this process cannot use it.
    case noUSB
    /// The port is empty, or the device was unplugged.
    case gone
    /// This user may not open the device.
    case noPermission
    /// Another program or a kernel driver has claimed the interface.
    case busy
    /// The device has no such interface.
    case notFound
    /// The system does not support the operation.
    case notSupported
    /// The device did not answer.
    case inputOutput
    /// libusb reported another error.
    ///
    /// The value is its code.
    case failed(Int32)

    /// Creates the error for a result, or returns nil for success.
    ///
    /// libusb has one code for all unexpected errors, including a refused claim. In that case, `errno` still contains
    /// the error number of the system call.
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
