// The session of iOS 11 and its commands with retries — CoreNFC NFCISO15693ReaderSession, NFCTagCommandConfiguration

import CoreNFC
import Foundation
import Testing
import VicinityReaders

@Suite(.timeLimit(.minutes(5))) struct FirstSessionTests {
    private let tag = VicinityTag { [0x00, $0] + $1 }

    @Test func aSessionOfIOS11FindsTagsAndEnds() async throws {
        let bench = FirstBench([tag])
        _ = try await bench.begin()
        bench.restartPolling()
        #expect(try await bench.events.next() == "found 1")
        bench.session.invalidate()
        #expect(try await bench.events.next() == "200")
    }

    @Test func withoutTheRadioItEndsWith1() async throws {
        let bench = FirstBench([tag], hasRadio: false)
        bench.session.begin()
        #expect(try await bench.events.next() == "1")
    }

    @Test func commandsNeedNoConnectionAndTakeItFromOthers() async throws {
        let other = VicinityTag(uid: [0xE0, 0x02, 0, 0, 0, 0, 0, 1])
        other.memory = [1, 2, 3, 4]
        let bench = FirstBench([tag, other])
        let tags = try await bench.begin()
        #expect(try await bench.custom(tags[0], parameters: [7]).hex == "A007")
        #expect(tag.frames.last == [0x22, 0xA0, 0x04] + tag.uid.reversed() + [7])
        #expect(try await bench.read(tags[1], NSRange(location: 0, length: 1), chunk: 1).hex == "01020304")
        #expect(try await bench.custom(tags[0], parameters: []).hex == "A0")
    }

    @Test func blocksComeInChunksAndInOnePiece() async throws {
        tag.memory = (0..<112).map { UInt8($0) }
        let bench = FirstBench([tag])
        let found = try #require(try await bench.begin().first)
        let data = try await bench.read(found, NSRange(location: 2, length: 10), chunk: 4)
        #expect(data == Data(8..<48))
        #expect(tag.frames.map { Array($0.suffix(2)) } == [[2, 3], [6, 3], [10, 1]])
    }

    @Test(arguments: [(0, 1, 102), (1, 2, 101), (3, 3, nil), (256, 256, nil)] as [(Int, Int, Int?)])
    func aSilentTagIsAskedAgain(_ retries: Int, _ silences: Int, _ expected: Int?) async throws {
        let bench = FirstBench([tag])
        let found = try #require(try await bench.begin().first)
        tag.fail(.hearsNothing(silences))
        #expect(await code { _ = try await bench.custom(found, parameters: [], retries: retries) } == expected)
        #expect(tag.frames.count == min(retries, silences) + 1)
    }

    @Test func aRefusalIsNotRepeated() async throws {
        let refusing = VicinityTag { _, _ in [0x01, 0x0F] }
        let bench = FirstBench([refusing])
        let found = try #require(try await bench.begin().first)
        let error = await failure { _ = try await bench.custom(found, parameters: [], retries: 5) }
        #expect(error?.errorCode == 102 && error?.userInfo[NFCISO15693TagResponseErrorKey] as? Int == 0x0F)
        #expect(refusing.frames.count == 1)
    }

    @Test func aTagThatLeftIsNotWaitedFor() async throws {
        let bench = FirstBench([tag])
        let found = try #require(try await bench.begin().first)
        bench.desk.tags = []
        #expect(await code { _ = try await bench.custom(found, parameters: [], retries: 5) } == 100)
    }

    @Test func anEndCutsTheWaitForARetryShort() async throws {
        let bench = FirstBench([tag])
        let found = try #require(try await bench.begin().first)
        tag.fail(.hearsNothing(2))
        async let answer = code { _ = try await bench.custom(found, parameters: [], retries: 1, interval: 3_000) }
        try await until { tag.frames.count == 1 }
        bench.session.invalidate()
        #expect(await answer == 103)
    }

    @Test(arguments: [(-1, 0.0), (257, 0), (1, -1), (1, .infinity), (1, .nan)])
    func retriesOutOfRangeAreRefused(_ retries: Int, _ interval: TimeInterval) async throws {
        let bench = FirstBench([tag])
        let found = try #require(try await bench.begin().first)
        #expect(
            await code { _ = try await bench.custom(found, parameters: [], retries: retries, interval: interval) }
                == 300)
        #expect(tag.frames.isEmpty)
    }

    @Test(arguments: [(0, 0, 1), (256, 1, 1), (0, 4, 0), (0, 4, -1)])
    func blocksThatCannotBeAreRefused(_ first: Int, _ count: Int, _ chunk: Int) async throws {
        let bench = FirstBench([tag])
        let found = try #require(try await bench.begin().first)
        let range = NSRange(location: first, length: count)
        #expect(await code { _ = try await bench.read(found, range, chunk: chunk) } == 300)
    }
}

