// A network that fails between clients and the server: lost answers, blocked traffic, broken connections

import Foundation
import Glibc
import Synchronization

/// A socket through which a client reaches the server.
///
/// The relay does not change any bytes. It can lose an answer after the server has carried out the request, carry
/// nothing for a while, be slow, and reset connections.
public final class Relay: Sendable {
    /// How clients connect.
    public enum Transport: Sendable {
        /// A socket like the server's own, in a separate folder.
        case unix
        /// A port of 127.0.0.1, whose connections can be reset.
        case tcp
    }

    /// How the relay treats the bytes that it carries.
    public enum Weather: Hashable, Sendable {
        /// The bytes arrive immediately.
        case clear
        /// No bytes arrive, in either direction.
        ///
        /// Bytes that were sent in the meantime arrive when the network works again.
        case silent
        /// Each piece is delayed by this time.
        case slow(Duration)
    }

    /// The server to which the relay leads.
    public let server: PostgreSQLServer
    /// The folder of the relay's socket, or 127.0.0.1 with TCP.
    public let host: String
    private let port: UInt16?
    private let listener: Int32
    private let conditions = Conditions()

    private final class Conditions: Sendable {
        struct State {
            var weather = Weather.clear
            /// The number of times that all connections were reset.
            var resets = 0
            var isAnswerToBeLost = false
        }
        private let state = Mutex(State())

        var weather: Weather {
            get { state.withLock(\.weather) }
            set { state.withLock { $0.weather = newValue } }
        }
        var resets: Int { state.withLock(\.resets) }
        func reset() { state.withLock { $0.resets += 1 } }
        func orderLoss() { state.withLock { $0.isAnswerToBeLost = true } }
        /// Returns true once after each call of `orderLoss`.
        func takeLoss() -> Bool {
            state.withLock { state in
                defer { state.isAnswerToBeLost = false }
                return state.isAnswerToBeLost
            }
        }
    }

    /// Opens a relay to a server.
    public init(to server: PostgreSQLServer, over transport: Transport = .unix) throws {
        self.server = server
        switch transport {
        case .unix:
            var template = Array("/tmp/nfcrelay-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
            host = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard Self.with(host, { bind(listener, $0, $1) }) == 0 else { throw POSIXError(.EIO) }
            (self.listener, port) = (listener, nil)
        case .tcp:
            host = "127.0.0.1"
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            port = try Self.bindAnyPort(listener)
        }
        guard listen(listener, 128) == 0 else { throw POSIXError(.EIO) }
        Thread.detachNewThread { [listener, conditions, target = server.folder] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { Self.serve(client, to: target, conditions) }
            }
        }
    }

    deinit {
        conditions.weather = .clear
        conditions.reset()
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        if port == nil { try? FileManager.default.removeItem(atPath: host) }
    }

    /// The URI of a database of the server, through this relay.
    public func uri(_ database: String, user: String = "postgres") -> String {
        "postgresql://\(user)@/\(database)?host=\(host)" + (port.map { "&port=\($0)" } ?? "")
    }

    /// Lets the server receive the next request, but loses its answer and ends that connection.
    ///
    /// Later connections work.
    public func loseNextAnswer() { conditions.orderLoss() }

    /// Changes the treatment of bytes from now on.
    public func change(to weather: Weather) { conditions.weather = weather }

    /// Breaks all connections.
    ///
    /// Bytes on their way are lost. Later connections work when the weather is clear.
    public func resetConnections() { conditions.reset() }

    // MARK: A connection

    /// The maximum time until a change of the network is noticed, in milliseconds.
    private static let attention: Int32 = 10

    private static func serve(_ client: Int32, to target: String, _ conditions: Conditions) {
        let resets = conditions.resets
        var upstream: Int32 = -1
        defer {
            // A TCP client receives RST. A Unix socket can only be closed.
            if conditions.resets > resets { abandon(client) }
            close(client)
            if upstream >= 0 { close(upstream) }
        }
        var answer: [UInt8] = []
        var isLost = false
        while conditions.resets == resets {
            let weather = conditions.weather
            if weather == .silent {
                poll(nil, 0, attention)
                continue
            }
            if upstream < 0 {
                upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                guard Self.with(target, { connect(upstream, $0, $1) }) == 0 else { return }
            }
            var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&ends, 2, attention) >= 0 else { return }
            guard ends.contains(where: { $0.revents != 0 }), conditions.weather != .silent else { continue }
            if case .slow(let delay) = weather { poll(nil, 0, Int32(delay / .milliseconds(1))) }
            if ends[0].revents != 0 {
                if conditions.takeLoss() { isLost = true }
                guard pass(client, upstream) != nil else { return }
            }
            guard ends[1].revents != 0 else { continue }
            guard isLost else {
                guard pass(upstream, client) != nil else { return }
                continue
            }
            guard let bytes = pass(upstream, nil) else { return }
            answer += bytes
            // ReadyForQuery, idle: the request was carried out, and committed — PostgreSQL, 55.7 Message Formats.
            if answer.suffix(6).elementsEqual([0x5A, 0, 0, 0, 5, 0x49]) { return }
        }
    }

    /// Makes `close` reset the connection — socket(7), SO_LINGER.
    private static func abandon(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Receives bytes, passes them to `to` if it is given, and returns them.
    ///
    /// Nil at the end.
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
        // The port that libpq uses by default.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/.s.PGSQL.5432").utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    private static func bindAnyPort(_ listener: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return UInt16(bigEndian: address.sin_port)
    }
}
