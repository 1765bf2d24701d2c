// pcscd: its units, its process and its socket

import Testing
@testable import USBReaders

struct SmartCardDaemonTests {
    private func daemon(_ system: SystemCopy) -> SmartCardDaemon {
        SmartCardDaemon(
            root: system.root, processes: ProcessTable(root: system.root, names: AccountNames(root: system.root)))
    }

    @Test("the state of pcscd's units is reported: absent, disabled, enabled, masked")
    func units() throws {
        let system = try SystemCopy()
        #expect(daemon(system) == SmartCardDaemon())
        try system.file("/lib/systemd/system/pcscd.socket").file("/lib/systemd/system/pcscd.service")
        #expect(daemon(system).socketUnit == .disabled)
        // This is the link as `systemctl enable` writes it, which is broken in a copy.
        try system.link("/etc/systemd/system/sockets.target.wants/pcscd.socket", to: "/lib/systemd/system/pcscd.socket")
        #expect(daemon(system).socketUnit == .enabled && daemon(system).serviceUnit == .disabled)
        try system.link("/etc/systemd/system/pcscd.socket", to: "/dev/null")
        #expect(daemon(system).socketUnit == .masked)
    }

    private static let sockets = "Num       RefCount Protocol Flags    Type St Inode Path\n"

    @Test("a socket that pcscd left behind does not count as one on which it listens")
    func stopped() throws {
        let system = try SystemCopy()
        try system.file("/run/pcscd/pcscd.comm").file("/proc/net/unix", Self.sockets)
        #expect(!daemon(system).isListening)
        // A program that is connected to it does not listen on it.
        let connected = "0000000000000000: 00000003 00000000 00000000 0001 03 203873 /run/pcscd/pcscd.comm\n"
        let other = "0000000000000000: 00000002 00000000 00010000 0001 01 20387 /run/pcscd/pcscd.comm.old\n"
        try system.file("/proc/net/unix", Self.sockets + connected + other)
        #expect(!daemon(system).isListening)
    }

    @Test("a running pcscd is reported with its user, and with its socket if it listens")
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
