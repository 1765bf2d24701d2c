// A reader in a separate process, so that neither an `abort()` nor a hang in libnfc affects this process

@preconcurrency import Glibc
package import ReaderInterface
import Synchronization

// Unchecked: mutable state is only used on the owner's queue.
/// A reader whose driver runs in a child process.
///
/// Each call has a deadline of about two seconds in addition to its own time-out, and a process that exceeds it is
/// killed. The process also ends if a chip's reply makes libnfc call `abort()`. In both cases, this call and all later
/// ones throw ``ReaderInterface/ReaderError/readerFailed(operation:reason:code:fault:)``, and a new reader must be
/// opened.
///
/// All calls except ``abort()`` must be made one at a time, on the owner's queue.
package final class IsolatedReader: SignallingReader, @unchecked Sendable {
    /// The connection string of the open reader.
    ///
    /// Empty before ``open(_:)``.
    package private(set) var connection = ""
    /// The chip that the reader reported.
    ///
    /// Nil before ``open(_:)``, or if the reader did not report it.
    package private(set) var chip: String?
    /// The technologies that the reader supports.
    ///
    /// Empty before ``open(_:)``.
    package private(set) var technologies: Set<Technology> = []
    let process: ReaderProcess
    private let isClosed = Mutex(false)
    private weak var current: IsolatedChannel?

    /// Whether the process has ended or is being ended, so that all later calls fail.
    package var isEnded: Bool { process.isEnded }

    /// Starts a process for a reader.
    /// - Throws: ``ReaderInterface/ReaderError/readerFailed(operation:reason:code:fault:)``.
    package init(_ program: ReaderProgram) throws(ReaderError) {
        process = try ReaderProcess(program)
    }

    /// Starts a process for a reader.
    ///
    /// The program's version is checked, because it may differ from that of this process.
    ///
    /// - Parameters:
    ///   - program: the program to start. It may be a different program with the expected name.
    ///   - version: the required version.
    /// - Throws: ``ReaderInterface/ReaderError/readerFailed(operation:reason:code:fault:)`` if the program does not run
    ///   or has another version.
    package convenience init(
        _ program: ReaderProgram, ifVersion version: String = ReaderProtocol.version
    ) throws(ReaderError) {
        try self.init(program)
        guard case .version(version) = try process.reply(to: .version, during: "starting") else {
            throw .readerFailed(operation: "starting", reason: "its program has another version", code: EPROTO)
        }
    }

    package func connections() throws(ReaderError) -> [String] { try Self.connections(process) }

    /// Returns the readers of the smart-card daemon pcscd, which this call may start.
    package func smartCardReaders() throws(ReaderError) -> [ListedReader] {
        process.library = "PC/SC"
        guard case .listed(let found) = try process.reply(to: .listSmartCardReaders, during: ReaderError.search)
        else {
            throw nonsense(ReaderError.search)
        }
        return found
    }

    /// Returns the names of pcscd's readers when they differ from the known ones, or after the given time.
    package func smartCardReaderNames(
        unlike known: [String]?, within time: Duration
    ) throws(ReaderError) -> [String] {
        process.library = "PC/SC"
        let operation = ReaderError.search
        let request = ReaderRequest.watchSmartCardReaders(known, timeout: time)
        guard case .connections(let names) = try process.reply(to: request, during: operation) else {
            throw nonsense(operation)
        }
        return names
    }

    /// Opens the reader.
    ///
    /// Call this once, before all other calls.
    ///
    /// - Parameters:
    ///   - connection: a connection string, or nil for the first reader that libnfc finds.
    ///   - library: the name of the library that drives the reader, for errors.
    /// - Throws: the error from opening; ``ReaderInterface/ReaderError/noReader(connection:)`` if there is no reader.
    package func open(_ connection: String?, by library: String = "libnfc") throws(ReaderError) {
        process.library = library
        var connection = connection
        if connection == nil { connection = try Self.connections(process).first }
        guard let connection else { throw .noReader(connection: nil) }
        let reply = try process.reply(to: .open(connection: connection), during: "opening")
        guard case .opened(let open, let chip, let technologies) = reply else { throw nonsense("opening") }
        self.connection = open
        self.chip = chip
        self.technologies = Set(technologies)
    }

    private static func connections(_ process: ReaderProcess) throws(ReaderError) -> [String] {
        guard case .connections(let found) = try process.reply(to: .list, during: ReaderError.search) else {
            return []
        }
        return found
    }

    package func poll(
        for technologies: [Technology], settled: Set<[UInt8]>?
    ) throws(ReaderError) -> FoundTargets {
        current = nil
        let reply = try reply(to: .poll(technologies, settled: settled), during: "polling")
        guard case .targets(let found) = reply else { throw nonsense("polling") }
        return found
    }

    package func connect(to target: Target) throws(ReaderError) -> any TagChannel {
        try channel(to: target, by: .connect(target))
    }

    package func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        try channel(to: target, by: .powerUp(target))
    }

    package func presence(of channel: any TagChannel) throws(ReaderError) -> Presence {
        guard let current, current === channel else { return .absent }
        guard case .presence(let presence) = try reply(to: .presence, during: "checking presence") else {
            throw nonsense("checking presence")
        }
        return presence
    }

    package func signal(_ signal: Signal) -> Bool {
        if case .shown(let isShown)? = try? reply(to: .signal(signal), during: "signalling") { isShown } else { false }
    }

    package func abort() { process.abort() }

    package func close() {
        guard
            isClosed.withLock({ isClosed in
                defer { isClosed = true }
                return !isClosed
            })
        else { return }
        current = nil
        _ = try? process.reply(to: .close, during: "closing")
    }

    private func channel(to target: Target, by request: ReaderRequest) throws(ReaderError) -> IsolatedChannel {
        let operation = "selecting"
        current = nil
        guard case .channel(let limits) = try reply(to: request, during: operation) else { throw nonsense(operation) }
        let channel = IsolatedChannel(target: target, reader: self, limits: limits)
        current = channel
        return channel
    }

    func isCurrent(_ channel: IsolatedChannel) -> Bool { current === channel }

    func reply(to request: ReaderRequest, during operation: String) throws(ReaderError) -> ReaderReply {
        guard !isClosed.withLock({ $0 }) else {
            throw .readerFailed(operation: operation, reason: "it was closed", code: 0)
        }
        return try process.reply(to: request, during: operation)
    }

    func nonsense(_ operation: String) -> ReaderError {
        .readerFailed(operation: operation, reason: "its process answered a different request", code: 0)
    }
}
