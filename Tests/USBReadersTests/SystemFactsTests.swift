// What the files of a system say

import Testing
@testable import USBReaders

struct KernelModulesTests {
    @Test("loaded modules are told with those that use them, and what has nothing to do with readers is left out")
    func loaded() throws {
        let system = try SystemCopy()
        try system.file(
            "/proc/modules",
            """
            pn533_usb 20480 0 - Live 0x0000000000000000
            pn533 49152 1 pn533_usb, Live 0x0000000000000000
            nfc 155648 2 pn533,port100, Live 0x0000000000000000
            ext4 983040 1 - Live 0x0000000000000000
            nfc_cut

            """)
        let modules = KernelModules(root: system.root)
        #expect(
            modules.loaded == [
                .init(name: "pn533_usb"), .init(name: "pn533", users: ["pn533_usb"]),
                .init(name: "nfc", users: ["pn533", "port100"]),
            ])
    }

    @Test("blacklists of all folders count, a file of /etc hides its namesake, and what is missing is named")
    func blacklists() throws {
        let system = try SystemCopy()
        try system.file("/etc/modprobe.d/blacklist-libnfc.conf", "# libnfc\n\nblacklist nfc\n  blacklist\tpn533  \n")
        try system.file("/lib/modprobe.d/blacklist-libnfc.conf", "blacklist pn533_usb\n")
        try system.file("/etc/modprobe.d/notes.txt", "blacklist pn533_usb\n")
        #expect(KernelModules(root: system.root).missingFromBlacklist == ["pn533_usb"])
        #expect(
            KernelModules(root: system.root).blacklisted == [
                .init(module: "nfc", means: .blacklist, file: "/etc/modprobe.d/blacklist-libnfc.conf", line: 3),
                .init(module: "pn533", means: .blacklist, file: "/etc/modprobe.d/blacklist-libnfc.conf", line: 4),
            ])
        try system.file("/usr/lib/modprobe.d/x.conf", "install pn533-usb /usr/bin/false\n")
        #expect(KernelModules(root: system.root).missingFromBlacklist.isEmpty)
        try system.link("/run/modprobe.d/x.conf", to: "/dev/null")
        #expect(KernelModules(root: system.root).missingFromBlacklist == ["pn533_usb"])
    }

    @Test(
        "a line that does not forbid a module is no blacklisting",
        arguments: [
            "#blacklist nfc", "blacklist", "blacklisted nfc", "install nfc /sbin/modprobe --ignore-install nfc",
            "install nfc", "install nfc /bin/true && true", "alias nfc off", "options nfc a=1",
        ])
    func others(line: String) throws {
        let system = try SystemCopy()
        try system.file("/etc/modprobe.d/a.conf", line + "\n")
        #expect(KernelModules(root: system.root).blacklisted.isEmpty)
    }

    @Test("a line that is continued has the number of its first, and the kernel's command line counts too")
    func continued() throws {
        let system = try SystemCopy()
        try system.file("/etc/modprobe.d/a.conf", "blacklist \\\n  nfc\nblacklist pn533\\")
        try system.file("/proc/cmdline", "quiet modprobe.blacklist=a,pn533_usb module_blacklist=pn533-usb ro\n")
        let forbidden = KernelModules(root: system.root).blacklisted
        #expect(forbidden.map(\.module) == ["nfc", "pn533", "pn533_usb", "pn533_usb"])
        #expect(forbidden.map(\.line) == [1, 3, 1, 1])
        #expect(forbidden.map(\.means) == [.blacklist, .blacklist, .blacklist, .install])
    }
}

struct UdevRulesTests {
    private func rules(_ system: SystemCopy) -> [UdevRule] {
        UdevRules(root: system.root, vendors: [0x072F]).naming(vendor: 0x072F, product: 0x2200)
    }

