// The users who may access a node, and the processes that have it open

import Foundation
import Testing
@testable import USBReaders

func effectiveUser() -> UInt32 { geteuid() }

struct NodeAccessTests {
    @Test("an existing node has an owner with a name, a mode and a time")
    func granted() throws {
        let system = try SystemCopy()
        try system.file("/dev/bus/usb/001/004")
            .file("/etc/passwd", "someone:x:\(geteuid()):1::/:\n").file("/etc/group", "plugdev:x:\(getegid()):\n")
        chmod(system.folder + "/dev/bus/usb/001/004", 0o640)
        let access = NodeAccess(of: "/dev/bus/usb/001/004", root: system.root)
        #expect(access.verdict == .granted)
        let ownership = try #require(access.ownership)
        #expect(ownership.ownerName == "someone" && ownership.groupName == "plugdev" && ownership.mode == 0o640)
        #expect(!ownership.hasACL && ownership.changed > 0)
    }

    @Test("an access control list is seen where the file system has them")
    func list() throws {
        let system = try SystemCopy()
        try system.file("/dev/node")
        // linux/posix_acl_xattr.h, version 2: owner rw, user 1000 rw, group, mask rw, others.
        let entries: [(tag: UInt8, permissions: UInt8, user: Bool)] = [
            (0x01, 6, false), (0x02, 6, true), (0x04, 0, false), (0x10, 6, false), (0x20, 0, false),
        ]
        let list = entries.reduce(into: [2, 0, 0, 0] as [UInt8]) { bytes, entry in
            bytes +=
                [entry.tag, 0, entry.permissions, 0] + (entry.user ? [0xE8, 0x03, 0, 0] : [0xFF, 0xFF, 0xFF, 0xFF])
        }
        typealias SetAttribute =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt) -> CInt
        let set = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: SetAttribute.self)
        let isSet = set(system.folder + "/dev/node", "system.posix_acl_access", list, list.count, 0) == 0
        #expect(isSet || errno == EOPNOTSUPP)
        #expect(NodeAccess(of: "/dev/node", root: system.root).ownership?.hasACL == isSet)
    }

    @Test("a node that does not exist, or is below a file, is missing; a folder in its place is a different error")
    func missing() throws {
        let system = try SystemCopy()
        try system.file("/dev/file").folder("/dev/folder").link("/dev/a", to: "b").link("/dev/b", to: "a")
        #expect(NodeAccess(of: "/dev/none", root: system.root) == NodeAccess(path: "/dev/none", verdict: .missing))
        #expect(NodeAccess(of: "/dev/file/x", root: system.root).verdict == .missing)
        #expect(NodeAccess(of: "/dev/folder", root: system.root).verdict == .failed(EISDIR))
        #expect(NodeAccess(of: "/dev/a", root: system.root).verdict == .failed(ELOOP))
    }

    @Test("a FIFO in a node's place is opened without waiting for its other end")
    func fifo() throws {
        let system = try SystemCopy()
        try system.folder("/dev")
        mkfifo(system.folder + "/dev/fifo", 0o600)
        #expect(NodeAccess(of: "/dev/fifo", root: system.root).verdict == .granted)
        #expect(system.root.text("/dev/fifo") == nil)
    }

    @Test(
        "modes that keep this user out are reported, also for a serial port, which is not opened",
        arguments: ["/dev/bus/usb/001/004", "/dev/ttyUSB0"])
    func modes(node: String) throws {
        let system = try SystemCopy()
        try system.file(node)
        chmod(system.folder, 0o755)
        for (mode, verdict) in [(0o000, .noPermission), (0o444, .readOnly), (0o666, .granted)]
            as [(mode_t, NodeAccess.Verdict)]
        {
            chmod(system.folder + node, mode)
            let found = try asNobody { NodeAccess(of: node, root: system.root).verdict }
            #expect(found == verdict, "\(String(mode, radix: 8))")
        }
    }

    @Test(
        "error numbers of open are distinguished",
        arguments: [
            (EACCES, .noPermission), (EPERM, .notPermitted), (EROFS, .readOnly), (ENODEV, .deviceGone),
            (ENXIO, .deviceGone),
            (EBUSY, .busy), (EMFILE, .failed(EMFILE)),
        ] as [(Int32, NodeAccess.Verdict)])
    func numbers(number: Int32, verdict: NodeAccess.Verdict) {
        #expect(NodeAccess.Verdict(number) == verdict)
    }

    /// Runs a closure without the rights of root, if it has any, on this thread only.
    ///
    /// The system call affects only this thread, but glibc's function would change all threads.
    private func asNobody<Result>(_ body: () -> Result) throws -> Result {
        guard geteuid() == 0 else { return body() }
        #if arch(x86_64)
            let setresuid = 117
        #else
            let setresuid = 147
        #endif
        typealias SystemCall = @convention(c) (Int, Int, Int, Int) -> Int
        let call = unsafeBitCast(try #require(dlsym(nil, "syscall")), to: SystemCall.self)
        #expect(call(setresuid, -1, 65534, -1) == 0)
        defer { _ = call(setresuid, -1, 0, -1) }
        return body()
    }
}

