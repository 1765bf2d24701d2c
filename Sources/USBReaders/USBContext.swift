// A session with libusb-1.0

internal import Clibusb

/// A libusb context, which is closed when this value is destroyed.
struct USBContext: ~Copyable {
    let pointer: OpaquePointer

    init() throws(USBControlError) {
        var pointer: OpaquePointer?
        guard libusb_init(&pointer) == 0, let pointer else { throw .noUSB }
        self.pointer = pointer
    }

    deinit { libusb_exit(pointer) }

    /// Returns the device on a port, or nil if the port is empty.
    ///
    /// The caller must release the device.
    func device(at port: PortPath) -> OpaquePointer? {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(pointer, &list)
        guard count >= 0, let list else { return nil }
        defer { libusb_free_device_list(list, 1) }
        for case let device? in UnsafeBufferPointer(start: list, count: count) where PortPath(of: device) == port {
            return libusb_ref_device(device)
        }
        return nil
    }
}

extension PortPath {
    /// Creates the path of a libusb device.
    ///
    /// Returns nil for a root hub.
    init?(of device: OpaquePointer) {
        var ports = [UInt8](repeating: 0, count: Self.deepest)
        let count = libusb_get_port_numbers(device, &ports, CInt(ports.count))
        guard count > 0 else { return nil }
        self.init(bus: libusb_get_bus_number(device), ports: Array(ports.prefix(Int(count))))
    }
}
