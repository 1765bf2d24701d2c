// Readers and serial ports in sysfs

import Testing
@testable import USBReaders

struct DiscoveryTests {
    @Test("a reader is found with its port, its number, its strings and libnfc's name for it")
    func reader() throws {
        let system = try SystemCopy()
        try system.device("1-2.3", "072f", "2200", number: 4, name: "ACR122U PICC Interface", serial: "S1")
        let reader = try #require(USBReader.connected(root: system.root).first)
        #expect(reader.port == PortPath("1-2.3"))
        #expect(reader.model.name == "ACS ACR122U")
        #expect(reader.connection == "acr122_usb:001:004")
        #expect(reader.node == "/dev/bus/usb/001/004")
        #expect(reader.product == "ACR122U PICC Interface")
        #expect(reader.serial == "S1")
        #expect(reader.manufacturer == nil)
        #expect(reader.kernelDriver == nil && !reader.isClaimedByProgram)
    }

    @Test("readers are listed by port, and other devices are not listed")
    func order() throws {
        let system = try SystemCopy()
        try system.device("1-10", "04e6", "5591", number: 9)
        try system.device("1-2", "04cc", "2533", number: 3)
        try system.device("2-1", "1d6b", "0002", number: 2, interfaces: [("09", "hub")])
        try system.file("/sys/bus/usb/devices/usb1/idVendor", "072f\n").file(
            "/sys/bus/usb/devices/usb1/idProduct", "2200\n")
        let readers = USBReader.connected(root: system.root)
        #expect(readers.map(\.port.description) == ["1-2", "1-10"])
        #expect(readers.map(\.connection) == ["pn53x_usb:001:003", "pn53x_usb:001:009"])
    }

    @Test("a kernel driver is named, and a program's claim is distinguished from it")
    func drivers() throws {
        let system = try SystemCopy()
        try system.device("1-1", "04e6", "5591", number: 2, interfaces: [("ff", "pn533_usb")])
        try system.device("1-2", "072f", "2200", number: 3, interfaces: [("0b", "usbfs")])
        let readers = USBReader.connected(root: system.root)
        #expect(readers.map(\.kernelDriver) == ["pn533_usb", nil])
        #expect(readers.map(\.isClaimedByProgram) == [false, true])
    }

    @Test("a smart-card reader that is not in the table is recognised by its class, whatever its name")
    func smartCardClass() throws {
        let system = try SystemCopy()
        try system.device(
            "3-1", "ffff", "0001", number: 5, name: "Card\u{1B}[2J", interfaces: [("03", nil), ("0b", nil)])
        let reader = try #require(USBReader.connected(root: system.root).first)
        #expect(reader.model.reason == .smartCardClass)
        #expect(reader.model.name == "Card\u{1B}[2J")
        #expect(reader.connection == nil)
    }

    @Test(
        "a device with an empty, invalid or too large attribute is skipped",
        arguments: ["idVendor", "idProduct", "devnum"],
        ["", "\n", "0x72f\n", "12345\n", "zzzz", "\u{0}\u{0}", "-1", "256000"])
    func garbage(attribute: String, value: String) throws {
        let system = try SystemCopy()
        try system.device("1-1", "072f", "2200", number: 4)
        try system.device("1-2", "072f", "2200", number: 5)
        try system.file("/sys/devices/pci0000:00/usb1/1-1/\(attribute)", value)
        #expect(USBReader.connected(root: system.root).map(\.port.description) == ["1-2"])
    }

    @Test("circular links, and folders in place of files, end the search for one device, not for all")
    func loops() throws {
        let system = try SystemCopy()
        try system.device("1-2", "072f", "2200", number: 5)
        try system.link("/sys/bus/usb/devices/1-3", to: "1-4").link("/sys/bus/usb/devices/1-4", to: "1-3")
        try system.link("/sys/bus/usb/devices/1-5", to: ".")
        try system.folder("/sys/bus/usb/devices/1-6/idVendor")
        #expect(USBReader.connected(root: system.root).map(\.port.description) == ["1-2"])
    }

    @Test("a string descriptor is cut off at its maximum length, and control characters are kept")
    func strings() throws {
        let system = try SystemCopy()
        try system.device(
            "1-1", "072f", "2200", number: 4, name: "A\u{7}B", serial: String(repeating: "x", count: 5000))
        let reader = try #require(USBReader.connected(root: system.root).first)
        #expect(reader.serial?.count == 126)
        #expect(reader.product == "A\u{7}B")
    }

    @Test(
        "bus and device have three digits each, as libnfc writes them",
        arguments: [(1, "001"), (23, "023"), (127, "127")])
    func digits(number: UInt8, text: String) throws {
        let model = try #require(ReaderModel.known(vendor: 0x072F, product: 0x2200))
        let port = try #require(PortPath(bus: number, ports: [1]))
        #expect(USBReader(model: model, port: port, device: number).connection == "acr122_usb:\(text):\(text)")
    }
}

