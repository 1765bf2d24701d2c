// Sessions that deliver ISO 15693 tags, and readers that do not support them — CoreNFC NFCTagReaderSession,
// NFCNDEFReaderSession

import CoreNFC
import Foundation
import ReaderInterface
import ReaderSession
import Testing
import VicinityReaders

@Suite(.timeLimit(.minutes(5))) struct VicinitySessionTests {
    /// Returns a tag session that has not begun.
    private func session(
        _ option: NFCTagReaderSession.PollingOption, on desk: VicinityDesk, _ delegate: NativeTagDelegate
    ) throws -> NFCTagReaderSession {
        let session = try #require(NFCTagReaderSession(pollingOption: option, delegate: delegate))
        session.readerSpecification = desk.connection
        return session
    }

    @Test(arguments: [NFCTagReaderSession.PollingOption.iso15693, [.iso14443, .iso15693, .iso18092]])
    func aTagIsFoundBySessionsThatLookForIt(_ option: NFCTagReaderSession.PollingOption) async throws {
        let delegate = NativeTagDelegate()
        let session = try session(option, on: VicinityDesk([VicinityTag()]), delegate)
        session.begin()
        try await delegate.events.wait(for: .detected(1))
        #expect(delegate.tags.map(\.kindName) == ["iso15693"])
        session.invalidate()
        try await delegate.events.wait(for: .ended(200))
    }

    @Test(arguments: [NFCTagReaderSession.PollingOption.iso14443, .pace])
    func aTagIsNotFoundByOthers(_ option: NFCTagReaderSession.PollingOption) async throws {
        let desk = VicinityDesk([VicinityTag()])
        let delegate = NativeTagDelegate()
        let session = try session(option, on: desk, delegate)
        session.begin()
        // This reader supports no other technology.
        #expect(try await delegate.events.next() == .ended(1))
        #expect(delegate.cause as? SessionError == .noRadio([.nfcA, .nfcB], reader: desk.connection))
    }

    @Test func aSessionForISO15693AloneEndsOnAReaderWithoutTheRadio() async throws {
        let desk = VicinityDesk([VicinityTag()], hasRadio: false)
        let delegate = NativeTagDelegate()
        let alone = try session(.iso15693, on: desk, delegate)
        alone.begin()
        #expect(try await delegate.events.next() == .ended(1))
        #expect(delegate.cause as? SessionError == .noRadio([.nfcV], reader: desk.connection))
        let other = NativeTagDelegate()
        let session = try session([.iso14443, .iso15693], on: desk, other)
        session.begin()
        #expect(try await other.events.next() == .active)
        session.restartPolling(configuration: .init(pollingOption: .iso15693))
        #expect(try await other.events.next() == .ended(1))
    }

    // MARK: NDEF

    private static let text = Data([0xD1, 0x01, 0x04, 0x54, 0x02, 0x65, 0x6E, 0x35])

    /// Returns a Type 5 Tag with a text record, or with an empty message.
    private func type5(isEmpty: Bool = false) -> VicinityTag {
        let tag = VicinityTag()
        let message = isEmpty ? [] : [UInt8](Self.text)
        tag.memory = [0xE1, 0x40, 0x0D, 0x01, 0x03, UInt8(message.count)] + message + [0xFE]
        return tag
    }

    @Test func anNDEFSessionReadsAType5Tag() async throws {
        let desk = VicinityDesk([type5()])
        let delegate = MessageDelegate()
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = desk.connection
        session.begin()
        for expected in [Event.active, .messages([1]), .ended(204)] {
            #expect(try await delegate.events.next() == expected)
        }
    }

    @Test func anNDEFSessionDeliversAnISO15693Tag() async throws {
        let tag = type5()
        let desk = VicinityDesk([tag])
        let delegate = TagDelegate()
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
        session.readerSpecification = desk.connection
        session.begin()
        #expect(try await delegate.events.next() == .active)
        let found = try #require(try await delegate.events.next().tags?.first)
        let vicinity = try #require(found as? any NFCISO15693Tag)
        #expect(found.isKind(of: (any NFCISO15693Tag).self))
        #expect(vicinity.identifier == Data(tag.uid))
        try await session.connect(to: found)
        #expect(try await found.queryNDEFStatus().0 == .readWrite)
        #expect(try await found.readNDEF().text == "5")
        #expect(try await vicinity.readSingleBlock(requestFlags: .highDataRate, blockNumber: 0).hex == "E1400D01")
        try await found.writeNDEF(message("fünf"))
        #expect(try await found.readNDEF().text == "fünf")
        // A native command from the app invalidates what is known about the tag.
        let empty = Data([0x03, 0x00, 0xFE, 0x00])
        try await vicinity.writeSingleBlock(requestFlags: .highDataRate, blockNumber: 1, dataBlock: empty)
        #expect(await code { _ = try await found.readNDEF() } == 403)
        session.invalidate()
        try await delegate.events.wait(for: .ended(200))
    }

    @Test func aTagOfATagSessionReadsAndWritesMessages() async throws {
        let bench = try VicinityBench(type5(isEmpty: true))
        let tag = try await bench.connectedTag()
        let (status, capacity) = try await tag.queryNDEFStatus()
        #expect(status == .readWrite && capacity > 90)
        #expect(await code { _ = try await tag.readNDEF() } == 403)
        try await tag.writeNDEF(message("tag"))
        #expect(try await tag.readNDEF().text == "tag")
        try await bench.end()
    }

    @Test func aBlankTagIsNotFormatted() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        let (status, capacity) = try await tag.queryNDEFStatus()
        #expect(status == .notSupported && capacity == 0)
        try await bench.end()
    }
}
