// A tag session on a reader that supports ISO 15693, and the tags in its field

import CoreNFC
import Foundation
import Testing
import VicinityReaders

struct VicinityBench: @unchecked Sendable {
    let tag: VicinityTag
    let desk: VicinityDesk
    let delegate = NativeTagDelegate()
    let session: NFCTagReaderSession

    init(
        _ tag: VicinityTag = VicinityTag(), others: [VicinityTag] = [], longestAnswer: Int = 257,
        missingCommands: Set<UInt8> = []
    ) throws {
        self.tag = tag
        desk = VicinityDesk([tag] + others, longestAnswer: longestAnswer, missingCommands: missingCommands)
        session = try #require(NFCTagReaderSession(pollingOption: .iso15693, delegate: delegate))
        session.readerSpecification = desk.connection
    }

    func connectedTag() async throws -> any NFCISO15693Tag {
        session.begin()
        #expect(try await delegate.events.next() == .active)
        #expect(try await delegate.events.next() == .detected(desk.tags.count))
        let found = try #require(delegate.tags.first)
        try await session.connect(to: found)
        guard case .iso15693(let tag) = found else { throw TagSessionBench.OtherKind() }
        return tag
    }

    func end() async throws {
        session.invalidate()
        try await delegate.events.wait(for: .ended(200))
    }

    /// The UID in the byte order of frames.
    static let wireUID = "44332211500104E0"
}

func failure(_ operation: () async throws -> Void) async -> NFCReaderError? {
    do {
        try await operation()
        return nil
    } catch {
        return error as? NFCReaderError
    }
}
