// The events of a test, in order; tests wait for them instead of sleeping

import Synchronization
import Testing

/// A log of events that a test takes one by one; when the test's time limit is over, waiting ends with an error.
final class Events<Event: Sendable & Equatable>: Sendable {
    struct TimeIsUp: Error {}

    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let log = Mutex<[Event]>([])

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// All events so far, taken or not.
    var all: [Event] { log.withLock { $0 } }

    func record(_ event: Event) {
        log.withLock { $0.append(event) }
        continuation.yield(event)
    }

    /// The next event that was not taken.
    func next() async throws -> Event {
        for await event in stream { return event }
        throw TimeIsUp()
    }

    /// Takes events up to this one.
    func wait(for expected: Event) async throws {
        while try await next() != expected {}
    }
}

/// Returns once the condition holds: for conditions without an event.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