    @Test(
        "a rule that names the reader is found in each way it can be written",
        arguments: [
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="072f", ATTR{idProduct}=="2200", MODE="0664", GROUP="plugdev""#,
            #"ATTRS{idVendor}==i"072F", ATTRS{idProduct}=="2200", MODE:="664", GROUP:="plugdev""#,
            #"  ENV{ID_VENDOR_ID}=="072f"  ENV{ID_MODEL_ID}=="2200"  MODE = "664"  GROUP = "plugdev""#,
            #"ATTRS{idVendor}=="04e6|072f", ATTRS{idProduct}=="22*", GROUP="root", GROUP="plugdev", MODE="0664""#,
            "ATTRS{idVendor}==\"072f\", \\\n  ATTRS{idProduct}==\"2200\", \\\n  MODE=\"0664\", GROUP=\"plugdev\"",
        ])
    func ways(line: String) throws {
        let system = try SystemCopy()
        try system.file("/etc/udev/rules.d/93-a.rules", "# first\n" + line + "\n")
        let rule = try #require(rules(system).first)
        #expect(rule.line == 2 && rule.product == 0x2200)
        #expect(rule.mode == 0o664 && rule.group == "plugdev" && !rule.tagsUaccess)
        #expect(!rule.runsBeforeLibccid && rule.modified > 0)
    }

    @Test(
        "a line that names another reader, or names it to leave it out, is none of its rules",
        arguments: [
            #"ATTRS{idVendor}=="072f", ATTRS{idProduct}=="90cc", MODE="0664""#,
            #"ATTRS{idVendor}=="072F", ATTRS{idProduct}=="2200", MODE="0664""#,
            #"ATTRS{idVendor}!="072f", MODE="0664""#, #"# ATTRS{idVendor}=="072f", MODE="0664""#,
            #"ENV{X}="072f", MODE="0664""#, #"ATTRS{idVendor}=="072f"#, #"ATTRS{idVendor}"072f", MODE="0664""#, "072f",
            "",
        ])
    func others(line: String) throws {
        let system = try SystemCopy()
        try system.file("/etc/udev/rules.d/93-a.rules", line + "\n")
        #expect(rules(system).isEmpty)
    }

    @Test("rules come in udev's order, by name whatever the folder; a namesake in /etc hides that of /lib")
    func order() throws {
        let line = #"ATTRS{idVendor}=="072f", TAG+="uaccess""#
        let system = try SystemCopy()
        for path in [
            "/lib/udev/rules.d/93-pn53x.rules", "/lib/udev/rules.d/60-a.rules", "/etc/udev/rules.d/92-l.rules",
        ] {
            try system.file(path, line)
        }
        try system.file("/etc/udev/rules.d/60-a.rules", "\n" + line)
        let found = rules(system)
        #expect(
            found.map(\.file) == [
                "/etc/udev/rules.d/60-a.rules", "/etc/udev/rules.d/92-l.rules", "/lib/udev/rules.d/93-pn53x.rules",
            ])
        #expect(found.map(\.runsBeforeLibccid) == [true, true, false])
        #expect(found.map(\.tagsUaccessTooLate) == [false, true, true])
        #expect(found.map(\.product) == [nil, nil, nil])
    }

    @Test("a late rule that lets the user in by itself is not too late")
    func builtin() throws {
        let system = try SystemCopy()
        try system.file(
            "/etc/udev/rules.d/93-a.rules", #"ATTRS{idVendor}=="072f", TAG+="uaccess", RUN{builtin}+="uaccess""#)
        #expect(rules(system).map(\.tagsUaccessTooLate) == [false])
    }

    @Test("a line cut off anywhere gives a rule or none, and never one with more than was written")
    func truncated() throws {
        let line = #"ATTRS{idVendor}=="072f", ATTRS{idProduct}=="2200", MODE="0664", GROUP="plugdev", TAG+="uaccess""#
        for end in 0...line.utf8.count {
            let terms = UdevTerm.terms(of: String(line.prefix(end)))
            #expect(terms == Array(UdevTerm.terms(of: line).prefix(terms.count)))
        }
        #expect(UdevTerm.terms(of: line).count == 5)
    }
}

struct SmartCardDaemonTests {
    private func daemon(_ system: SystemCopy) -> SmartCardDaemon {
        SmartCardDaemon(
            root: system.root, processes: ProcessTable(root: system.root, names: AccountNames(root: system.root)))
    }

