// A private instance of the real pcscd for one program and its virtual readers — pcscd(8)

import Glibc
import Synchronization

/// A private pcscd for this program, with only virtual readers.
///
/// This daemon needs neither root nor a namespace, and does not affect the machine's own pcscd. Other programs find it
/// if their environment variable PCSCLITE_CSOCK_NAME contains ``socketPath``. Clients in this process find it after
/// ``serveThisProcess()``:
///
/// ```swift
/// let reader = VirtualPCSCReader(model: .acr1552u)
/// let daemon = try PrivatePCSCDaemon(readers: [reader])
/// daemon.serveThisProcess()
/// reader.place(VirtualISO15693Tag(chip: .icodeSLIX2))
/// ```
///
/// When the program ends, even by a crash, the daemon, its sockets and its files are removed.
package final class PrivatePCSCDaemon: Sendable {
    /// The path of the socket to which clients connect.
    package let socketPath: String
    /// The maximum number of readers for one daemon, including slots for SAMs: PCSCLITE_MAX_READERS_CONTEXTS.
    private static let maximumReaders = 16

    private let directory: PrivateDirectory
    private let handler: String
    private let log: String?
    private let ports: [ReaderPort]
    private let process: Mutex<DaemonProcess?>

    /// Whether pcscd and the driver are installed, so that a daemon can be started.
    package static var isAvailable: Bool { DaemonProcess.program != nil && (try? findHandler()) != nil }

    /// Starts a daemon with these readers.
    ///
    /// - Parameters:
    ///   - readers: the readers. Each one can belong to only one daemon at a time.
    ///   - log: a file to which the daemon appends its log; nil for no log.
    /// - Throws: `tooManyReaders` if the readers have too many interfaces; `noHandler` if the driver is not found;
    ///   `notInstalled` if there is no pcscd; `system` with the call that failed.
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

    /// Makes this process's clients connect to this daemon from now on.
    ///
    /// libpcsclite reads PCSCLITE_CSOCK_NAME once per process. Therefore the variable contains the path of a link, and
    /// each call makes the link point to the daemon on which it is called. Existing contexts stay connected to their
    /// daemons.
    package func serveThisProcess() {
        unlink(Self.link)
        symlink(socketPath, Self.link)
        setenv("PCSCLITE_CSOCK_NAME", Self.link, 1)
    }

    /// The path of the link, next to the daemons' directories.
    ///
    /// If a process crashes, its last daemon removes the link.
    static let link = "/tmp/nfctool-pcscd-\(getpid()).comm"

    /// Ends the daemon as if it had crashed.
    ///
    /// Clients are disconnected, and find no daemon until ``restart()``.
    package func kill() {
        process.withLock { process in
            process?.kill()
            process = nil
            unlink(socketPath)
        }
    }

    /// Starts the daemon again.
    ///
    /// If the daemon is still running, kills it first.
    ///
    /// The readers and their tags do not change.
    package func restart() throws(PCSCDaemonError) {
        kill()
        let started = try DaemonProcess(in: directory, handler: handler, log: log)
        process.withLock { $0 = started }
    }

    /// Ends the daemon, and returns after it has ended and its files have been removed.
    package func stop() {
        for port in ports { port.close() }
        process.withLock { process in
            process?.end()
            process = nil
        }
        if PrivateDirectory.target(of: Self.link) == socketPath { unlink(Self.link) }
        directory.remove()
    }

    /// Returns the path of the driver.
    ///
    /// The driver is next to the program, where SwiftPM builds it, or in `../lib/nfctool`.
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
