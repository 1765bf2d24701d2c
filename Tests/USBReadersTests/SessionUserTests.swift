// The user, the user's groups, and whether the user sits at this machine

import Testing
@testable import USBReaders

struct SessionUserTests {
    @Test("a group that is in /etc/group but not in the session is reported")
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

    @Test("on this machine, the user is the one that the kernel reports")
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

    @Test("the user with the active session of a seat is at this machine; others, for example over SSH, are not")
    func seats() throws {
        let system = try SystemCopy()
        #expect(try !user(system).isAtSeat)
        try system.file("/run/systemd/seats/seat0", "IS_SEAT0=1\nACTIVE=c2\nACTIVE_UID=10001\nSESSIONS=c2 3\n")
        #expect(try !user(system).isAtSeat)
        try system.file("/run/systemd/seats/seat0", "IS_SEAT0=1\nACTIVE=2\nACTIVE_UID=1000\nSESSIONS=2\n")
        #expect(try user(system).isAtSeat)
    }
}
