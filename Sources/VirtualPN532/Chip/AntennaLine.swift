// The socket between two coupled antennas — unix(7), abstract names and SOCK_SEQPACKET

import Glibc

/// One end of a connection that can be closed and opened again.
///
/// Only one thread may use it.
///
/// Both ends work the same way: the first one binds the name and waits, and the second one connects. The name is an
/// abstract socket name: the kernel gives it to only one process at a time, and frees it when that process ends for any
/// reason.
final class AntennaLine {
    enum Reception {
        case packet([UInt8])
        case nothing
        case gone
    }

    /// The abstract socket name; nil for an end from ``pair()``, which never reconnects.
    private let address: [UInt8]?
    private var listener: Int32 = -1
    private var link: Int32
    private var isClosed = false

    static let nameLength = 1...64
    private static let prefix = "nfctool-antenna-"
    /// The number of ends that can wait for a connection.
    ///
    /// If two ends are connected, any further end waits until one of them closes the connection.
    private static let backlog: Int32 = 4
    /// The maximum number of attempts to bind the name or to connect.
    ///
    /// An attempt fails only if the holder of the name ends at that moment.
    private static let attempts = 4
    private static let type =
        Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    init(name: String) {
        address = Array("\(Self.prefix)\(getuid())-\(name)".utf8)
        link = -1
    }

    private init(link: Int32) { (address, self.link) = (nil, link) }

    static func pair() throws(VirtualReaderError) -> (AntennaLine, AntennaLine) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .noAntenna(errno) }
        return (AntennaLine(link: ends[0]), AntennaLine(link: ends[1]))
    }

    deinit { close() }

    /// The descriptor that becomes readable when there is something to do; −1 if there is none.
    var descriptor: Int32 { link >= 0 ? link : listener }
    /// Whether this end neither holds the name nor is connected, and must try again.
    var isAdrift: Bool { descriptor < 0 && address != nil && !isClosed }

    func close() {
        isClosed = true
        drop()
        if listener >= 0 { Glibc.close(listener) }
        listener = -1
    }

    /// Connects if that is possible now, and returns whether a connection was made.
    func connect() -> Bool {
        guard link < 0, !isClosed, let address else { return false }
        if listener >= 0 {
            link = accept(listener, nil, nil)
            guard link >= 0 else { return false }
            guard Self.isOurs(link) else {
                drop()
                return false
            }
            _ = fcntl(link, F_SETFD, FD_CLOEXEC)
            _ = fcntl(link, F_SETFL, O_NONBLOCK)
            return true
        }
        for _ in 0..<Self.attempts {
            let descriptor = socket(AF_UNIX, Self.type, 0)
            guard descriptor >= 0 else { return false }
            if Self.with(address, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, Self.backlog) == 0 {
                listener = descriptor
                return false
            }
            if Self.with(address, { Glibc.connect(descriptor, $0, $1) }) == 0, Self.isOurs(descriptor) {
                link = descriptor
                return true
            }
            Glibc.close(descriptor)
        }
        return false
    }

    /// Sends a packet.
    ///
    /// If that fails, shuts the connection down.
    func send(_ packet: [UInt8]) {
        guard link >= 0 else { return }
        if Glibc.send(link, packet, packet.count, Int32(MSG_NOSIGNAL)) != packet.count {
            // Packets that the other end has already sent can still be read.
            shutdown(link, Int32(SHUT_RDWR))
        }
    }

    /// Returns the next packet, or the reason why there is none.
    func receive() -> Reception {
        guard link >= 0 else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: AntennaSignal.maximumLength)
        let count = recv(link, &buffer, buffer.count, 0)
        if count > 0 { return .packet(Array(buffer[..<count])) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        drop()
        return .gone
    }

    /// Whether a process of the same user is at the other end.
    ///
    /// Any user may bind or connect to an abstract name.
    private static func isOurs(_ link: Int32) -> Bool {
        // struct ucred, which the Glibc module does not export: process, user, group.
        var peer: [UInt32] = [0, 0, 0]
        var length = socklen_t(peer.count * MemoryLayout<UInt32>.size)
        return getsockopt(link, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer[1] == getuid()
    }

    private func drop() {
        if link >= 0 { Glibc.close(link) }
        link = -1
    }

    private static func with(_ name: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract name starts with a zero byte and is delimited only by its length.
        let path = [0] + name.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