struct SerialPortTests {
    private func adapter(_ system: SystemCopy, _ product: String = "ea60", vendor: String = "10c4") throws {
        try system.device("1-4", vendor, product, number: 8, name: "Bridge", interfaces: [("ff", "cp210x")])
        let place = "/sys/devices/pci0000:00/usb1/1-4/1-4:1.0/ttyUSB0"
        try system.link("\(place)/driver", to: "../../../../../../bus/usb-serial/drivers/cp210x")
        try system.folder("\(place)/tty/ttyUSB0").link("\(place)/tty/ttyUSB0/device", to: "../../../ttyUSB0")
        try system.link("/sys/class/tty/ttyUSB0", to: "../../devices/pci0000:00/usb1/1-4/1-4:1.0/ttyUSB0/tty/ttyUSB0")
        try system.file("/dev/ttyUSB0").link("/dev/serial/by-id/usb-Bridge-if00-port0", to: "../../ttyUSB0")
    }

    @Test("an adapter's port is found with its chip, its driver and the name that stays the same")
    func port() throws {
        let system = try SystemCopy()
        try adapter(system)
        let survey = ReaderSurvey(root: system.root, environment: [:])
        let port = try #require(survey.serialPorts.first)
        #expect(survey.serialPorts.count == 1 && survey.readers.isEmpty && survey.portlessAdapters.isEmpty)
        #expect(port.node == "/dev/ttyUSB0")
        #expect(port.adapter?.model.name == "CP210x")
        #expect(port.adapter?.port == PortPath("1-4"))
        #expect(port.driver == "cp210x")
        #expect(port.stableNames == ["/dev/serial/by-id/usb-Bridge-if00-port0"])
        #expect(port.access.verdict == .granted)
    }

    @Test("an adapter that is not in the table is still an adapter")
    func unknown() throws {
        let system = try SystemCopy()
        try adapter(system, "0001", vendor: "ffff")
        let port = try #require(ReaderSurvey(root: system.root, environment: [:]).serialPorts.first)
        #expect(port.adapter?.model == ReaderModel(vendor: 0xFFFF, product: 1, name: "Bridge", support: .serialAdapter))
    }

    @Test("a Proxmark3 is listed among the readers, and its port is not listed as a serial port")
    func proxmark() throws {
        let system = try SystemCopy()
        try adapter(system, "4b8f", vendor: "9ac4")
        let survey = ReaderSurvey(root: system.root, environment: [:])
        #expect(survey.serialPorts.isEmpty)
        #expect(survey.readers.map(\.reader.model.reason) == [.proxmark])
    }

    @Test("a ttyS without a chip is not a port, nor are consoles and pseudo-terminals")
    func board() throws {
        let system = try SystemCopy()
        for (name, type) in [("ttyS0", "4"), ("ttyS1", "0"), ("tty1", "4"), ("console", "4")] {
            try system.file("/sys/class/tty/\(name)/type", type + "\n").folder("/sys/class/tty/\(name)/device")
            try system.file("/dev/\(name)")
        }
        let place = "/sys/devices/platform/serial8250/serial8250:0/serial8250:0.0"
        try system.link("\(place)/driver", to: "../../../../bus/serial-base/drivers/port")
        try system.link("/sys/devices/platform/serial8250/driver", to: "../../../bus/platform/drivers/serial8250")
        try system.remove("/sys/class/tty/ttyS0/device")
        try system.link(
            "/sys/class/tty/ttyS0/device", to: "../../../devices/platform/serial8250/serial8250:0/serial8250:0.0")
        try system.folder("/sys/class/tty/ttyAMA0/device").link("/dev/serial0", to: "ttyAMA0").file("/dev/ttyAMA0")
        let ports = ReaderSurvey(root: system.root, environment: [:]).serialPorts
        #expect(ports.map(\.node) == ["/dev/ttyAMA0", "/dev/ttyS0"])
        #expect(ports.map(\.stableNames) == [["/dev/serial0"], []])
        #expect(ports.map(\.driver) == [nil, "serial8250"])
    }

    @Test("a missing port that libnfc's settings name is listed once")
    func named() throws {
        let system = try SystemCopy()
        try adapter(system)
        try system.file(
            "/etc/nfc/libnfc.conf",
            """
            device.connstring = "pn532_uart:/dev/serial/by-id/usb-Bridge-if00-port0"
            device.connstring = pn532_uart:/dev/ttyS7:115200
            device.connstring = arygon:/dev/ttyS7
            device.connstring = pn532_i2c:/dev/i2c-1
            """)
        let ports = ReaderSurvey(root: system.root, environment: [:]).serialPorts
        #expect(ports.map(\.node) == ["/dev/ttyUSB0", "/dev/ttyS7"])
        #expect(ports.last?.access.verdict == .missing)
    }
}
