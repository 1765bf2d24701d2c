// The socket between two coupled antennas — unix(7), abstract names and SOCK_SEQPACKET

import Glibc

/// One end of a connection that may come, go and come again; confined to one thread.
///
/// Both ends do the same: who comes first takes the name and waits, who comes second connects. The name is an abstract one:
/// the kernel lets only one have it, and takes it back when its holder ends, however it ends.
final class AntennaLine {
    /// What ``receive()`` found.
    enum Reception {
        case packet([UInt8])
        case nothing
        /// The other end has gone.
        case gone
    }

    /// Nil of a pair, whose connection does not come again.
    private let address: [UInt8]?
    private var listener: Int32 = -1
    private var link: Int32
    private var isClosed = false

    /// Bytes of a name.
    static let nameLength = 1...64
    private static let prefix = "nfctool-antenna-"
    /// Others than the first two wait until one of these has gone.
    private static let backlog: Int32 = 4
    /// Attempts to have the name or to reach who has it; one of these fails only when that one ends in between.
    private static let attempts = 4
    private static let type =
        Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    /// An end of the line with this name.
    init(name: String) {
        address = Array("\(Self.prefix)\(getuid())-\(name)".utf8)
        link = -1
    }

    private init(link: Int32) { (address, self.link) = (nil, link) }

    /// Both ends of a line without a name.
    static func pair() throws(VirtualReaderError) -> (AntennaLine, AntennaLine) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .noAntenna(errno) }
        return (AntennaLine(link: ends[0]), AntennaLine(link: ends[1]))
    }

    deinit { close() }

    /// What becomes readable when there is something to do; −1 when nothing will.
    var descriptor: Int32 { link >= 0 ? link : listener }
    /// Whether the name is neither ours nor another's who has room: to be tried again.
    var isAdrift: Bool { descriptor < 0 && address != nil && !isClosed }

    /// Ends the connection, and the claim to the name.
    func close() {
        isClosed = true
        drop()
        if listener >= 0 { Glibc.close(listener) }
        listener = -1
    }

    /// Makes the connection if it can be made now; true when it has come up.
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

    /// Sends a packet; an end that does not take what is sent is left.
    func send(_ packet: [UInt8]) {
        guard link >= 0 else { return }
        if Glibc.send(link, packet, packet.count, Int32(MSG_NOSIGNAL)) != packet.count {
            // Reading goes on until the end of what the other one sent.
            shutdown(link, Int32(SHUT_RDWR))
        }
    }

    /// The next packet.
    func receive() -> Reception {
        guard link >= 0 else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: AntennaSignal.maximumLength)
        let count = recv(link, &buffer, buffer.count, 0)
        if count > 0 { return .packet(Array(buffer[..<count])) }
        if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
        drop()
        return .gone
    }

    /// Whether a process of the same user is at the other end: abstract names have no owner, anybody may take or call them.
    private static func isOurs(_ link: Int32) -> Bool {
        // struct ucred, which Glibc's module does not show: process, user, group.
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
        // An abstract name begins with a zero byte, and has no end but its length.
        let path = [0] + name.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
