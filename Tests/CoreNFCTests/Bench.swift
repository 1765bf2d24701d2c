// A session, its delegate and the virtual reader below them

import Chance
import CoreNFC
import Foundation
import Synchronization
import Testing
import VirtualPN532

enum Event: Equatable, Sendable {
    case active
    case messages([Int])
    case tags([SessionTag])
    case ended(Int)
    case handled(String, Int)
    case strayed(String)

    var tags: [SessionTag]? { if case .tags(let tags) = self { tags } else { nil } }
}

/// A delegate that receives messages, because it does not implement `didDetect tags`.
class MessageDelegate: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
    let events = Events<Event>()
    /// Called in each callback, after it was recorded.
    let onEvent: @Sendable (NFCNDEFReaderSession, Event) -> Void

    init(onEvent: @escaping @Sendable (NFCNDEFReaderSession, Event) -> Void = { _, _ in }) {
        self.onEvent = onEvent
    }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {
        note(session, .active)
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        note(session, .messages(messages.map(\.records.count)))
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        note(session, .ended((error as? NFCReaderError)?.code.rawValue ?? 0))
    }

    func note(_ session: NFCNDEFReaderSession, _ event: Event) {
        events.record(event)
        onEvent(session, event)
    }
}

/// A delegate that receives tags.
///
/// This is not a subclass, because a method that only a subclass has is not found, as ``NFCNDEFReaderSessionDelegate``
/// explains.
final class TagDelegate: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    let events = Events<Event>()
    let onEvent: @Sendable (NFCNDEFReaderSession, Event) -> Void

    init(onEvent: @escaping @Sendable (NFCNDEFReaderSession, Event) -> Void = { _, _ in }) {
        self.onEvent = onEvent
    }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {
        note(session, .active)
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        note(session, .tags(tags.compactMap { $0 as? SessionTag }))
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        note(session, .strayed("didDetectNDEFs"))
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        note(session, .ended((error as? NFCReaderError)?.code.rawValue ?? 0))
    }

    private func note(_ session: NFCNDEFReaderSession, _ event: Event) {
        events.record(event)
        onEvent(session, event)
    }
}

/// A read-write session on its own virtual reader.
struct Bench {
    let reader: VirtualReader
    let delegate: TagDelegate
    let session: NFCNDEFReaderSession

    var events: Events<Event> { delegate.events }

    init(
        _ tags: [any VirtualTag] = [], faults: Faults = Faults(), queue: DispatchQueue? = nil,
        onEvent: @escaping @Sendable (NFCNDEFReaderSession, Event) -> Void = { _, _ in }
    ) throws {
        reader = try VirtualReader(tags: tags, faults: faults, latency: RealLatency.isOn ? .real : .none)
        delegate = TagDelegate(onEvent: onEvent)
        session = NFCNDEFReaderSession(delegate: delegate, queue: queue, invalidateAfterFirstRead: false)
        session.readerSpecification = reader.connection
    }

    func begin() async throws -> [SessionTag] {
        session.begin()
        return try await tags()
    }

    func tags() async throws -> [SessionTag] {
        while true {
            let event = try await events.next()
            if let tags = event.tags { return tags }
            if case .ended = event { throw Ended() }
        }
    }

    /// Returns the only tag among the next detected ones, after connecting it.
    func connectedTag() async throws -> SessionTag {
        let tag = try #require(try await begin().first)
        try await session.connect(to: tag)
        return tag
    }

    func end() async throws {
        session.invalidate()
        try await events.wait(for: .ended(200))
    }

    struct Ended: Error {}
}

struct ReadingBench {
    let reader: VirtualReader
    let delegate: MessageDelegate
    let session: NFCNDEFReaderSession

    var events: Events<Event> { delegate.events }

    init(
        _ tags: [any VirtualTag] = [], once: Bool = false, faults: Faults = Faults(),
        onEvent: @escaping @Sendable (NFCNDEFReaderSession, Event) -> Void = { _, _ in }
    ) throws {
        reader = try VirtualReader(tags: tags, faults: faults, latency: RealLatency.isOn ? .real : .none)
        delegate = MessageDelegate(onEvent: onEvent)
        session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: once)
        session.readerSpecification = reader.connection
    }
}

/// Returns the code with which an operation fails, or nil if it does not fail with a code.
func code(_ operation: () async throws -> Void) async -> Int? {
    do {
        try await operation()
        return nil
    } catch {
        return (error as? NFCReaderError)?.errorCode
    }
}

/// Returns a message with one text record in English.
func message(_ text: String) throws -> NFCNDEFMessage {
    let record = NFCNDEFPayload.wellKnownTypeTextPayload(string: text, locale: Locale(identifier: "en"))
    return NFCNDEFMessage(records: [try #require(record)])
}

extension NFCNDEFMessage {
    var text: String? { records.first?.wellKnownTypeTextPayload().0 }
}
