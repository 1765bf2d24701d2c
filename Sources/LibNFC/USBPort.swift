// Where a USB device is plugged in, which stays when its number changes — Linux sysfs, /sys/bus/usb/devices

@preconcurrency import Glibc

/// The name of a port, for example `1-2.3`.
struct USBPort: Hashable {
    let name: String

    private static let folder = "/sys/bus/usb/devices"

    /// The port of the device with this bus and device number; nil when sysfs does not tell.
    init?(bus: Int, device: Int) {
        guard let directory = opendir(Self.folder) else { return nil }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Interfaces have a colon in their names.
            guard !name.hasPrefix("."), !name.contains(":"), Self.number("busnum", of: name) == bus,
                Self.number("devnum", of: name) == device
            else { continue }
            self.name = name
            return
        }
        return nil
    }

    /// The bus and device number of what is plugged in now; nil when nothing is.
    var address: (bus: Int, device: Int)? {
        guard let bus = Self.number("busnum", of: name), let device = Self.number("devnum", of: name) else {
            return nil
        }
        return (bus, device)
    }

    private static func number(_ attribute: String, of device: String) -> Int? {
        let file = Glibc.open("\(folder)/\(device)/\(attribute)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(file, &bytes, bytes.count)
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self))
    }
}
