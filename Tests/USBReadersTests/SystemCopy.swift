// A tree in a temporary folder that replaces a system

import Foundation
@testable import USBReaders

/// A copy of parts of a system, which is removed when the object is released.
final class SystemCopy {
    let folder: String
    var root: SystemRoot { SystemRoot(path: folder) }

    init() throws {
        folder = NSTemporaryDirectory() + "system-copy-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    func file(_ path: String, _ text: String = "") throws -> SystemCopy { try file(path, bytes: Array(text.utf8)) }

    @discardableResult
    func file(_ path: String, bytes: [UInt8]) throws -> SystemCopy {
        try parent(of: path)
        try Data(bytes).write(to: URL(fileURLWithPath: folder + path))
        return self
    }

    @discardableResult
    func link(_ path: String, to destination: String) throws -> SystemCopy {
        try parent(of: path)
        try FileManager.default.createSymbolicLink(atPath: folder + path, withDestinationPath: destination)
        return self
    }

    @discardableResult
    func folder(_ path: String) throws -> SystemCopy {
        try FileManager.default.createDirectory(atPath: folder + path, withIntermediateDirectories: true)
        return self
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: folder + path)
    }

    private func parent(of path: String) throws {
        let parent = URL(fileURLWithPath: folder + path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    }

    /// Creates a USB device as in the kernel's sysfs, and its node.
    func device(
        _ port: String, _ vendor: String, _ product: String, number: Int, name: String? = nil, serial: String? = nil,
        interfaces: [(classCode: String, driver: String?)] = [("ff", nil)]
    ) throws {
        let bus = String(port.prefix { $0 != "-" })
        let place = "/sys/devices/pci0000:00/usb\(bus)/\(port)"
        for (attribute, value) in [
            ("idVendor", vendor), ("idProduct", product), ("busnum", bus), ("devnum", String(number)),
        ] {
            try file("\(place)/\(attribute)", value + "\n")
        }
        if let name { try file("\(place)/product", name + "\n") }
        if let serial { try file("\(place)/serial", serial + "\n") }
        try link("/sys/bus/usb/devices/\(port)", to: "../../../devices/pci0000:00/usb\(bus)/\(port)")
        for (index, interface) in interfaces.enumerated() {
            let inside = "\(place)/\(port):1.\(index)"
            try file("\(inside)/bInterfaceNumber", "0\(index)\n").file(
                "\(inside)/bInterfaceClass", interface.classCode + "\n")
            if let driver = interface.driver {
                try link("\(inside)/driver", to: "../../../../../bus/usb/drivers/\(driver)")
            }
            try link(
                "/sys/bus/usb/devices/\(port):1.\(index)",
                to: "../../../devices/pci0000:00/usb\(bus)/\(port)/\(port):1.\(index)")
        }
        let digits = { (number: Int) in String(repeating: "0", count: 3 - String(number).count) + String(number) }
        try file("/dev/bus/usb/\(digits(Int(bus) ?? 0))/\(digits(number))")
    }

    func unplug(_ port: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/sys/bus/usb/devices")
        where name == port || name.hasPrefix(port + ":") {
            try remove("/sys/bus/usb/devices/\(name)")
        }
        try remove("/sys/devices/pci0000:00/usb\(port.prefix { $0 != "-" })/\(port)")
    }

    /// Creates a process with its open files.
    ///
    /// Nil means that this user may not see them.
    func process(_ number: Int, _ name: String, user: Int = 0, open: [String]?) throws {
        let folder = "/proc/\(number)"
        try file("\(folder)/comm", name + "\n").file("\(folder)/cmdline", name)
            .file("\(folder)/status", "Name:\t\(name)\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\n")
        guard let open else { return }
        try self.folder("\(folder)/fd")
        for (index, path) in open.enumerated() { try link("\(folder)/fd/\(index)", to: path) }
    }
}
