// A program that opens a connection to a board

import Foundation
import Glibc
import Testing

/// A client that sends and receives bytes under a test's control.
final class BoardClient: Sendable {
    let socket: Int32

    init(_ port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
        let size = socklen_t(MemoryLayout.size(ofValue: name))
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        try #require(socket >= 0 && result == 0, "\(String(cString: strerror(errno)))")
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout.size(ofValue: patience)))
        }
    }

    deinit { close(socket) }

    /// Sends text, and returns false if the other side has ended the connection.
    @discardableResult func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Returns the bytes received until a string has arrived, or until the end.
    func read(until end: String? = nil) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65536)
        while end.map({ !text.contains($0) }) ?? true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }
}
