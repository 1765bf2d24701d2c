// libnfc's settings, from its files and variables

import Testing
@testable import USBReaders

struct LibNFCConfigurationTests {
    private func configuration(_ text: String, environment: [String: String] = [:]) throws -> LibNFCConfiguration {
        let system = try SystemCopy()
        try system.file("/etc/nfc/libnfc.conf", text)
        return LibNFCConfiguration(root: system.root, environment: environment)
    }

    @Test("without files and variables, libnfc's defaults apply")
    func absent() throws {
        #expect(LibNFCConfiguration(root: try SystemCopy().root, environment: ["HOME": "/"]) == LibNFCConfiguration())
    }

    @Test("devices are named in the main file and in those of devices.d, each with its lines")
    func devices() throws {
        let system = try SystemCopy()
        try system.file(
            "/etc/nfc/libnfc.conf",
            """
            # comment
            allow_autoscan = false
            allow_intrusive_scan=yes
            device.name = "desk reader"
            device.connstring = "pn532_uart:/dev/ttyUSB0"
            device.name = "second"
            device.optional = true
            device.connstring = acr122_usb:001:004
            device.connstring = "third"
            """)
        try system.file("/etc/nfc/devices.d/a.conf", "name = \"fourth\"\nconnstring = \"usb\"\n")
        try system.file("/etc/nfc/devices.d/a.conf.old", "connstring = \"fifth\"\n")
        let found = LibNFCConfiguration(root: system.root, environment: [:])
        let main = "/etc/nfc/libnfc.conf"
        #expect(!found.allowsAutoscan && found.allowsIntrusiveScan)
        #expect(found.files == [main, "/etc/nfc/devices.d/a.conf"])
        #expect(
            found.devices == [
                .init(name: "desk reader", connection: "pn532_uart:/dev/ttyUSB0", source: main),
                .init(name: "second", connection: "acr122_usb:001:004", isOptional: true, source: main),
                // libnfc gives a name to the last device that lacks one.
                .init(name: "fourth", connection: "third", source: main),
                .init(connection: "usb", source: "/etc/nfc/devices.d/a.conf"),
            ])
    }

    @Test("libnfc supports at most four devices")
    func four() throws {
        let lines = (1...9).map { "device.connstring = c\($0)" }.joined(separator: "\n")
        #expect(try configuration(lines).devices.map(\.connection) == ["c1", "c2", "c3", "c4"])
        let more = try configuration(lines, environment: ["LIBNFC_DEFAULT_DEVICE": "c0"])
        #expect(more.devices.map(\.connection) == ["c0", "c1", "c2", "c3"])
    }

    @Test(
        "a line that libnfc ignores is not a setting",
        arguments: [
            "allow_autoscan false", "allow_autoscan = no way", "allow_autoscan = \"false", "allow_autoscan =",
            "= false", "# allow_autoscan = false", "allow-autoscan = false", "allow_autoscan = FALSE",
            "allow_autoscan = \"\"",
        ])
    func others(line: String) throws {
        #expect(try configuration(line).allowsAutoscan)
    }

    @Test("libnfc's variables add a device in front, replace all devices, or turn scans on and off")
    func variables() throws {
        let text = "allow_autoscan = false\ndevice.connstring = file"
        let front = try configuration(
            text, environment: ["LIBNFC_DEFAULT_DEVICE": "x:1", "LIBNFC_AUTO_SCAN": "true", "A": "b"])
        #expect(front.devices.map(\.connection) == ["x:1", "file"])
        #expect(front.devices.first?.source == "LIBNFC_DEFAULT_DEVICE")
        #expect(front.allowsAutoscan)
        #expect(front.environment == ["LIBNFC_DEFAULT_DEVICE": "x:1", "LIBNFC_AUTO_SCAN": "true"])
        let alone = try configuration(text, environment: ["LIBNFC_DEVICE": "y:2", "LIBNFC_INTRUSIVE_SCAN": "1"])
        #expect(alone.devices == [.init(connection: "y:2", source: "LIBNFC_DEVICE")])
        #expect(!alone.allowsAutoscan && alone.allowsIntrusiveScan)
    }
}
