// The radio's side of a card session: listen, receive, respond — on the reader's queue, which alone may call the reader

import Dispatch
import LibNFC
import NFCReader
import ReaderSession
import Synchronization

/// A reader that is a card.
///
/// All that has to do with the reader happens in steps on the reader's queue. No step waits for the program.
final class CardEmulation: @unchecked Sendable {  // mutable state is touched on the queue only
    enum Event: Sendable {
        case readerDetected
        case received(Exchange)
        case readerDeselected
        case failed(any Error)
    }

    /// One command and the right to answer it.
    final class Exchange: Sendable {
        let command: [UInt8]
        /// Weak: the emulation holds the command that waits for its answer.
        private weak let emulation: CardEmulation?

        fileprivate init(_ command: [UInt8], of emulation: CardEmulation) {
            (self.command, self.emulation) = (command, emulation)
        }

        /// - Throws: ``CardSession/Error``.
        func respond(with response: [UInt8]) async throws {
            guard let emulation else { throw CardSession.Error.invalidated }
            try await emulation.respond(with: response, to: self)
        }
    }

    /// The longest wait for another reader in one call: between two of them the chip is no card, and a reader that comes just then
    /// loses it.
    private static let listeningSlice = Duration.seconds(10)
    /// The longest wait for a command in one call.
    private static let slice = Duration.seconds(1)
    /// The time the program gets for an answer: ISO/IEC 14443-4's longest frame waiting time is 4.95 s.
    private static let responseTime = DispatchTimeInterval.seconds(5)
    /// A reader that says nothing for so long is taken for gone: a chip that fell silent would look the same, and shows as it
    /// listens anew.
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

    init(_ specification: ReaderSpecification, as target: ListeningTarget) {
        reader = SessionReader(specification)
        self.target = target
    }

    /// Whether libnfc can make a target of the reader behind this connection string.
    static func isPossible(connection: String) -> Bool { LibNFCReader.canListen(connection: connection) }

    var readerName: String { reader.name ?? "" }

    /// Takes the reader, and looks whether it can be a card.
    func open() async throws {
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
    /// - Parameter handler: told what happens, and the number of the other reader that did it.
    func begin(_ handler: @escaping @Sendable (Event, _ contact: Int) -> Void) {
        reader.queue.async {
            self.handler = handler
            self.listen()
        }
    }

    /// Lets the program have the commands, beginning with one that waits; from any thread.
    func start() {
        isAnswering.store(true, ordering: .relaxed)
        reader.queue.async { self.deliver() }
    }

    /// Keeps the commands from the program; from any thread.
    func pause() { isAnswering.store(false, ordering: .relaxed) }

    /// Takes the card away from the other reader, when it was paused; from any thread.
    ///
    /// - Parameter contact: the last reader that the program knows of: one that came since waits for a new start.
    func stop(upTo contact: Int) async {
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

    /// Gives the reader back, from any thread; once.
    func end(completion: @escaping @Sendable () -> Void) {
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

extension CardEmulation {
    /// Goes on with the contact of now, in turn with what else waits for the reader.
    private func next(_ step: @escaping @Sendable (CardEmulation) throws -> Void) {
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

    private func respond(with response: [UInt8], to exchange: Exchange) async throws {
        // Not behind a wait for the next reader.
        guard !isEnded.load(ordering: .relaxed) else { throw CardSession.Error.invalidated }
        guard activated.load(ordering: .relaxed) != 0 else { throw noLongerWanted }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            reader.queue.async { continuation.resume(with: Result { try self.send(response, for: exchange) }) }
        }
    }

    /// Why an answer has nobody to go to.
    private var noLongerWanted: CardSession.Error {
        isAnswering.load(ordering: .relaxed) ? .transmissionError : .emulationStopped
    }

    private func send(_ response: [UInt8], for exchange: Exchange) throws {
        guard !isEnded.load(ordering: .relaxed) else { throw CardSession.Error.invalidated }
        guard exchange === pending?.exchange else { throw noLongerWanted }
        do {
            try reader.listener.sendResponse(response)
        } catch {
            switch error {
            case .commandTooLong: break
            case .initiatorLost: lose()
            case .aborted: throw CardSession.Error.invalidated
            default: handler(.failed(error), contact)
            }
            throw CardSession.Error.transmissionError
        }
        pending = nil
        lastHeard = .now
        next { try $0.receive() }
    }
}
