// A session in which the reader itself acts as a card: listen, receive, respond. The reader may only be called on its
// queue

import Dispatch
import LibNFC
public import ReaderInterface
import Synchronization

/// A session in which the reader acts as a card for other readers, one after the other.
///
/// All work with the reader runs in steps on the reader's queue. No step waits for the program.
public final class ListeningSession: @unchecked Sendable {  // mutable state is only used on the queue
    /// An event of the card.
    public enum Event: Sendable {
        /// Another reader has found the card.
        case readerDetected
        /// The other reader sent a command and waits for the answer.
        case received(Exchange)
        /// The other reader deselected the card or left.
        case readerDeselected
        /// The reader can no longer be a card.
        case failed(any Error)
    }

    /// The reason why an answer was not sent.
    public enum ResponseError: Error, Hashable, Sendable {
        /// The session has ended.
        case ended
        /// The other reader has left, the answer is too long, or an answer was already given.
        case notSent
        /// The program has paused the card.
        case paused
    }

    /// A command and the right to answer it.
    public final class Exchange: Sendable {
        /// The C-APDU as received.
        public let command: [UInt8]
        /// The reference is weak, because the session itself holds the command while it waits for the answer.
        private weak let session: ListeningSession?

        fileprivate init(_ command: [UInt8], of session: ListeningSession) {
            (self.command, self.session) = (command, session)
        }

        /// Sends the R-APDU, which is possible only once.
        ///
        /// The answer must be sent within 5 seconds, or the other reader assumes that the card is gone.
        public func respond(with response: [UInt8]) async throws(ResponseError) {
            guard let session else { throw .ended }
            try await session.respond(with: response, to: self)
        }
    }

    /// The maximum wait for another reader in one call.
    ///
    /// Between two calls, the chip does not act as a card, and a reader that arrives at that moment does not find the
    /// card.
    private static let listeningSlice = Duration.seconds(10)
    /// The maximum wait for a command in one call.
    private static let slice = Duration.seconds(1)
    /// The time in which the program must answer.
    ///
    /// The longest frame waiting time of ISO/IEC 14443-4 is 4.95 s.
    private static let responseTime = DispatchTimeInterval.seconds(5)
    /// The time without a command after which the other reader counts as gone.
    ///
    /// A failure of this reader's chip looks the same. It is detected when listening starts again.
    private static let longestSilence = Duration.seconds(30)

    private let reader: SessionReader
    private let target: ListeningTarget
    private let isEnded = Atomic(false)
    private var handler: @Sendable (Event, _ contact: Int) -> Void = { _, _ in }
    /// The number of contacts so far.
    ///
    /// Steps that belong to an earlier contact do nothing.
    private var contact = 0
    /// The number of the contact with the reader that is present, or 0 if none is present.
    private let activated = Atomic(0)
    /// Whether commands are passed to the program.
    private let isAnswering = Atomic(false)
    private var lastHeard = ContinuousClock.now
    private var pending: (exchange: Exchange, isDelivered: Bool)?

    /// Creates a session, which begins with ``open()``.
    ///
    /// - Parameters:
    ///   - reader: the reader that becomes the card, as for ``ReaderSession``, or nil for the default reader.
    ///   - target: what other readers detect.
    public init(reader: String?, as target: ListeningTarget) {
        self.reader = SessionReader(ReaderSpecification(reader))
        self.target = target
    }

    deinit { end {} }

    /// Whether libnfc can use the reader with this connection string as a target.
    package static func isPossible(connection: String) -> Bool { LibNFCReader.canListen(connection: connection) }

    /// The reader's name, as shown to people.
    ///
    /// Empty before the reader is open.
    public var readerName: String { reader.name ?? "" }

    /// Reserves and opens the reader, and checks whether it can be a card.
    /// - Throws: `ReaderError`, or an error about the reader's name.
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
    /// - Parameter handler: called on the reader's queue with each event and the number of its contact.
    public func begin(_ handler: @escaping @Sendable (Event, _ contact: Int) -> Void) {
        reader.queue.async {
            self.handler = handler
            self.listen()
        }
    }

    /// Passes commands to the program, starting with one that is waiting.
    ///
    /// May be called from any thread.
    public func start() {
        isAnswering.store(true, ordering: .relaxed)
        reader.queue.async { self.deliver() }
    }

    /// Stops passing commands to the program.
    ///
    /// May be called from any thread.
    public func pause() { isAnswering.store(false, ordering: .relaxed) }

    /// Ends the contact with the other reader after a pause.
    ///
    /// May be called from any thread.
    ///
    /// - Parameter contact: the last contact that was reported to the program. A later contact is kept until the next
    ///   start.
    package func stop(upTo contact: Int) async {
        // If that reader is present, wait for the end of the call that serves it.
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

    /// Closes the reader.
    ///
    /// May be called from any thread.
    ///
    /// - Parameter completion: called on the reader's queue when the reader is closed, unless the session had already
    ///   ended.
    public func end(completion: @escaping @Sendable () -> Void) {
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        reader.abort()
        // Capture only the reader, because this object may be being deinitialised.
        let reader = reader
        reader.queue.async {
            reader.close()
            completion()
        }
        reader.release()
    }
}

extension ListeningSession {
    /// Runs the next step of the present contact on the reader's queue, unless the contact has ended by then.
    private func next(_ step: @escaping @Sendable (ListeningSession) throws -> Void) {
        let contact = contact
        reader.queue.async { [weak self] in
            guard let self, contact == self.contact, !self.isEnded.load(ordering: .relaxed) else { return }
            do {
                try step(self)
            } catch ReaderError.initiatorLost {
                self.lose()
            } catch ReaderError.aborted {
                // The session is already ending.
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
        // Listen again first, so that a stop in response to the event does not have to wait for this contact.
        listen()
        handler(.readerDeselected, lost)
    }

    fileprivate func respond(with response: [UInt8], to exchange: Exchange) async throws(ResponseError) {
        // Check this now, so that the answer does not wait for the end of the search for the next reader.
        guard !isEnded.load(ordering: .relaxed) else { throw .ended }
        guard activated.load(ordering: .relaxed) != 0 else { throw noLongerWanted }
        try await withCheckedContinuation { continuation in
            reader.queue.async {
                continuation.resume(
                    returning: Result { () throws(ResponseError) in try self.send(response, for: exchange) })
            }
        }.get()
    }

    /// The reason why an answer is no longer wanted.
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
