// A copy of the parts of a system that the survey reads, in a folder: sysfs, /proc, /etc

import Foundation

/// A folder that replaces `/` for nfctool, through NFCTOOL_SYSTEM_ROOT.
struct SystemTree {
    let path: String

    init(_ path: String) throws {
        self.path = path
        try directory("sys/bus/usb/devices")
        try file("proc/modules", "")
    }

    /// Plugs an ACR122U in on port 1-2.
    func plugACR122(serial: String = "SN-4711-XYZ") throws {
        let device = "sys/bus/usb/devices/1-2"
        let attributes = [
            "idVendor": "072f", "idProduct": "2200", "busnum": "1", "devnum": "4", "bDeviceClass": "00",
            "manufacturer": "ACS", "product": "ACR122U PICC Interface", "serial": serial, "bNumInterfaces": " 1",
        ]
        for (name, value) in attributes { try file("\(device)/\(name)", value + "\n") }
        let interface = [
            "bInterfaceNumber": "00", "bInterfaceClass": "0b", "bInterfaceSubClass": "00", "bInterfaceProtocol": "00",
        ]
        // In sysfs, the interfaces are in the device's folder, and are also links next to it.
        for (name, value) in interface { try file("\(device)/1-2:1.0/\(name)", value + "\n") }
        try link("sys/bus/usb/devices/1-2:1.0", to: "1-2/1-2:1.0")
        try file("dev/bus/usb/001/004", "")
    }

    /// Makes the kernel's pn533_usb claim the reader.
    func bindKernelDriver() throws {
        try directory("sys/bus/usb/drivers/pn533_usb")
        try link("sys/bus/usb/devices/1-2/1-2:1.0/driver", to: "../../../drivers/pn533_usb")
        try file(
            "proc/modules",
            "pn533_usb 20480 0 - Live 0x0\npn533 45056 1 pn533_usb, Live 0x0\nnfc 122880 1 pn533, Live 0x0\n")
    }

    func file(_ name: String, _ text: String) throws {
        try directory(String(name.split(separator: "/").dropLast().joined(separator: "/")))
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }

    private func directory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    private func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }
}
