// The process that serves a pseudo-terminal

import Glibc
import Testing

@testable import USBReaders

struct PseudoTerminalTests {
    @Test("only /dev/pts/NUMBER is a pseudo-terminal")
    func paths() {
        #expect(PseudoTerminal(path: "/dev/pts/12")?.number == 12)
        for path in ["/dev/pts/ptmx", "/dev/pts/", "/dev/pts/-1", "/dev/ttyUSB0", "/dev/pts/99999999999"] {
            #expect(PseudoTerminal(path: path) == nil, "\(path)")
        }
    }

    @Test("a process serves a pseudo-terminal as long as it has the other end open")
    func served() throws {
        var (master, port): (CInt, CInt) = (-1, -1)
        try #require(openpty(&master, &port, nil, nil, nil) == 0)
        defer { close(port) }
        let path = try #require(ttyname(port).map { String(cString: $0) })
        let terminal = try #require(PseudoTerminal(path: path))
        #expect(terminal.isServed(by: getpid()) && !terminal.isServed(by: 1) && !terminal.isServed(by: 1 << 30))
        close(master)
        #expect(!terminal.isServed(by: getpid()))
    }

    @Test("the other end of another pseudo-terminal does not count")
    func others() throws {
        let system = try SystemCopy()
        try system.process(11, "emulator", open: ["/dev/null", "/dev/ptmx", "/dev/pts/ptmx"])
        try system.file("/proc/11/fdinfo/1", "pos:\t0\nflags:\t02\ntty-index:\t3\n")
        try system.file("/proc/11/fdinfo/2", "pos:\t0\nflags:\t02\n")
        for number in 0...4 {
            #expect(PseudoTerminal(path: "/dev/pts/\(number)")?.isServed(by: 11, root: system.root) == (number == 3))
        }
    }
}
