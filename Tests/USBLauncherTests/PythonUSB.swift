// Python's libusb-1.0 as a client of the emulated bus, for details that libnfc does not show

import Foundation
import Testing
import USBBus
import VirtualPN532

/// Scripts that work with the first reader over libusb-1.0 (`usb1`, which nfcpy brings).
enum PythonUSB {
    private static let prelude = """
        import sys, time, usb1
        context = usb1.USBContext()
        context.open()
        def reader():
            known = (0x072f, 0x04cc, 0x04e6)
            return [device for device in context.getDeviceList(skip_on_error=True) if device.getVendorID() in known][0]
        def attempt(action):
            try: return action()
            except usb1.USBError as error: return type(error).__name__
        def transfer(handle, command, limit=1000):
            handle.bulkWrite(0x02, bytes.fromhex(command))
            return handle.bulkRead(0x82, 300, limit).hex(' ')
        FIRMWARE = '6F 05 00 00 00 00 00 00 00 00 FF 00 48 00 00'

        """

    static func command(_ script: String) throws -> [String] {
        let variable = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"]
        return [try #require(variable, "run Scripts/test"), "-uc", prelude + script]
    }
}

extension USBBus {
    /// Returns a bus with one reader and an NTAG213 on it.
    static func one(
        _ model: EmulatedReader.Model = .acr122u, faults: [String] = [], user: String? = nil, timeLimit: Int = 30
    ) throws -> USBBus {
        let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag213.make(serial: 1)])
        return USBBus([reader], faults: faults, user: user, timeLimit: timeLimit)
    }
}