    @Test("the units of pcscd are told: absent, disabled, enabled, masked")
    func units() throws {
        let system = try SystemCopy()
        #expect(daemon(system) == SmartCardDaemon())
        try system.file("/lib/systemd/system/pcscd.socket").file("/lib/systemd/system/pcscd.service")
        #expect(daemon(system).socketUnit == .disabled)
        // As `systemctl enable` writes it: the link leads nowhere in a copy.
        try system.link("/etc/systemd/system/sockets.target.wants/pcscd.socket", to: "/lib/systemd/system/pcscd.socket")
        #expect(daemon(system).socketUnit == .enabled && daemon(system).serviceUnit == .disabled)
        try system.link("/etc/systemd/system/pcscd.socket", to: "/dev/null")
        #expect(daemon(system).socketUnit == .masked)
    }

    private static let sockets = "Num       RefCount Protocol Flags    Type St Inode Path\n"

    @Test("a socket that pcscd left behind is not taken for one that it listens on")
    func stopped() throws {
        let system = try SystemCopy()
        try system.file("/run/pcscd/pcscd.comm").file("/proc/net/unix", Self.sockets)
        #expect(!daemon(system).isListening)
        // A program that is connected to it listens no more than it does.
        let connected = "0000000000000000: 00000003 00000000 00000000 0001 03 203873 /run/pcscd/pcscd.comm\n"
        let other = "0000000000000000: 00000002 00000000 00010000 0001 01 20387 /run/pcscd/pcscd.comm.old\n"
        try system.file("/proc/net/unix", Self.sockets + connected + other)
        #expect(!daemon(system).isListening)
    }

    @Test("a running pcscd is told with its user, and its socket when it listens")
    func running() throws {
        let system = try SystemCopy()
        try system.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n").file(
            "/proc/net/unix",
            Self.sockets + "0000000000000000: 00000002 00000000 00010000 0001 01 20387 /run/pcscd/pcscd.comm\n")
        try system.process(812, "pcscd", open: nil)
        let found = daemon(system)
        #expect(found.process == NodeHolder(process: 812, name: "pcscd", user: 0, userName: "root"))
        #expect(found.isListening)
    }
}

struct LibNFCConfigurationTests {
    private func configuration(_ text: String, environment: [String: String] = [:]) throws -> LibNFCConfiguration {
        let system = try SystemCopy()
        try system.file("/etc/nfc/libnfc.conf", text)
        return LibNFCConfiguration(root: system.root, environment: environment)
    }

    @Test("without files and variables libnfc's own settings hold")
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

    @Test("libnfc has room for four devices")
    func four() throws {
        let lines = (1...9).map { "device.connstring = c\($0)" }.joined(separator: "\n")
        #expect(try configuration(lines).devices.map(\.connection) == ["c1", "c2", "c3", "c4"])
        let more = try configuration(lines, environment: ["LIBNFC_DEFAULT_DEVICE": "c0"])
        #expect(more.devices.map(\.connection) == ["c0", "c1", "c2", "c3"])
    }

    @Test(
        "what libnfc takes for no setting is none",
        arguments: [
            "allow_autoscan false", "allow_autoscan = no way", "allow_autoscan = \"false", "allow_autoscan =",
            "= false", "# allow_autoscan = false", "allow-autoscan = false", "allow_autoscan = FALSE",
            "allow_autoscan = \"\"",
        ])
    func others(line: String) throws {
        #expect(try configuration(line).allowsAutoscan)
    }

    @Test("the variables are libnfc's: one device in front, one instead of all, scans on and off")
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

struct HostMachineTests {
    static let firmwareTexts: [(String, String, String)] = [
        ("sys_vendor", "QEMU", "QEMU"), ("product_name", "VirtualBox", "VirtualBox"),
        ("board_vendor", "innotek GmbH", "VirtualBox"), ("product_name", "VMware Virtual Platform", "VMware"),
        ("product_name", "KVM", "KVM"), ("sys_vendor", "Parallels Software International Inc.", "Parallels"),
    ]

    @Test("a virtual machine is known by what its firmware says", arguments: firmwareTexts)
    func firmwareText(attribute: String, text: String, name: String) throws {
        let system = try SystemCopy()
        try system.file("/sys/class/dmi/id/\(attribute)", text + "\n")
        #expect(HostMachine(root: system.root).virtualMachine == name)
    }

