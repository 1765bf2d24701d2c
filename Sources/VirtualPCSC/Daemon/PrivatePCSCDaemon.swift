// The real pcscd, for one program and its virtual readers — pcscd(8)

import Glibc
import Synchronization

/// A pcscd of this program's own, with virtual readers and no others.
///
/// It needs neither root nor a namespace, and does not touch the machine's own pcscd. Programs find it by
/// ``socketPath``, in the environment variable PCSCLITE_CSOCK_NAME; clients in this process by ``serveThisProcess()``:
///
/// ```swift
/// let reader = VirtualPCSCReader(model: .acr1552u)
/// let daemon = try PrivatePCSCDaemon(readers: [reader])
/// daemon.serveThisProcess()
/// reader.place(VirtualISO15693Tag(chip: .icodeSLIX2))
/// ```
///
/// With the program's end, also a crash, daemon, sockets and files are gone.
package final class PrivatePCSCDaemon: Sendable {
    /// Where clients connect.
    package let socketPath: String
    /// Most readers of one daemon, slots for SAMs included: PCSCLITE_MAX_READERS_CONTEXTS.
    package static let maximumReaders = 16

    private let directory: PrivateDirectory
    private let handler: String
    private let log: String?
    private let ports: [ReaderPort]
    private let process: Mutex<DaemonProcess?>

    /// Whether pcscd and the driver are there, so that a daemon can be started.
    package static var isAvailable: Bool { DaemonProcess.program != nil && (try? findHandler()) != nil }

    /// Starts a daemon that has these readers.
    ///
    /// - Parameters:
    ///   - readers: each in one daemon at a time.
    ///   - log: a file to which the daemon appends all it does; nil for none.
    /// - Throws: `tooManyReaders`, which counts interfaces; `noHandler` when the driver is not found; `notInstalled`
    ///   without pcscd; `system` with the call that failed.
    package init(readers: [VirtualPCSCReader], log: String? = nil) throws(PCSCDaemonError) {
        guard readers.reduce(0, { $0 + $1.model.interfaces.count }) <= Self.maximumReaders else {
            throw .tooManyReaders(limit: Self.maximumReaders)
        }
        handler = try Self.findHandler()
        self.log = log
        directory = try PrivateDirectory(handler: handler, models: readers.map(\.model))
        socketPath = directory.socket
        let numbers = DeviceNumbers()
        ports = readers.map { [directory] in ReaderPort($0, in: directory, numbers) }
        do throws(PCSCDaemonError) {
            for port in ports { try port.plug() }
            process = Mutex(try DaemonProcess(in: directory, handler: handler, log: log))
        } catch {
            for port in ports { port.close() }
            directory.remove()
            throw error
        }
    }

    deinit { stop() }

    /// Lets new contexts of clients in this process reach this daemon, and no other.
    ///
    /// libpcsclite reads PCSCLITE_CSOCK_NAME once in a process. So the variable names a link, which each call points to
    /// another daemon.
    package func serveThisProcess() {
        unlink(Self.link)
        symlink(socketPath, Self.link)
        setenv("PCSCLITE_CSOCK_NAME", Self.link, 1)
    }

    /// Beside the daemons' directories; the last daemon of a process that crashes removes it.
    static let link = "/tmp/nfctool-pcscd-\(getpid()).comm"

    /// Ends the daemon as a crash does; clients are cut off, and find no daemon until ``restart()``.
    package func kill() {
        process.withLock { process in
            process?.kill()
            process = nil
            unlink(socketPath)
        }
    }

    /// Starts the daemon again, after killing it if it runs; its readers and their tags are as they were.
    package func restart() throws(PCSCDaemonError) {
        kill()
        let started = try DaemonProcess(in: directory, handler: handler, log: log)
        process.withLock { $0 = started }
    }

    /// Ends the daemon, and returns when it has ended and its files are gone.
    package func stop() {
        for port in ports { port.close() }
        process.withLock { process in
            process?.end()
            process = nil
        }
        if PrivateDirectory.target(of: Self.link) == socketPath { unlink(Self.link) }
        directory.remove()
    }

    /// Beside the program, where SwiftPM puts it too, or `../lib/nfctool`.
    private static func findHandler() throws(PCSCDaemonError) -> String {
        let program = PrivateDirectory.target(of: "/proc/self/exe") ?? ""
        let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
        let places = ["\(folder)", "\(folder)/../lib/nfctool"]
        guard let place = places.first(where: { access("\($0)/libnfctool-ifd.so", R_OK) == 0 }) else {
            throw .noHandler(searched: places)
        }
        return "\(place)/libnfctool-ifd.so"
    }
}