private struct FirstBench: @unchecked Sendable {
    let desk: VicinityDesk
    let delegate = FirstDelegate()
    let session: NFCReaderSession

    var events: Events<String> { delegate.events }

    init(_ tags: [VicinityTag], hasRadio: Bool = true) {
        desk = VicinityDesk(tags, hasRadio: hasRadio)
        session = (OldSession() as any Old).session(delegate)
        session.readerSpecification = desk.connection
    }

    func begin() async throws -> [any NFCISO15693Tag] {
        session.begin()
        #expect(try await events.next() == "active")
        #expect(try await events.next() == "found \(desk.tags.count)")
        return delegate.tags
    }

    func restartPolling() { (OldSession() as any Old).restart(session) }

    func custom(
        _ tag: any NFCISO15693Tag, parameters: [UInt8], retries: Int = 0, interval: TimeInterval = 0
    ) async throws -> Data {
        let configuration = NFCISO15693CustomCommandConfiguration(
            manufacturerCode: tag.icManufacturerCode, customCommandCode: 0xA0, requestParameters: Data(parameters),
            maximumRetries: retries, retryInterval: interval)
        return try await withCheckedThrowingContinuation { done in
            tag.sendCustomCommand(commandConfiguration: configuration) { data, error in
                done.resume(with: error.map { .failure($0) } ?? .success(data))
            }
        }
    }

    func read(_ tag: any NFCISO15693Tag, _ range: NSRange, chunk: Int) async throws -> Data {
        let configuration = NFCISO15693ReadMultipleBlocksConfiguration(range: range, chunkSize: chunk)
        return try await withCheckedThrowingContinuation { done in
            tag.readMultipleBlock(readConfiguration: configuration) { data, error in
                done.resume(with: error.map { .failure($0) } ?? .success(data))
            }
        }
    }
}

// Unchecked: its tags change on the session's queue, before the event that reports them.
private final class FirstDelegate: NSObject, __NFCReaderSessionDelegate, @unchecked Sendable {
    let events = Events<String>()
    private(set) var tags: [any NFCISO15693Tag] = []

    func readerSessionDidBecomeActive(_ session: NFCReaderSession) { events.record("active") }

    func readerSession(_ session: NFCReaderSession, didInvalidateWithError error: any Error) {
        events.record("\((error as? NFCReaderError)?.errorCode ?? 0)")
    }

    func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag]) {
        self.tags = tags.compactMap { $0.asNFCISO15693Tag() }
        events.record("found \(tags.count)")
    }
}

// Deprecated names are used through a protocol, where they cause no warning.

private protocol Old {
    func session(_ delegate: any __NFCReaderSessionDelegate) -> NFCReaderSession
    func restart(_ session: NFCReaderSession)
}

private struct OldSession: Old {
    @available(*, deprecated)
    func session(_ delegate: any __NFCReaderSessionDelegate) -> NFCReaderSession {
        __NFCISO15693ReaderSession(delegate: delegate, queue: nil)
    }

    @available(*, deprecated)
    func restart(_ session: NFCReaderSession) { (session as? __NFCISO15693ReaderSession)?.restartPolling() }
}
