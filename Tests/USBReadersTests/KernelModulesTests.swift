// Kernel modules that are loaded or blacklisted

import Testing
@testable import USBReaders

struct KernelModulesTests {
    @Test("loaded modules are listed with their users, and modules unrelated to readers are left out")
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

    @Test("blacklists in all folders count, a file in /etc hides its namesake, and missing modules are named")
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
        "a line that does not forbid a module does not blacklist it",
        arguments: [
            "#blacklist nfc", "blacklist", "blacklisted nfc", "install nfc /sbin/modprobe --ignore-install nfc",
            "install nfc", "install nfc /bin/true && true", "alias nfc off", "options nfc a=1",
        ])
    func others(line: String) throws {
        let system = try SystemCopy()
        try system.file("/etc/modprobe.d/a.conf", line + "\n")
        #expect(KernelModules(root: system.root).blacklisted.isEmpty)
    }

    @Test("a continued line has the number of its first line, and the kernel's command line counts too")
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
