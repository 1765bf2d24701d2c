// One use of a reader by a program, from begin to invalidate, with the real libnfc and virtual chips

import Foundation
import InProcessReaders
import ReaderInterface
import ReaderSession
import Synchronization
import TagTypes
import Testing
import VirtualPN532

@Suite struct ReaderSessionTests {
    /// Returns a private reader with these tags, and the name for a session.
    private static func reader(_ kinds: VirtualTagKind...) throws -> (reader: VirtualReader, name: String) {
        let reader = try VirtualReader(
            field: Field(kinds.enumerated().map { $1.make(serial: $0 + 1) }), latency: .none)
        return (reader, reader.connection)
    }

    @Test func aMessageIsWrittenAndReadInTheWordsOfASession() async throws {
        let (reader, name) = try Self.reader(.ntag213)
        defer { reader.stop() }
        let session = ReaderSession(reader: name)
        session.begin()
        let tags = try await session.detect(within: .seconds(10))
        let tag = try await session.connect(to: #require(tags.first))
        #expect(try await tag.queryNDEFStatus().status == .readWrite)
        let message: [UInt8] = [0xD1, 0x01, 0x03, 0x55, 0x00, 0x61, 0x3A]
        try await tag.write(message)
        #expect(try await tag.read() == message)
        #expect(session.chip?.hasPrefix("PN532") ?? false)
        await session.invalidate()
        await #expect(throws: SessionError.ended) { try await tag.read() }
    }

    @Test func onlyTheTagThatIsConnectedLastTakesOperations() async throws {
        let (reader, name) = try Self.reader(.ntag213, .ntag215)
        defer { reader.stop() }
        let session = ReaderSession(reader: name)
        session.begin()
        let tags = try await session.detect(within: .seconds(10))
        try #require(tags.count == 2)
        let first = try await session.connect(to: tags[0])
        let second = try await session.connect(to: tags[1])
        await #expect(throws: SessionError.notConnected) { try await first.queryNDEFStatus() }
        #expect(try await second.queryNDEFStatus().capacity > 0)
        #expect(!tags[0].isAvailable && tags[1].isAvailable)
        let other = ReaderSession(reader: "virtual")
        await #expect(throws: SessionError.foreignTag) { try await other.connect(to: tags[0]) }
        await session.invalidate()
    }

    @Test func theWaitForATagThatDoesNotComeNamesTheOthers() async throws {
        let (reader, name) = try Self.reader(.ntag213)
        defer { reader.stop() }
        let session = ReaderSession(reader: name)
        session.begin()
        // After this, the reader is open.
        _ = try await session.detect(within: .seconds(20))
        session.restartPolling()
        let others = Mutex<[[UInt8]]>([])
        let absence = await #expect(throws: NoTagCame.self) {
            try await session.detect(within: .seconds(5), isWanted: { _ in false }) { _ in
            } onOther: { tag in
                others.withLock { $0.append(tag.target.identifier) }
            }
        }
        #expect(absence?.others.count == 1 && absence?.others == others.withLock { $0 })
        await session.invalidate()
    }

    /// A restart of polling at the wrong moment would make the tag unusable that was just found.
    @Test func theTagThatTakesThePlaceOfAnotherCanBeConnected() async throws {
        let (reader, name) = try Self.reader(.ntag213)
        defer { reader.stop() }
        let session = ReaderSession(reader: name)
        session.begin()
        _ = try await session.detect(within: .seconds(20))
        for delay in stride(from: 280, through: 480, by: 20) {
            reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 1)])
            session.restartPolling()
            let wanted = VirtualTagKind.ntag213.make(serial: delay)
            let tags = try await session.detect(within: .seconds(20)) {
                $0.target.identifier == wanted.identifier
            } onOther: { _ in
                reader.field.remove()
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
                    reader.field.place(wanted)
                }
            }
            let tag = try await session.connect(to: #require(tags.first))
            #expect(try await tag.queryNDEFStatus().status == .readWrite)
        }
        await session.invalidate()
    }

    /// A reader that cannot be used ends the session.
    @Test func whyTheReaderDidNotOpenIsThrownByTheFirstWait() async throws {
        let session = ReaderSession(reader: "pn532_uart:/dev/nfctool-is-not-here")
        session.begin()
        await #expect(throws: ReaderError.self) { try await session.detect(within: .seconds(10)) }
        await session.invalidate()
    }

    @Test func aSessionThatWasEndedBeforeItBeganKeepsNobodyWaiting() async throws {
        let session = ReaderSession(reader: "virtual")
        session.end()
        session.begin()
        await #expect(throws: SessionError.ended) { try await session.detect(within: nil) }
        await session.invalidate()
    }

    @Test func aSessionThatNothingHoldsGivesItsReaderBack() async throws {
        let (reader, name) = try Self.reader(.ntag213)
        defer { reader.stop() }
        do {
            let dropped = ReaderSession(reader: name)
            dropped.begin()
            _ = try await dropped.detect(within: .seconds(10))
        }
        let next = ReaderSession(reader: name)
        next.begin()
        #expect(try await next.detect(within: .seconds(10)).count == 1)
        await next.invalidate()
    }
}
