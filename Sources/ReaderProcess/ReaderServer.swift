// The process that holds the reader. It serves requests on its standard input, and ends when that is closed

package import Dispatch
@preconcurrency import Glibc
package import ReaderInterface
import Synchronization

/// Serves one reader to the parent process.
///
/// Requests run one after the other on the reader's queue. The thread that receives them starts them. A second thread
/// can receive an abort while a request runs. When the parent process ends, for whatever reason, the reader is closed
/// in an orderly way, so that the next process can use it.
package final class ReaderServer: @unchecked Sendable {  // `current` is only used on `queue`
    package struct Source: Sendable {
        let connections: @Sendable () -> [String]
        let smartCardReaders: @Sendable () throws(ReaderError) -> [ListedReader]
        let smartCardReaderNames: @Sendable ([String]?, Duration) throws(ReaderError) -> [String]
        let open: @Sendable (_ connection: String, _ queue: DispatchQueue) throws(ReaderError) -> any Reader

        /// - Parameters:
        ///   - connections: finds the available readers.
        ///   - smartCardReaders: asks the smart-card daemon for its readers.
        ///   - smartCardReaderNames: returns the names of pcscd's readers when they differ from the given ones, or when
        ///     the time has passed.
        ///   - open: opens a reader on the queue that will own it.
        package init(
            connections: @escaping @Sendable () -> [String],
            smartCardReaders: @escaping @Sendable () throws(ReaderError) -> [ListedReader] = { () throws(ReaderError) in
                []
            },
            smartCardReaderNames: @escaping @Sendable ([String]?, Duration) throws(ReaderError) -> [String] = {
                (_, _) throws(ReaderError) in []
            },
            open: @escaping @Sendable (_ connection: String, _ queue: DispatchQueue) throws(ReaderError) -> any Reader
        ) {
            self.connections = connections
            self.smartCardReaders = smartCardReaders
            self.smartCardReaderNames = smartCardReaderNames
            self.open = open
        }
    }

    private let source: Source
    private let socket = MessageSocket(STDIN_FILENO)
    private let queue = DispatchQueue(label: "ReaderProcess.reader")
    private let secondListener = DispatchQueue(label: "ReaderProcess.listener")
    private let state = Mutex(State())
    private var current: (any TagChannel)?

    private struct State {
        var reader: (any Reader)?
        var isAborted = false
    }

    package init(_ source: Source) {
        self.source = source
        closeInheritedDescriptors()
        // libnfc may abort this process. Do not leave a core file in that case.
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    /// Closes inherited descriptors.
    ///
    /// A pseudo-terminal that this process kept open would never hang up.
    private func closeInheritedDescriptors() {
        guard let folder = opendir("/proc/self/fd") else { return }
        var descriptors: [CInt] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let descriptor = CInt(name), descriptor > STDERR_FILENO { descriptors.append(descriptor) }
        }
        let own = dirfd(folder)
        for descriptor in descriptors where descriptor != own { close(descriptor) }
        closedir(folder)
    }

    /// Serves requests until the other end closes the socket, and ends this process.
    package func run() -> Never {
        secondListener.async { self.listen() }
        listen()
    }

    private func listen() -> Never {
        while case .message(let message) = socket.receive(within: nil) {
            guard let request = try? ReaderRequest(decoding: message) else { break }
            if request == .abort {
                abort()
            } else {
                queue.sync { carryOut(request) }
            }
        }
        leave()
    }

    /// Closes the reader, unless its driver is stuck, and ends this process.
    private func leave() -> Never {
        abort()
        let isClosed = DispatchSemaphore(value: 0)
        queue.async {
            self.state.withLock { $0.reader }?.close()
            isClosed.signal()
        }
        _exit(isClosed.wait(timeout: .now() + .milliseconds(900)) == .success ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private func abort() {
        let reader = state.withLock { state in
            state.isAborted = true
            return state.reader
        }
        reader?.abort()
    }

    private func carryOut(_ request: ReaderRequest) {
        let reply: ReaderReply
        do throws(ReaderError) {
            reply = try answer(to: request)
        } catch {
            reply = .failed(error)
        }
        // If the other process no longer listens, it has ended, and `run` notices this.
        _ = socket.send(reply.encoded)
    }

    private func answer(to request: ReaderRequest) throws(ReaderError) -> ReaderReply {
        switch request {
        case .version: return .version(ReaderProtocol.version)
        case .list: return .connections(source.connections())
        case .listSmartCardReaders: return .listed(try source.smartCardReaders())
        case .watchSmartCardReaders(let known, let timeout):
            return .connections(try source.smartCardReaderNames(known, timeout))
        case .open(let connection):
            let reader = try source.open(connection, queue)
            let isAborted = state.withLock { state in
                state.reader = reader
                return state.isAborted
            }
            if isAborted { reader.abort() }
            return .opened(
                connection: reader.connection, chip: reader.chip,
                technologies: Technology.allCases.filter(reader.technologies.contains))
        case .poll(let technologies, let settled):
            drop()
            return .targets(try reader.poll(for: technologies, settled: settled))
        case .connect(let target):
            drop()
            return keep(try reader.connect(to: target))
        case .powerUp(let target):
            drop()
            return keep(try reader.powerUp(target))
        case .presence:
            guard let current else { return .presence(.absent) }
            return .presence(try reader.presence(of: current))
        case .transceive(let command, let framing, let timeout):
            return .bytes(try channel.transceive(command, framing: framing, timeout: timeout))
        case .exchangeFrame(let command, let timeout):
            switch try channel.exchangeFrame(command, timeout: timeout) {
            case .bytes(let bytes): return .bytes(bytes)
            case .nibble(let nibble): return .nibble(nibble)
            }
        case .exchangeShortFrame(let code, let timeout):
            switch try channel.exchangeShortFrame(code, timeout: timeout) {
            case .bytes(let bytes): return .bytes(bytes)
            case .nibble(let nibble): return .nibble(nibble)
            }
        case .carries(let command, let framing):
            return .carried(try channel.carries(command, framing: framing))
        case .hidesRefusal(let command): return .carried(try channel.hidesRefusal(of: command))
        case .reselect:
            try channel.reselect()
            return .done
        case .signal(let signal):
            return .shown((try reader as? any SignallingReader)?.signal(signal) ?? false)
        case .requireListening:
            try listener.requireListening()
            return .done
        case .listen(let target, let timeout):
            drop()
            return .activated(try listener.listen(as: target, timeout: timeout))
        case .receiveCommand(let timeout):
            return try listener.receiveCommand(timeout: timeout).map { .bytes($0) } ?? .silence
        case .sendResponse(let response):
            try listener.sendResponse(response)
            return .done
        case .close:
            drop()
            try reader.close()
            return .done
        case .abort:
            return .done
        }
    }

    private var reader: any Reader {
        get throws(ReaderError) {
            guard let reader = state.withLock({ $0.reader }) else { throw .noReader(connection: nil) }
            return reader
        }
    }

    private var listener: any ListeningReader {
        get throws(ReaderError) {
            let reader = try reader
            guard let listener = reader as? any ListeningReader else {
                throw .cannotListen(connection: reader.connection, reason: "its driver does not support this")
            }
            return listener
        }
    }

    private var channel: any TagChannel {
        get throws(ReaderError) {
            guard let current else { throw .tagLost }
            return current
        }
    }

    private func drop() { current = nil }

    private func keep(_ channel: any TagChannel) -> ReaderReply {
        current = channel
        return .channel(
            ChannelLimits(
                maxCommandLength: channel.maxCommandLength, maxResponseLength: channel.maxResponseLength,
                longestSilence: channel.longestSilence))
    }
}
