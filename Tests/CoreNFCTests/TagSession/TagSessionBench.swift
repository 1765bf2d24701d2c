// A tag session, its delegate and the virtual reader below them

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

enum TagEvent: Equatable, Sendable {
    case active
    case detected(Int)
    case ended(Int)
}

// Unchecked: its tags change on the session's queue, before the event that reports them.
/// Collects tags in the order of the callbacks.
final class NativeTagDelegate: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    let events = Events<TagEvent>()
    let onEvent: @Sendable (NFCTagReaderSession, TagEvent) -> Void
    private(set) var tags: [NFCTag] = []
    private(set) var cause: (any Error)?

    init(onEvent: @escaping @Sendable (NFCTagReaderSession, TagEvent) -> Void = { _, _ in }) {
        self.onEvent = onEvent
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        note(session, .active)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        cause = (error as? NFCReaderError)?.userInfo[NSUnderlyingErrorKey] as? any Error
        note(session, .ended((error as? NFCReaderError)?.code.rawValue ?? 0))
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        self.tags = tags
        note(session, .detected(tags.count))
    }

    private func note(_ session: NFCTagReaderSession, _ event: TagEvent) {
        events.record(event)
        onEvent(session, event)
    }
}

struct TagSessionBench: @unchecked Sendable {
    let reader: VirtualReader
    let delegate: NativeTagDelegate
    let session: NFCTagReaderSession

    var events: Events<TagEvent> { delegate.events }

    init(
        _ tags: [any VirtualTag], _ pollingOption: NFCTagReaderSession.PollingOption = [.iso14443, .iso18092],
        identifiers: [String] = [], systemCodes: [String] = [], faults: Faults = Faults(),
        onEvent: @escaping @Sendable (NFCTagReaderSession, TagEvent) -> Void = { _, _ in }
    ) throws {
        reader = try VirtualReader(tags: tags, faults: faults, latency: RealLatency.isOn ? .real : .none)
        delegate = NativeTagDelegate(onEvent: onEvent)
        session = NFCTagReaderSession(
            configuration: NFCTagReaderSession.Configuration(
                pollingOption: pollingOption, iso7816SelectIdentifiers: identifiers, feliCaSystemCodes: systemCodes),
            delegate: delegate)
        session.readerSpecification = reader.connection
    }

    func begin() async throws -> [NFCTag] {
        session.begin()
        return try await detected()
    }

    /// Begins a session that is expected to skip the tags in the field, and lets it poll for a while.
    func beginPassingOver() async throws {
        session.begin()
        #expect(try await events.next() == .active)
        let before = reader.statistics.exchanges
        try await until { reader.statistics.exchanges > before + 20 }
    }

    func detected() async throws -> [NFCTag] {
        while true {
            switch try await events.next() {
            case .detected: return delegate.tags
            case .ended(let code): throw Ended(code: code)
            case .active: continue
            }
        }
    }

    func connectedTag() async throws -> NFCTag {
        let tag = try #require(try await begin().first)
        try await session.connect(to: tag)
        return tag
    }

    func miFare() async throws -> any NFCMiFareTag {
        guard case .miFare(let tag) = try await connectedTag() else { throw OtherKind() }
        return tag
    }

    func iso7816() async throws -> any NFCISO7816Tag {
        guard case .iso7816(let tag) = try await connectedTag() else { throw OtherKind() }
        return tag
    }

    func feliCa() async throws -> any NFCFeliCaTag {
        guard case .feliCa(let tag) = try await connectedTag() else { throw OtherKind() }
        return tag
    }

    func end() async throws {
        session.invalidate()
        try await events.wait(for: .ended(200))
    }

    struct OtherKind: Error {}
    struct Ended: Error, Equatable { let code: Int }
}

/// Returns bytes from hexadecimal text.
///
/// Spaces are ignored.
func data(_ hex: String) -> Data {
    let digits = hex.compactMap(\.hexDigitValue)
    return Data(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}

extension Data {
    var hex: String { map { String(format: "%02X", $0) }.joined() }
}

extension NFCTag {
    var kindName: String {
        switch self {
        case .feliCa: "feliCa"
        case .iso7816: "iso7816"
        case .iso15693: "iso15693"
        case .miFare: "miFare"
        @unknown default: "unknown"
        }
    }
}
