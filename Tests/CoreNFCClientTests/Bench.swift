// The virtual reader that replaces an iPhone in the client tests, and a record of what the clients showed

import CoreNFC
import Testing
import VirtualPN532

/// All client tests, one at a time: they share one reader, because unedited clients find it through the environment.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClientTests {}

enum Bench {
    private static let reader = Result {
        let reader = try VirtualReader()
        setenv("NFCTOOL_READER", reader.connection, 1)
        return reader
    }

    /// Returns the reader without faults, with only these tags in its field.
    static func reader(with tags: [any VirtualTag] = []) throws -> VirtualReader {
        let reader = try reader.get()
        reader.faults = Faults()
        reader.field.replaceAll(with: tags)
        return reader
    }
}

/// The events of a test, in order.
///
/// Waiting for more events ends with an error when the test's time limit is over.
final class Events<Event: Equatable & Sendable>: @unchecked Sendable {  // `log` is guarded by `lock`
    struct None: Error {}

    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let lock = NSLock()
    private var log: [Event] = []

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var all: [Event] { lock.withLock { log } }

    func record(_ event: Event) {
        lock.withLock { log.append(event) }
        continuation.yield(event)
    }

    func next() async throws -> Event {
        for await event in stream { return event }
        throw None()
    }

    func wait(for expected: Event) async throws {
        while try await next() != expected {}
    }
}

/// Returns when the condition holds, for conditions without an event.
///
/// Like ``Events``, it ends with an error at the test's time limit.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

extension NFCNDEFReaderSession {
    /// Records the texts that the user would see.
    func showAlerts(to alerts: Events<String>) {
        alertHandler = { alerts.record($0) }
    }
}
