// The events of a test, in order. Tests wait for them instead of sleeping

import Synchronization
import Testing

/// A log of events that a test takes one by one.
///
/// When the test's time limit is over, waiting ends with an error.
final class Events<Event: Sendable & Equatable>: Sendable {
    struct TimeIsUp: Error {}

    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let log = Mutex<[Event]>([])

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var all: [Event] { log.withLock { $0 } }

    func record(_ event: Event) {
        log.withLock { $0.append(event) }
        continuation.yield(event)
    }

    func next() async throws -> Event {
        for await event in stream { return event }
        throw TimeIsUp()
    }

    func wait(for expected: Event) async throws {
        while try await next() != expected {}
    }
}

/// Returns when the condition holds, for conditions without an event.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
