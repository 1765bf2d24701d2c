// The radio's side of a card session: listen, receive, respond, on the reader's queue — the owner queue of DESIGN.md

import Dispatch
import LibNFC
import NFCReader
import Synchronization

/// A reader that is a card.
///
/// All but ``end(completion:)`` happens in steps on the reader's queue. No step waits for the program, and none for longer than
/// ``slice``.
final class CardEmulation: @unchecked Sendable {  // mutable state is touched on the queue only, but for `isEnded`
    enum Event: Sendable {
        case readerDetected
        case received(Exchange)
        case readerDeselected
        case failed(any Error)
    }

    /// One command and the right to answer it.
    final class Exchange: Sendable {
        let command: [UInt8]
        private let emulation: CardEmulation

        fileprivate init(_ command: [UInt8], of emulation: CardEmulation) {
            (self.command, self.emulation) = (command, emulation)
        }

        /// - Throws: ``CardSession/Error``.
        func respond(with response: [UInt8]) async throws { try await emulation.respond(with: response, to: self) }
    }

    /// The longest wait in one call of the reader.
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
    private var isActivated = false
    private var isAnswering = false
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
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            reader.queue.async {
                let result = Result {
                    do {
                        try self.reader.open()
                        try self.reader.listener.requireListening()
                    } catch {
                        self.reader.close()
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

    /// Lets the program have the commands, beginning with one that waits.
    func start() async {
        await inTurn {
            self.isAnswering = true
            self.deliver()
        }
    }

    /// Keeps the commands from the program, and takes the card away from the other reader.
    ///
    /// - Parameter contact: the last reader that the program knows of: one that came since waits for a new start.
    func stop(upTo contact: Int) async {
        await inTurn {
            self.isAnswering = false
            if self.isActivated, self.contact <= contact { self.listen() }
        }
    }

    private func inTurn(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            reader.queue.async {
                work()
                continuation.resume()
            }
        }
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
        (isActivated, pending) = (false, nil)
        next { try $0.listenOnce() }
    }

    private func listenOnce() throws {
        guard try reader.listener.listen(as: target, timeout: Self.slice) else { return next { try $0.listenOnce() } }
        isActivated = true
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
        guard isAnswering, let (exchange, isDelivered) = pending, !isDelivered else { return }
        pending?.isDelivered = true
        handler(.received(exchange), contact)
    }

    private func lose() {
        handler(.readerDeselected, contact)
        listen()
    }

    private func respond(with response: [UInt8], to exchange: Exchange) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            reader.queue.async { continuation.resume(with: Result { try self.send(response, for: exchange) }) }
        }
    }

    private func send(_ response: [UInt8], for exchange: Exchange) throws {
        guard !isEnded.load(ordering: .relaxed) else { throw CardSession.Error.invalidated }
        guard exchange === pending?.exchange else {
            throw isAnswering ? CardSession.Error.transmissionError : .emulationStopped
        }
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