struct NodeHoldersTests {
    @Test("a device is the same through any of its nodes, and differs from all others")
    func sameDevice() {
        let root = SystemRoot()
        #expect(root.isSameFile("/dev/null", "/proc/self/root/dev/null") == true)
        #expect(root.isSameFile("/dev/null", "/dev/zero") == false)
        #expect(root.isSameFile("/dev/null", "/dev/no-such-node") == nil)
    }

    @Test(
        "the processes that have a node open are listed with name and user, but not the other end of a pseudo-terminal")
    func visible() throws {
        let system = try SystemCopy()
        try system.file("/etc/passwd", "anna:x:1000:1000::/:\n")
        try system.process(10, "nfc-poll", user: 1000, open: ["/dev/null", "/dev/pts/3"])
        try system.process(11, "terminal", open: ["/dev/ptmx", "/dev/pts/3"])
        try system.process(12, "other\u{1B}[31m", open: ["/dev/pts/30", "/dev/bus/usb/001/004"])
        #expect(
            NodeHolders(of: "/dev/pts/3", root: system.root)
                == NodeHolders(visible: [NodeHolder(process: 10, name: "nfc-poll", user: 1000, userName: "anna")]))
        #expect(NodeHolders(of: "/dev/bus/usb/001/004", root: system.root).visible.map(\.name) == ["other[31m"])
        #expect(NodeHolders(of: "/dev/pts/3", root: system.root, leavingOut: [10]).visible.isEmpty)
        #expect(NodeHolders(of: "/dev/pts/4", root: system.root) == NodeHolders())
    }

    @Test("processes that cannot be examined are counted, and those that are known to open readers are named")
    func hidden() throws {
        let system = try SystemCopy()
        try system.process(20, "pcscd", open: nil)
        try system.process(21, "bash", open: nil)
        try system.process(22, "kworker/0:0", open: nil)
        try system.file("/proc/22/cmdline", "")
        try system.file("/proc/uptime", "1").file("/proc/23/comm", "")
        let holders = NodeHolders(of: "/dev/bus/usb/001/004", root: system.root)
        #expect(holders.visible.isEmpty && holders.hidden == 2)
        #expect(holders.suspects.map(\.name) == ["pcscd"])
    }

    @Test("the process that has locked a node comes first, even if its open files are hidden")
    func locked() throws {
        let system = try SystemCopy()
        let node = "/dev/bus/usb/001/004"
        try system.file(node)
        try system.process(30, "nfctool", open: nil)
        try system.process(10, "fwupd", open: [node])
        var status = stat()
        try #require(stat(system.folder + node, &status) == 0)
        // sysmacros.h: 12 bits of the major number, 8 bits of the minor number, and further bits of both above these.
        let (major, minor) = (status.st_dev >> 8 & 0xFFF, status.st_dev & 0xFF | status.st_dev >> 12 & 0xFFF00)
        let name = [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        let file = "\(name):\(status.st_ino)"
        try system.file(
            "/proc/locks",
            """
            1: POSIX  ADVISORY  WRITE 10 \(file) 0 EOF
            2: FLOCK  ADVISORY  WRITE 30 \(file) 0 EOF
            2: -> FLOCK  ADVISORY  WRITE 10 \(file) 0 EOF
            3: FLOCK  ADVISORY  WRITE 31 \(name):1 0 EOF
            4: FLOCK  ADVISORY  READ 0 \(file) 0 EOF

            """)
        let holders = NodeHolders(of: node, root: system.root)
        #expect(holders.visible.map(\.name) == ["nfctool", "fwupd"])
        #expect(holders.hidden == 0)
    }

    @Test("instead of a process that only holds a reader for another process, the other process is listed")
    func held() throws {
        let system = try SystemCopy()
        let node = "/dev/bus/usb/001/004"
        try system.process(40, "kiosk", user: 1000, open: [])
        try system.process(41, "nfctool", user: 1000, open: [node])
        try system.file("/proc/41/cmdline", "/usr/bin/nfctool\0reader-host\0")
            .file("/proc/41/status", "Name:\tnfctool\nPPid:\t40\nUid:\t1000\t1000\t1000\t1000\n")
        #expect(NodeHolders(of: node, root: system.root).visible.map(\.process) == [40])
        // Its parent has ended.
        try system.file("/proc/41/status", "Name:\tnfctool\nPPid:\t1\nUid:\t1000\t1000\t1000\t1000\n")
        #expect(NodeHolders(of: node, root: system.root).visible.map(\.process) == [41])
    }

    @Test("this process is not a holder, but a child that has a file open is")
    func live() throws {
        let system = try SystemCopy()
        try system.file("/node")
        let path = try #require(SystemRoot().resolved(system.folder + "/node"))
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(NodeHolders(of: path).visible.isEmpty)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 9, path, O_RDONLY, 0)
        var child = pid_t()
        let words = ["sleep", "60"]
        let arguments = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        try #require(posix_spawn(&child, "/bin/sleep", &actions, nil, arguments + [nil], nil) == 0)
        defer {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        let holders = NodeHolders(of: path)
        #expect(holders.visible.map(\.process) == [child])
        #expect(holders.visible.first?.user == geteuid())
        #expect(NodeHolders(of: path, leavingOut: [child]).visible.isEmpty)
    }
}
