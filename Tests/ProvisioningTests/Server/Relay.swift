// A socket between a client and the server: it can lose an answer, after the server has done what it was asked for

import Foundation
import Glibc
import PostgreSQLServer
import Synchronization

/// A socket like the server's own, in a folder of its own.
final class Relay: Sendable {
    let server: PostgreSQLServer
    let folder: String
    private let listener: Int32
    private let loss = Loss()

    /// Whether an answer is to be lost.
    private final class Loss: Sendable {
        private let isWanted = Mutex(false)
        func order() { isWanted.withLock { $0 = true } }
        /// True once.
        func take() -> Bool {
            isWanted.withLock { isWanted in
                defer { isWanted = false }
                return isWanted
            }
        }
    }

    init(to server: PostgreSQLServer) throws {
        self.server = server
        var template = Array("/tmp/nfcrelay-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.with(folder, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0 else {
            throw POSIXError(.EIO)
        }
        Thread.detachNewThread { [listener, loss, target = server.folder] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                _ = Self.with(target) { connect(upstream, $0, $1) }
                Thread.detachNewThread { Self.serve(client, upstream, loss) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// From now on the server is asked, and its answer goes nowhere: then the connection ends, and later ones work.
    func loseNextAnswer() { loss.order() }

    private static func serve(_ client: Int32, _ upstream: Int32, _ loss: Loss) {
        defer {
            close(client)
            close(upstream)
        }
        var answer: [UInt8] = []
        var isLost = false
        while true {
            var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&ends, 2, -1) > 0 else { return }
            if ends[0].revents != 0 {
                if loss.take() { isLost = true }
                guard pass(client, upstream) != nil else { return }
            }
            guard ends[1].revents != 0 else { continue }
            guard isLost else {
                guard pass(upstream, client) != nil else { return }
                continue
            }
            guard let bytes = pass(upstream, nil) else { return }
            answer += bytes
            // ReadyForQuery, idle: what was asked for is done, and committed — PostgreSQL, 55.7 Message Formats.
            if answer.suffix(6).elementsEqual([0x5A, 0, 0, 0, 5, 0x49]) { return }
        }
    }

    /// What came; nil at the end.
    private static func pass(_ from: Int32, _ to: Int32?) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return nil }
        var sent = 0
        while let to, sent < count {
            let written = buffer.withUnsafeBytes {
                send(to, $0.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
            }
            guard written > 0 else { return nil }
            sent += written
        }
        return Array(buffer[..<count])
    }

    private static func with(_ folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The port that libpq knows by itself.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/.s.PGSQL.5432").utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
