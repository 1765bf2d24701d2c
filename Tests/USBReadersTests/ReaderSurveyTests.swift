// All facts at one moment

import Chance
import Glibc
import Testing
@testable import USBReaders

struct ReaderSurveyTests {
    @Test("a survey combines a reader, its permitted users, its holders, and the rules that name it")
    func whole() throws {
        let system = try SystemCopy()
        try system.device("1-1", "072f", "2200", number: 4, interfaces: [("0b", "usbfs")])
        try system.device("1-2", "10c4", "ea60", number: 5)
        try system.process(812, "pcscd", open: ["/dev/bus/usb/001/004"])
        try system.file(
            "/lib/udev/rules.d/93-pn53x.rules", #"ATTRS{idVendor}=="072f", ATTRS{idProduct}=="2200", MODE="0664""#)
        try system.file("/proc/modules", "pn533_usb 20480 0 - Live 0x0\n")
        let survey = ReaderSurvey(root: system.root, environment: ["LIBNFC_DEVICE": "x:1"])
        #expect(survey.readers.count == 1)
        let reader = try #require(survey.readers.first)
        #expect(reader.reader.connection == "acr122_usb:001:004" && reader.access.verdict == .granted)
        #expect(reader.holders.visible.map(\.name) == ["pcscd"] && reader.rules.map(\.mode) == [0o664])
        #expect(survey.portlessAdapters.map(\.port) == [PortPath("1-2")])
        #expect(survey.system.smartCardDaemon.process?.process == 812)
        #expect(survey.system.modules.loaded.map(\.name) == ["pn533_usb"])
        #expect(survey.system.configuration.devices.map(\.connection) == ["x:1"])
        #expect(
            ReaderSurvey(root: system.root, environment: [:], leavingOut: [812]).readers.first?.holders == NodeHolders()
        )
    }

    @Test("a survey of an empty or missing tree finds no readers and no daemon")
    func empty() throws {
        for root in [try SystemCopy().root, SystemRoot(path: "/nowhere/at/all")] {
            let survey = ReaderSurvey(root: root, environment: [:])
            #expect(survey.readers.isEmpty && survey.serialPorts.isEmpty)
            #expect(survey.system.smartCardDaemon == SmartCardDaemon() && survey.system.modules == KernelModules())
            #expect(survey.system.machine == HostMachine(hasUSB: false, hasUSBNodes: false))
        }
    }

    @Test("this machine can be surveyed")
    func here() {
        let survey = ReaderSurvey(environment: [:])
        #expect(survey.system.user.number == effectiveUser())
    }

    /// The files that a survey reads, each with something for it to find.
    private static let files = [
        "/etc/passwd", "/etc/group", "/proc/self/status", "/proc/modules", "/proc/cmdline", "/proc/cpuinfo",
        "/proc/9/comm",
        "/proc/9/status", "/proc/1/cgroup", "/etc/modprobe.d/a.conf", "/etc/udev/rules.d/93-a.rules",
        "/etc/nfc/libnfc.conf",
        "/etc/nfc/devices.d/a.conf", "/sys/class/dmi/id/sys_vendor", "/sys/bus/usb/devices/1-1/product",
        "/sys/bus/usb/devices/1-1/serial", "/run/systemd/container", "/sys/hypervisor/type",
    ]

    @Test(
        "a survey succeeds with binary, huge and looping files: each of eighteen files in five ways", arguments: files)
    func garbage(path: String) throws {
        var generator = SplitMix(state: 0x5EED)
        let noise = (0..<20_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let line = #"blacklist ATTRS{idVendor}=="072f" = : \"#
        let contents: [[UInt8]?] = [
            [], noise, Array(repeating: 0x5C, count: 50_000), Array(String(repeating: line + "\n", count: 300).utf8),
            nil,
        ]
        for content in contents {
            let system = try SystemCopy()
            try system.folder("/sys/bus/usb/devices/1-1").file("/proc/9/cmdline", "x")
            for (attribute, value) in [("idVendor", "072f"), ("idProduct", "2200"), ("devnum", "4")] {
                try system.file("/sys/bus/usb/devices/1-1/\(attribute)", value)
            }
            if let content {
                try system.file(path, bytes: content)
            } else {
                try system.link(path, to: "loop").link(path + "2", to: path)
            }
            let survey = ReaderSurvey(root: system.root, environment: [:])
            #expect(survey.readers.map(\.reader.port.description) == ["1-1"])
        }
    }

    @Test("a file larger than its limit is read up to the limit")
    func limit() throws {
        let system = try SystemCopy()
        try system.file("/big", bytes: Array(repeating: 0x41, count: 3 << 20))
        #expect(system.root.bytes("/big", limit: SystemRoot.settingsLimit)?.count == 1 << 20)
        #expect(system.root.attribute("/big")?.count == 4096)
    }

    @Test("a resolved path starts at the root; a link that points out of a copy is not resolved")
    func resolution() throws {
        let system = try SystemCopy()
        try system.file("/dev/ttyUSB0").link("/dev/by/name", to: "../ttyUSB0").link("/dev/out", to: "/etc/passwd")
        #expect(system.root.resolved("/dev/by/name") == "/dev/ttyUSB0")
        #expect(system.root.resolved("/dev/out") == nil)
        #expect(system.root.resolved("/dev/none") == nil)
        #expect(SystemRoot().resolved("/proc/..") == "/")
    }
}

struct USBInterfaceControlTests {
    @Test("on a port with nothing plugged in, the device is reported as gone")
    func gone() throws {
        let control = USBInterfaceControl(port: try #require(PortPath("255-7.7.7")))
        var found: USBControlError?
        do throws(USBControlError) { try control.testClaim() } catch { found = error }
        #expect(found == .gone || found == .noUSB)
    }

    /// libusb.h, enum libusb_error.
    @Test(
        "libusb's errors are distinguished",
        arguments: [
            (-1, .inputOutput), (-3, .noPermission), (-4, .gone), (-5, .notFound), (-6, .busy), (-7, .inputOutput),
            (-9, .inputOutput), (-12, .notSupported), (-99, .failed(-99)), (0, nil), (3, nil),
        ] as [(Int32, USBControlError?)])
    func errors(code: Int32, error: USBControlError?) {
        #expect(USBControlError(code, errno: 0) == error)
    }

    @Test("a claim that is refused with an errno for which libusb has no code is reported as missing permission")
    func refused() {
        #expect(USBControlError(-99, errno: EACCES) == .noPermission)
        #expect(USBControlError(-99, errno: EPERM) == .noPermission)
        #expect(USBControlError(-5, errno: EACCES) == .notFound)
    }
}
