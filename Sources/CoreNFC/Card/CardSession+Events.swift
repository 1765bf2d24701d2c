// The events of a card as an asynchronous sequence — CoreNFC CardSession.Event, CardSession.EventStream

public import Foundation
import Hexadecimal
import ReaderSession

extension CardSession {
    /// An event of a card session.
    public enum Event: Sendable {
        /// The first event, after the reader was opened.
        case sessionStarted
        /// Another reader has found the card.
        case readerDetected
        /// The other reader sent a command and is waiting for the answer.
        case received(APDU)
        /// The other reader deselected the card or left.
        case readerDeselected
        /// The last event, after the session has ended.
        case sessionInvalidated(reason: CardSession.Error)
    }

    /// The events of one session.
    ///
    /// The stream keeps the session alive.
    public final class EventStream: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Event
        /// The error type that Apple declares.
        ///
        /// It is not used, because the end of a session is reported as an event.
        public typealias Failure = any Swift.Error

        private let events: AsyncStream<NumberedEvent>
        private let session: CardSession

        init(_ events: AsyncStream<NumberedEvent>, of session: CardSession) {
            self.events = events
            self.session = session
        }

        /// Starts reading the events.
        ///
        /// Each event goes to only one iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(events.makeAsyncIterator(), of: session) }

        /// An iterator over the events.
        public final class Iterator: AsyncIteratorProtocol {
            private var events: AsyncStream<NumberedEvent>.Iterator
            private let session: CardSession

            init(_ events: AsyncStream<NumberedEvent>.Iterator, of session: CardSession) {
                self.events = events
                self.session = session
            }

            /// Waits for the next event, and returns nil after the last one.
            public func next() async throws -> Event? { try await next(isolation: nil) }

            /// Waits for the next event, and returns nil after the last one.
            public func next(isolation actor: isolated (any Actor)?) async throws -> Event? {
                await events.next(isolation: actor).map(session.told)
            }
        }
    }

    /// A command from the other reader.
    public final class APDU: Sendable {
        /// The C-APDU as received.
        public let payload: Data
        private let exchange: ListeningSession.Exchange

        init(_ exchange: ListeningSession.Exchange) {
            payload = Data(exchange.command)
            self.exchange = exchange
        }

        /// Sends the answer.
        ///
        /// A command can be answered only once. The answer must be sent within 5 seconds, or the other reader assumes
        /// that the card is gone.
        ///
        /// - Parameter response: the R-APDU: data, SW1, SW2; at most 262 bytes.
        /// - Throws: ``CardSession/Error/transmissionError`` if the answer cannot be sent, because the other reader has
        ///   left, the answer is too long, or an answer was already given; ``CardSession/Error/emulationStopped``;
        ///   ``CardSession/Error/invalidated``.
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
