// A reader that is a card itself: listen, receive, respond — on the reader's queue, which alone may call the reader

import Dispatch
import LibNFC
public import ReaderInterface
import Synchronization

/// A session with a reader that is a card for other readers, one after the other.
///
/// All that has to do with the reader happens in steps on the reader's queue. No step waits for the program.
public final class ListeningSession: @unchecked Sendable {  // mutable state is touched on the queue only
    /// What happens to the card.
    public enum Event: Sendable {
        /// Another reader has found the card.
        case readerDetected
        /// The other reader sent a command, which waits for its answer.
        case received(Exchange)
        /// The other reader deselected the card, or went away.
        case readerDeselected
        /// The reader cannot be a card any more.
        case failed(any Error)
    }

    /// Why an answer was not sent.
    public enum ResponseError: Error, Hashable, Sendable {
        /// The session has ended.
        case ended
        /// The other reader has left, the answer is too long, or was given already.
        case notSent
        /// The program has paused the card.
        case paused
    }

    /// One command and the right to answer it.
    public final class Exchange: Sendable {
        /// The C-APDU as it came.
        public let command: [UInt8]
        /// Weak: the session holds the command that waits for its answer.
        private weak let session: ListeningSession?

        fileprivate init(_ command: [UInt8], of session: ListeningSession) {
            (self.command, self.session) = (command, session)
        }

        /// Sends the R-APDU, once; it must come within 5 seconds, or the other reader takes the card for gone.
        public func respond(with response: [UInt8]) async throws(ResponseError) {
            guard let session else { throw .ended }
            try await session.respond(with: response, to: self)
        }
    }

    /// The longest wait for another reader in one call: between two of them the chip is no card, and a reader that comes just then
    /// loses it.
    private static let listeningSlice = Duration.seconds(10)
    /// The longest wait for a command in one call.
    private static let slice = Duration.seconds(1)
    /// The time the program gets for an answer: ISO/IEC 14443-4's longest frame waiting time is 4.95 s.
    private static let responseTime = DispatchTimeInterval.seconds(5)
    /// A reader that is silent for this long counts as gone.
    ///
    /// A chip that fell silent looks the same, and is recognized when listening starts again.
    private static let longestSilence = Duration.seconds(30)

    private let reader: SessionReader
    private let target: ListeningTarget
    private let isEnded = Atomic(false)
    private var handler: @Sendable (Event, _ contact: Int) -> Void = { _, _ in }
    /// Counts the readers that were waited for: steps for an earlier one do nothing.
    private var contact = 0
    /// The number of the reader that is there; 0 for none.
    private let activated = Atomic(0)
    /// The program has the commands.
    private let isAnswering = Atomic(false)
    private var lastHeard = ContinuousClock.now
    private var pending: (exchange: Exchange, isDelivered: Bool)?

    /// Describes a card; nothing happens before ``open()``.
    ///
    /// - Parameters:
    ///   - reader: the reader that becomes the card, as for ``ReaderSession``; nil for the default.
    ///   - target: what other readers see.
    public init(reader: String?, as target: ListeningTarget) {
        self.reader = SessionReader(ReaderSpecification(reader))
        self.target = target
    }

    deinit { end {} }

    /// Whether libnfc can make a target of the reader behind this connection string.
    package static func isPossible(connection: String) -> Bool { LibNFCReader.canListen(connection: connection) }

    /// The reader in use by the name that people know; empty before it is open.
    public var readerName: String { reader.name ?? "" }

