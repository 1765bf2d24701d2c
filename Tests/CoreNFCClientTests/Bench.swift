// The virtual reader that replaces an iPhone in the client tests, and a record of what the clients showed

import CoreNFC
import Testing
import VirtualPN532

/// All client tests, one at a time: they share one reader, since unedited clients find it through the environment.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ClientTests {}

/// The reader named by `NFCTOOL_READER`.
enum Bench {
    private static let reader = Result {
        let reader = try VirtualReader()
        setenv("NFCTOOL_READER", reader.connection, 1)
        return reader
    }

    /// The reader without faults, with only these tags in its field.
    static func reader(with tags: [any VirtualTag] = []) throws -> VirtualReader {
        let reader = try reader.get()
        reader.faults = Faults()
        reader.field.replaceAll(with: tags)
        return reader
    }
}

/// The events of a test, in order; waiting for more ends with an error when the test's time limit is over.
final class Events<Event: Equatable & Sendable>: @unchecked Sendable {  // `log` is guarded by `lock`
    struct None: Error {}

    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let lock = NSLock()
    private var log: [Event] = []

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// All events so far.
    var all: [Event] { lock.withLock { log } }

    func record(_ event: Event) {
        lock.withLock { log.append(event) }
        continuation.yield(event)
    }

    /// The next event that has not been taken yet.
    func next() async throws -> Event {
        for await event in stream { return event }
        throw None()
    }

    /// Takes events up to this one.
    func wait(for expected: Event) async throws {
        while try await next() != expected {}
    }
}

/// Returns when the condition holds, for conditions without an event; ends with an error as ``Events`` does.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

extension NFCNDEFReaderSession {
    /// Records the texts the user would see.
    func showAlerts(to alerts: Events<String>) {
        alertHandler = { alerts.record($0) }
    }
}