    @Test("Hyper-V, Xen, WSL and a silent hypervisor are known; hardware and Xen's first domain are none")
    func others() throws {
        let system = try SystemCopy()
        #expect(HostMachine(root: system.root) == HostMachine(hasUSB: false, hasUSBNodes: false))
        try system.file("/sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n")
        #expect(HostMachine(root: system.root).virtualMachine == nil)
        try system.file("/sys/class/dmi/id/product_name", "Virtual Machine\n")
        #expect(HostMachine(root: system.root).virtualMachine == "Hyper-V")
        let xen = try SystemCopy()
        try xen.file("/sys/hypervisor/type", "xen\n")
        #expect(HostMachine(root: xen.root).virtualMachine == "Xen")
        try xen.file("/proc/xen/capabilities", "control_d\n")
        #expect(HostMachine(root: xen.root).virtualMachine == nil)
        let silent = try SystemCopy()
        try silent.file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lahf_lm\n")
        #expect(HostMachine(root: silent.root).virtualMachine == "virtual machine")
        try silent.file("/proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n")
        #expect(HostMachine(root: silent.root).virtualMachine == "WSL")
    }

    @Test("a container is known by its mark, and a machine without USB by its folders")
    func containers() throws {
        for (path, text, name) in [
            ("/run/systemd/container", "lxc\n", "lxc"), ("/.dockerenv", "", "docker"),
            ("/run/.containerenv", "", "podman"),
            ("/proc/1/cgroup", "0::/kubepods/pod1\n", "kubernetes"), ("/proc/1/cgroup", "0::/init.scope\n", nil),
        ] as [(String, String, String?)] {
            let system = try SystemCopy()
            try system.file(path, text).folder("/sys/bus/usb")
            let machine = HostMachine(root: system.root)
            #expect(machine.container == name, "\(path)")
            #expect(machine.hasUSB && !machine.hasUSBNodes)
        }
    }
}

struct SessionUserTests {
    @Test("a group that /etc/group gives and the session lacks is told")
    func groups() throws {
        let system = try SystemCopy()
        try system.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\nanna:x:1000:1000::/home/anna:/bin/sh\nbroken\n::\n")
        try system.file(
            "/etc/group",
            "root:x:0:\nplugdev:x:46:bob,anna\ndialout:x:20:anna\nanna:x:1000:\nvideo:x:44:bob\nbroken:x\n")
        try system.file("/proc/self/status", "Name:\tx\nUid:\t0\t1000\t0\t0\nGid:\t0\t1000\t0\t0\nGroups:\t20 4242 \n")
        let names = AccountNames(root: system.root)
        #expect(
            SessionUser(root: system.root, names: names)
                == SessionUser(
                    number: 1000, name: "anna",
                    groups: [
                        .init(number: 1000, name: "anna"), .init(number: 20, name: "dialout"),
                        .init(number: 4242, name: nil),
                    ], groupsNotYetInSession: [.init(number: 46, name: "plugdev")],
                    deviceGroups: [.init(number: 46, name: "plugdev"), .init(number: 20, name: "dialout")]))
    }

    @Test("on this machine the user is the one the kernel knows")
    func here() {
        let user = SessionUser(root: SystemRoot(), names: AccountNames(root: SystemRoot()))
        #expect(user.number == effectiveUser())
    }
}

struct SeatTests {
    private func user(_ system: SystemCopy) throws -> SessionUser {
        try system.file("/proc/self/status", "Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\n")
        return SessionUser(root: system.root, names: AccountNames(root: system.root))
    }

    @Test("whoever has the active session of a seat sits at this machine; others, as over SSH, do not")
    func seats() throws {
        let system = try SystemCopy()
        #expect(try !user(system).isAtSeat)
        try system.file("/run/systemd/seats/seat0", "IS_SEAT0=1\nACTIVE=c2\nACTIVE_UID=10001\nSESSIONS=c2 3\n")
        #expect(try !user(system).isAtSeat)
        try system.file("/run/systemd/seats/seat0", "IS_SEAT0=1\nACTIVE=2\nACTIVE_UID=1000\nSESSIONS=2\n")
        #expect(try user(system).isAtSeat)
    }
}
