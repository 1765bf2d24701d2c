// The USB port of a reader: entries on the private bus, and sockets — Sources/IFDHandler/PrivateDirectory.h

import Glibc
import Synchronization
import VirtualPN532

/// The device numbers on a USB bus.
///
/// As in Linux, each device that is plugged in gets the next number. If a reader returned with its old number during a
/// call, pcscd would mistake it for the old reader and ignore it.
final class DeviceNumbers: Sendable {
    /// The first number for a device.
    ///
    /// Device 1 is the root hub.
    private static let first = 2
    private static let last = 127
    private let state = Mutex((number: first - 1, used: Set<Int>()))

    /// Reserves the next free number.
    ///
    /// There is always one, because there are at most 16 readers.
    func take() -> Int {
        state.withLock { state in
            repeat {
                state.number = state.number == Self.last ? Self.first : state.number + 1
            } while state.used.contains(state.number)
            state.used.insert(state.number)
            return state.number
        }
    }

    func giveBack(_ number: Int) { state.withLock { _ = $0.used.remove(number) } }
}

/// A port on the private USB bus.
final class ReaderPort: Sendable {
    private let reader: VirtualPCSCReader
    private let directory: PrivateDirectory
    private let numbers: DeviceNumbers
    /// The number of the device that is plugged in, or was plugged in last.
    private let number = Mutex(0)
    private let service = Mutex<IFDService?>(nil)

    private static let bus = 1

    init(_ reader: VirtualPCSCReader, in directory: PrivateDirectory, _ numbers: DeviceNumbers) {
        (self.reader, self.directory, self.numbers) = (reader, directory, numbers)
        reader.setPort(self)
    }

    private var name: String { "\(Self.bus)-\(number.withLock(\.self))" }
    private var model: PCSCReaderModel { reader.model }
    private func interface(_ number: Int) -> String { "\(name):1.\(number)" }
    private func socket(_ number: Int) -> String { "\(directory.path)/readers/\(name)-\(number)" }

    /// Plugs the reader in.
    ///
    /// A running daemon detects the reader within milliseconds. A daemon that starts later detects it at its start.
    func plug() throws(PCSCDaemonError) {
        guard service.withLock({ $0 == nil }) else { return }
        let device = numbers.take()
        number.withLock { $0 = device }
        func hex(_ value: UInt16) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
        try directory.makeFolder("sys/\(name)")
        try directory.write(hex(model.vendor), to: "sys/\(name)/idVendor")
        try directory.write(hex(model.product), to: "sys/\(name)/idProduct")
        if let serial = reader.serial { try directory.write(serial, to: "sys/\(name)/serial") }
        let sockets = model.interfaces.indices.map(socket)
        for path in sockets { unlink(path) }
        reader.firmware.channel = UInt32(0x0020_0000 | Self.bus << 8 | device)
        let started = try IFDService(sockets: sockets, reader: reader)
        service.withLock { $0 = started }
        for (number, label) in model.interfaces.enumerated() {
            let folder = "sys/\(interface(number))"
            try directory.makeFolder(folder)
            try directory.write("0\(number)", to: "\(folder)/bInterfaceNumber")
            if let label { try directory.write(label, to: "\(folder)/interface") }
        }
        for number in model.interfaces.indices { directory.announce("add \(interface(number))") }
    }

    func unplug() {
        guard service.withLock({ $0 != nil }) else { return }
        close()
        for number in model.interfaces.indices {
            let folder = "\(directory.path)/sys/\(interface(number))"
            for attribute in ["bInterfaceNumber", "interface"] { unlink("\(folder)/\(attribute)") }
            rmdir(folder)
            unlink(socket(number))
        }
        for number in model.interfaces.indices { directory.announce("remove \(interface(number))") }
        numbers.giveBack(number.withLock(\.self))
    }

    /// Closes the sockets through which the daemon reaches the reader.
    func close() {
        let ended = service.withLock { service -> IFDService? in
            defer { service = nil }
            return service
        }
        ended?.stop()
    }
}
