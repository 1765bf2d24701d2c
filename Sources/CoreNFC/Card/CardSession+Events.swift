// What happens to a card, as an asynchronous sequence — CoreNFC CardSession.Event, CardSession.EventStream

public import Foundation
import Hexadecimal
import ReaderSession

extension CardSession {
    /// What happened.
    public enum Event: Sendable {
        /// The reader is open: the first event.
        case sessionStarted
        /// Another reader has found the card.
        case readerDetected
        /// The other reader sent a command, which waits for its answer.
        case received(APDU)
        /// The other reader deselected the card, or went away.
        case readerDeselected
        /// The session has ended: the last event.
        case sessionInvalidated(reason: CardSession.Error)
    }

    /// The events of one session, which it keeps alive.
    public final class EventStream: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Event
        /// As declared; a session's end is an event.
        public typealias Failure = any Swift.Error

        private let events: AsyncStream<NumberedEvent>
        private let session: CardSession

        init(_ events: AsyncStream<NumberedEvent>, of session: CardSession) {
            self.events = events
            self.session = session
        }

        /// Begins to read the events; those that one iterator got, no other gets.
        public func makeAsyncIterator() -> Iterator { Iterator(events.makeAsyncIterator(), of: session) }

        /// Reads the events.
        public final class Iterator: AsyncIteratorProtocol {
            private var events: AsyncStream<NumberedEvent>.Iterator
            private let session: CardSession

            init(_ events: AsyncStream<NumberedEvent>.Iterator, of session: CardSession) {
                self.events = events
                self.session = session
            }

            /// Waits for the next event; nil after the last.
            public func next() async throws -> Event? { try await next(isolation: nil) }

            /// Waits for the next event; nil after the last.
            public func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
                await events.next(isolation: actor).map(session.told)
            }
        }
    }

    /// A command of the other reader.
    public final class APDU: Sendable {
        /// The C-APDU as it came.
        public let payload: Data
        private let exchange: ListeningSession.Exchange

        init(_ exchange: ListeningSession.Exchange) {
            payload = Data(exchange.command)
            self.exchange = exchange
        }

        /// Sends the answer, once; it must come within 5 seconds, or the other reader takes the card for gone.
        ///
        /// - Parameter response: the R-APDU: data, SW1, SW2; at most 262 bytes.
        /// - Throws: ``CardSession/Error/transmissionError`` when it cannot be sent: the other reader has left, the answer is too
        ///   long, or was given already; ``CardSession/Error/emulationStopped``, ``CardSession/Error/invalidated``.
        public func respond(response: Data) async throws {
            do {
                try await exchange.respond(with: [UInt8](response))
            } catch {
                throw CardSession.Error(error)
            }
        }
    }
}

extension CardSession.APDU: CustomDebugStringConvertible {
    /// The command's bytes in hexadecimal.
    public var debugDescription: String {
        "APDU(\(payload.hex))"
    }
}
