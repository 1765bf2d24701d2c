// The simulator's remote control: a line protocol on a Unix socket — unix(7)

import Glibc
import Synchronization

/// Accepts commands for a virtual reader on a Unix socket, on its own thread.
///
/// Each line is one command and gets a one-line answer, `ok …` or `error …`:
/// `place KIND[:OPTION=VALUE]…[*COUNT]|FILE.nfc` · `remove [UID]` (without a UID: all tags) · `list` → `ok UID…` ·
/// `stats` → `ok NAME=VALUE…` · `reset` (the statistics) · `fault [NAME[=VALUE]]` (without a name: no faults).
public final class ControlSocket: Sendable {
    /// The socket's path.
    public let path: String
    private let thread: ServiceThread

    /// The longest command line, in bytes.
    ///
    /// A client that sends a longer line is disconnected.
    private static let maximumLine = 4096
    /// With these flags, a client that does not read its answers is also disconnected.
    private static let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

    /// Opens the socket (mode 0600) and starts to listen.
    ///
    /// A socket that no process serves any more is replaced.
    /// - Throws: ``VirtualReaderError/noSocket(path:_:)``, ``VirtualReaderError/noThread(_:)``.
    public convenience init(path: String, reader: VirtualReader) throws(VirtualReaderError) {
        let commands = ControlCommands(reader: reader)
        try self.init(path: path) { commands.execute($0) }
    }

    /// Opens the socket for a custom set of commands.
    ///
    /// `execute` receives each line and returns the answer, both without line ends. It runs on the socket's thread.
    /// - Throws: ``VirtualReaderError/noSocket(path:_:)``, ``VirtualReaderError/noThread(_:)``.
    package init(path: String, execute: @escaping @Sendable (String) -> String) throws(VirtualReaderError) {
        let listener = try Self.listen(at: path)
        let wake = try WakePipe()
        thread = try ServiceThread(wake: wake) { Self.serve(listener, wake, execute) }
        self.path = path
    }

    deinit { stop() }

    /// Closes and removes the socket.
    public func stop() {
        if thread.stop() { unlink(path) }
    }

    private static func listen(at path: String) throws(VirtualReaderError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < capacity else { throw .noSocket(path: path, ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .noSocket(path: path, errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
                let length = socklen_t(MemoryLayout<sockaddr_un>.size)
                if bind(descriptor, address, length) == 0 { return 0 }
                guard errno == EADDRINUSE else { return errno }
                // If a simulator crashed, its socket is still there, but refuses connections.
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return EEXIST }
                if connect(descriptor, address, length) == 0 || errno != ECONNREFUSED { return EADDRINUSE }
                unlink(path)
                return bind(descriptor, address, length) == 0 ? 0 : errno
            }
        }
        guard result == 0, chmod(path, 0o600) == 0, Glibc.listen(descriptor, 4) == 0 else {
            let code = result == 0 ? errno : result
            close(descriptor)
            throw .noSocket(path: path, code)
        }
        return descriptor
    }

    private static func serve(_ listener: Int32, _ wake: WakePipe, _ execute: (String) -> String) {
        var clients: [Int32: [UInt8]] = [:]
        defer { for descriptor in clients.keys + [listener] { close(descriptor) } }
        while true {
            let watched = [wake.readEnd, listener] + clients.keys
            var descriptors = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 || errno == EINTR else { return }
            for descriptor in descriptors where descriptor.revents != 0 {
                switch descriptor.fd {
                case wake.readEnd: if !wake.drain() { return }
                case listener:
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { continue }
                    // The private pcscd, which `restart` starts, must not keep the connection open.
                    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                    clients[client] = []
                case let client:
                    if !serve(client, &clients[client, default: []], execute) {
                        close(client)
                        clients[client] = nil
                    }
                }
            }
        }
    }

    /// Executes the complete lines that a client sent, and returns whether to keep the client connected.
    private static func serve(_ client: Int32, _ pending: inout [UInt8], _ execute: (String) -> String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: maximumLine)
        let count = read(client, &buffer, buffer.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        pending += buffer[..<count]
        while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: pending[..<end], as: UTF8.self)
            pending.removeFirst(end + 1)
            let answer = Array((execute(line) + "\n").utf8)
            guard send(client, answer, answer.count, sendFlags) == answer.count else { return false }
        }
        return pending.count <= maximumLine
    }
}