    /// Takes and opens the reader, and looks whether it can be a card.
    /// - Throws: `ReaderError`, or what is wrong with the reader's name.
    public func open() async throws {
        try reader.take()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            reader.queue.async {
                let result = Result {
                    do {
                        try self.reader.open()
                        try self.reader.listener.requireListening()
                    } catch {
                        self.reader.close()
                        self.reader.release()
                        throw error
                    }
                }
                continuation.resume(with: result)
            }
        }
    }

    /// Waits for other readers from now on.
    ///
    /// - Parameter handler: called on the reader's queue with each event and the number of the other reader.
    public func begin(_ handler: @escaping @Sendable (Event, _ contact: Int) -> Void) {
        reader.queue.async {
            self.handler = handler
            self.listen()
        }
    }

    /// Lets the program have the commands, beginning with one that waits; from any thread.
    public func start() {
        isAnswering.store(true, ordering: .relaxed)
        reader.queue.async { self.deliver() }
    }

    /// Keeps the commands from the program; from any thread.
    public func pause() { isAnswering.store(false, ordering: .relaxed) }

    /// Takes the card away from the other reader, when it was paused; from any thread.
    ///
    /// - Parameter contact: the last reader that the program knows of: one that came since waits for a new start.
    package func stop(upTo contact: Int) async {
        // Only one that is there has to be waited for, until the call for it is over.
        guard isThere(upTo: contact) else { return }
        await withCheckedContinuation { continuation in
            reader.queue.async {
                if self.isThere(upTo: contact) { self.listen() }
                continuation.resume()
            }
        }
    }

    private func isThere(upTo contact: Int) -> Bool {
        let activated = activated.load(ordering: .relaxed)
        return activated > 0 && activated <= contact
    }

    /// Gives the reader back, from any thread.
    ///
    /// - Parameter completion: called on the reader's queue when it is closed; not for a session that was ended before.
    public func end(completion: @escaping @Sendable () -> Void) {
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        reader.abort()
        // Not this object, which may be on its way out.
        let reader = reader
        reader.queue.async {
            reader.close()
            completion()
        }
        reader.release()
    }
}

extension ListeningSession {
    /// Goes on with the contact of now, in turn with what else waits for the reader.
    private func next(_ step: @escaping @Sendable (ListeningSession) throws -> Void) {
        let contact = contact
        reader.queue.async { [weak self] in
            guard let self, contact == self.contact, !self.isEnded.load(ordering: .relaxed) else { return }
            do {
                try step(self)
            } catch ReaderError.initiatorLost {
                self.lose()
            } catch ReaderError.aborted {
                // The end is under way.
            } catch {
                self.handler(.failed(error), contact)
            }
        }
    }

    private func listen() {
        contact += 1
        activated.store(0, ordering: .relaxed)
        pending = nil
        next { try $0.listenOnce() }
    }

    private func listenOnce() throws {
        guard try reader.listener.listen(as: target, timeout: Self.listeningSlice) else {
            return next { try $0.listenOnce() }
        }
        activated.store(contact, ordering: .relaxed)
        lastHeard = .now
        handler(.readerDetected, contact)
        next { try $0.receive() }
    }

    private func receive() throws {
        guard let command = try reader.listener.receiveCommand(timeout: Self.slice) else {
            return ContinuousClock.now - lastHeard < Self.longestSilence ? next { try $0.receive() } : lose()
        }
        let exchange = Exchange(command, of: self)
        pending = (exchange, isDelivered: false)
        reader.queue.asyncAfter(deadline: .now() + Self.responseTime) { [weak self, weak exchange] in
            guard let self, let exchange, exchange === self.pending?.exchange else { return }
            self.lose()
        }
        deliver()
    }

    private func deliver() {
        guard isAnswering.load(ordering: .relaxed), let (exchange, isDelivered) = pending, !isDelivered else { return }
        pending?.isDelivered = true
        handler(.received(exchange), contact)
    }

    private func lose() {
        let lost = contact
        // First: a stop that the program makes of the event has nothing to wait for any more.
        listen()
        handler(.readerDeselected, lost)
    }

    fileprivate func respond(with response: [UInt8], to exchange: Exchange) async throws(ResponseError) {
        // Not after a wait for the next reader.
        guard !isEnded.load(ordering: .relaxed) else { throw .ended }
        guard activated.load(ordering: .relaxed) != 0 else { throw noLongerWanted }
        try await withCheckedContinuation { continuation in
            reader.queue.async {
                continuation.resume(
                    returning: Result { () throws(ResponseError) in try self.send(response, for: exchange) })
            }
        }.get()
    }

    /// Why no reader can receive an answer.
    private var noLongerWanted: ResponseError { isAnswering.load(ordering: .relaxed) ? .notSent : .paused }

    private func send(_ response: [UInt8], for exchange: Exchange) throws(ResponseError) {
        guard !isEnded.load(ordering: .relaxed) else { throw .ended }
        guard exchange === pending?.exchange else { throw noLongerWanted }
        do {
            try reader.listener.sendResponse(response)
        } catch {
            switch error {
            case .commandTooLong: break
            case .initiatorLost: lose()
            case .aborted: throw .ended
            default: handler(.failed(error), contact)
            }
            throw .notSent
        }
        pending = nil
        lastHeard = .now
        next { try $0.receive() }
    }
}
