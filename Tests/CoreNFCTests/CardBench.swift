// A card session on a virtual reader whose antenna touches that of a virtual phone

import CoreNFC
import Foundation
import Synchronization
import TagTypes
import VirtualPN532

// Unchecked: the phone is only used on its queue.
/// A virtual phone, which blocks its own thread while it works.
final class Phone: @unchecked Sendable {
    private let queue = DispatchQueue(label: "CoreNFCTests.phone")
    private let phone: VirtualPhone

    init(antenna: Antenna) { phone = VirtualPhone(antenna: antenna) }

    func run<Value: Sendable>(_ work: @escaping @Sendable (VirtualPhone) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work(self.phone) }) }
        }
    }
}

struct CardBench {
    let reader: VirtualReader
    let phone: Phone
    let session: CardSession

    init(timeLimit: TimeInterval? = 60) async throws {
        let (air, card) = try Antenna.pair()
        reader = try VirtualReader(antenna: card)
        phone = Phone(antenna: air)
        session = try await CardSession(
            readerSpecification: reader.connection, timeLimit: timeLimit, identifier: Data([1, 2, 3]))
    }
}

/// A program that emulates a Type 4 Tag as long as its session lasts.
final class CardProgram: Sendable {
    /// The events that it received, in order.
    ///
    /// A command is shown by its instruction.
    let events = Events<String>()
    let tag: Mutex<EmulatedType4Tag>

    init(_ session: CardSession, _ tag: EmulatedType4Tag) {
        self.tag = Mutex(tag)
        let stream = session.eventStream
        Task {
            for try await event in stream {
                switch event {
                case .sessionStarted: events.record("started")
                case .readerDetected:
                    self.tag.withLock { $0.reset() }
                    events.record("detected")
                    try? await session.startEmulation()
                case .received(let apdu):
                    events.record(apdu.debugDescription)
                    let answer = self.tag.withLock { $0.response(to: [UInt8](apdu.payload)) }
                    // The end of the session, or the departure of the phone, is a separate event.
                    try? await apdu.respond(response: Data(answer))
                case .readerDeselected:
                    events.record("deselected")
                    await session.stopEmulation(status: .success)
                case .sessionInvalidated(let reason): events.record("\(reason)")
                }
            }
        }
    }
}