/// The commands of the control socket.
final class ControlCommands: Sendable {
    private let reader: VirtualReader
    /// The identifiers of the placed tags.
    ///
    /// Their serial numbers start high, because ``VirtualReaderSpec`` counts from 1.
    private let identifiers = Mutex(TagIdentifiers(firstSerial: 0x8001))
    static let names = ["place", "remove", "list", "stats", "reset", "fault"]

    init(reader: VirtualReader) { self.reader = reader }

    /// Executes one line, and returns the answer without a line end.
    func execute(_ line: String) -> String {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let argument = words.count > 1 ? words[1] : nil
        do throws(VirtualReaderError) {
            switch (words.first, argument) {
            case ("place", let word?): try place(word)
            case ("remove", nil): reader.field.remove()
            case ("remove", let uid?):
                let bytes = reader.field.identifiers.first { Self.hex($0) == uid.uppercased() }
                guard let bytes, reader.field.remove(identifier: bytes) else { return "error There is no tag \(uid)." }
            case ("list", nil): return (["ok"] + reader.field.identifiers.map(Self.hex)).joined(separator: " ")
            case ("stats", nil): return "ok \(Self.text(reader.statistics))"
            case ("reset", nil): reader.resetStatistics()
            case ("fault", nil): reader.faults = Faults()
            case ("fault", let option?):
                let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
                var faults = reader.faults
                try faults.apply(parts.first ?? "", parts.count == 2 ? parts[1] : "")
                reader.faults = faults
            default: return "error \"\(line)\" is not a command. Commands: \(Self.names.joined(separator: ", "))."
            }
            return "ok"
        } catch {
            return "error \(error)"
        }
    }

    private func place(_ word: String) throws(VirtualReaderError) {
        switch try TagWord(word) {
        case .file(let path): try reader.place(TagFile(path: path))
        case .tags(let kind, let variant, let count):
            for tag in newTags(of: kind, count: count) {
                if let variant { (tag as? VirtualType2Tag)?.deliver(as: variant) }
                reader.field.place(tag)
            }
        }
    }

    /// Creates tags whose identifiers differ from those of all tags on the reader, and of all that were placed before.
    private func newTags(of kind: VirtualTagKind, count: Int) -> [any VirtualTag] {
        identifiers.withLock { identifiers in
            for identifier in reader.field.identifiers { identifiers.note(identifier) }
            return (0..<count).map { _ in identifiers.newTag(of: kind) }
        }
    }

    private static func text(_ statistics: Statistics) -> String {
        let modelled = Int64(statistics.modelledTime / .microseconds(1))
        let line = Int64(statistics.lineTime / .microseconds(1))
        let tags = Int64(statistics.tagTime / .microseconds(1))
        let opening = statistics.opening ?? Statistics.Opening()
        let modelledOpening = Int64(opening.modelledTime / .microseconds(1))
        let lineOpening = Int64(opening.lineTime / .microseconds(1))
        let tagOpening = Int64(opening.tagTime / .microseconds(1))
        return [
            "exchanges=\(statistics.exchanges)", "tagExchanges=\(statistics.tagExchanges)",
            "tagCommands=\(statistics.tagCommands)",
            "rfFrames=\(statistics.rfFrames)", "rfBytesSent=\(statistics.rfBytesSent)",
            "rfBytesReceived=\(statistics.rfBytesReceived)", "framesLost=\(statistics.framesLost)",
            "answersLost=\(statistics.answersLost)", "modelledMicroseconds=\(modelled)",
            "lineMicroseconds=\(line)", "tagMicroseconds=\(tags)", "openingExchanges=\(opening.exchanges)",
            "openingModelledMicroseconds=\(modelledOpening)", "openingLineMicroseconds=\(lineOpening)",
            "openingTagMicroseconds=\(tagOpening)",
        ].joined(separator: " ")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
