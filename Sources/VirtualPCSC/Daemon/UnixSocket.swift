// Unix domain sockets that have paths — unix(7)

import Glibc

/// Socket calls that are complicated in Swift.
enum UnixSocket {
    /// Returns a socket that listens at a path.
    ///
    /// The path must not exist.
    static func listen(at path: String, backlog: Int32 = 8) throws(PCSCDaemonError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("Making a socket", errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            close(descriptor)
            throw .system("Listening at \(path)", ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw .system("Listening at \(path)", code)
        }
        return descriptor
    }

    /// Receives exactly `count` bytes, or returns nil if the connection ends before.
    static func receive(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let result = recv(descriptor, &buffer, buffer.count, 0)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            bytes += buffer[..<result]
        }
        return bytes
    }

    /// Sends all bytes, or returns false if the connection ends before.
    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let result = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return false }
            rest = rest.dropFirst(result)
        }
        return true
    }
}
