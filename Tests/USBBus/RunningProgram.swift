// A program on an emulated USB bus while it runs, and the bus's remote control — Tests/USBLauncher/Control.h

import Foundation
import Glibc

/// A program on an emulated bus.
public final class RunningProgram: @unchecked Sendable {  // `process` is set once, before others have the object.
    /// The process ID of the launcher, which passes signals on to the program.
    public internal(set) var process: Int32 = 0
    private let folder: URL

    init(folder: URL, input: String) throws {
        self.folder = folder
        try Data(input.utf8).write(to: file("input"))
        for name in ["output", "errors"] { try Data().write(to: file(name)) }
    }

    func file(_ name: String) -> URL { folder.appending(path: name) }

    /// The program's output so far.
    public var output: String { text("output") }
    /// The program's output on stderr so far.
    public var errors: String { text("errors") }

    private func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: file(name))) ?? Data(), as: UTF8.self)
    }

    /// Sends the program a signal.
    public func send(_ signal: Int32) { kill(process, signal) }

    /// Plugs a reader in.
    ///
    /// The reader gets a new device number at the same port.
    public func plug(_ reader: Int = 0) throws { try control("plug \(reader)") }

    /// Unplugs a reader.
    public func unplug(_ reader: Int = 0) throws { try control("unplug \(reader)") }

    /// Sets a fault, `NAME[=VALUE]`.
    ///
    /// Counts start now.
    public func fault(_ fault: String, reader: Int = 0) throws { try control("fault \(reader):\(fault)") }

    /// Removes all faults of a reader.
    public func clear(_ reader: Int = 0) throws { try control("clear \(reader)") }

    /// The commands and events of each reader so far.
    public func log() throws -> [USBReaderLog] {
        try JSONDecoder().decode([USBReaderLog].self, from: Data(control("log").utf8))
    }

    /// Waits until a condition holds, and throws if it does not hold in time.
    ///
    /// It checks the condition every few milliseconds.
    public func wait(
        for what: String, within limit: Duration = .seconds(20), _ isSo: () throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try !isSo() {
            guard ContinuousClock.now < end else {
                throw USBBusError.notInTime(what: what, output: output, errors: errors)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Sends a line to the launcher, and returns the text after `ok`.
    @discardableResult
    public func control(_ line: String) throws -> String {
        let answer = try exchange(line)
        guard answer.hasPrefix("ok") else { throw USBBusError.refused(line: line, answer: answer) }
        return String(answer.dropFirst("ok ".count))
    }

    private func exchange(_ line: String) throws -> String {
        let descriptor = try connection()
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array((line + "\n").utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw USBBusError.noControl(errno)
        }
        var answer: [UInt8] = []
        while answer.last != UInt8(ascii: "\n") {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw USBBusError.noControl(errno) }
            answer += buffer[..<count]
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    /// Connects to the launcher, which may not have opened its socket yet.
    private func connection() throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: file("control").path.utf8) }
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let result = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result == 0 { return descriptor }
            let code = errno
            close(descriptor)
            guard ContinuousClock.now < end, kill(process, 0) == 0 else { throw USBBusError.noControl(code) }
            usleep(5000)
        }
    }
}

/// Errors of an emulated bus itself.
public enum USBBusError: Error, Sendable {
    /// The launcher does not answer. The value is `errno`.
    case noControl(Int32)
    /// The launcher refused a command.
    case refused(line: String, answer: String)
    /// The awaited condition did not hold in time.
    case notInTime(what: String, output: String, errors: String)
}
