// The listening socket — bind(2), ip(7), ipv6(7)

import Glibc

extension BoardListener {
    static func listen(on address: BoardAddress) throws(BoardError) -> (socket: Int32, port: UInt16) {
        let family = BoardAddress.isIPv4(address.host) ? AF_INET : AF_INET6
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(family, kind, 0)
        guard socket >= 0 else { throw .system(address) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        guard bind(socket, to: address, family), Glibc.listen(socket, SOMAXCONN) == 0,
            let port = port(of: socket)
        else {
            let error = BoardError.system(address)
            close(socket)
            throw error
        }
        return (socket, port)
    }

    private static func bind(_ socket: Int32, to address: BoardAddress, _ family: Int32) -> Bool {
        if family == AF_INET {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = address.port.bigEndian
            inet_pton(AF_INET, address.host, &name.sin_addr)
            return withBytes(of: &name) { Glibc.bind(socket, $0, $1) } == 0
        }
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = address.port.bigEndian
        inet_pton(AF_INET6, address.host, &name.sin6_addr)
        return withBytes(of: &name) { Glibc.bind(socket, $0, $1) } == 0
    }

    private static func port(of socket: Int32) -> UInt16? {
        // The port is at the same offset in the addresses of both families — ip(7), ipv6(7).
        var name = sockaddr_in6()
        let isFound = withBytes(of: &name) { name, length in
            var length = length
            return getsockname(socket, UnsafeMutablePointer(mutating: name), &length)
        }
        return isFound == 0 ? UInt16(bigEndian: name.sin6_port) : nil
    }

    private static func withBytes<Name>(
        of name: inout Name, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let length = socklen_t(MemoryLayout<Name>.size)
        return withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
        }
    }
}

extension BoardError {
    static func system(_ address: BoardAddress) -> BoardError {
        switch errno {
        case EADDRINUSE: .addressTaken(address)
        case EACCES: .notAllowed(address)
        default: .unusable(address, reason: String(cString: strerror(errno)))
        }
    }
}
