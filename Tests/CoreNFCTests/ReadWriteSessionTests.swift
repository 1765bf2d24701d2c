// The guarantees of a read-write session about its tags — CoreNFC NFCNDEFReaderSession, connect, restartPolling

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct ReadWriteSessionTests {
    @Test(arguments: [1, 2, 3])
    func everyTagOfTheFieldIsDetected(_ count: Int) async throws {
        let bench = try Bench((1...count).map { VirtualTagKind.ntag213.make(serial: $0) })
        #expect(try await bench.begin().count == count)
        try await bench.end()
    }

    /// The results of two operations reach a busy queue late, when the second has already found the tag again.
    @Test func aTagThatWasFoundAgainIsAvailableEvenIfTheQueueWasBusy() async throws {
        let queue = DispatchQueue(label: "client")
        let virtual = VirtualTagKind.ntag213.make()
        let bench = try Bench([virtual], queue: queue)
        let tag = try await bench.connectedTag()
        queue.suspend()
        bench.reader.field.remove()
        let codes = Events<Int>()
        tag.readNDEF { codes.record(($1 as? NFCReaderError)?.errorCode ?? 0) }
        try await until { !tag.isAvailable }
        bench.reader.field.place(virtual)
        // At real latency, the tag is mute for 5 ms.
        try await Task.sleep(for: .milliseconds(50))
        bench.session.connect(to: tag) { codes.record(($0 as? NFCReaderError)?.errorCode ?? 0) }
        try await until { tag.isAvailable }
        queue.resume()
        #expect(try await codes.next() == 100)
        #expect(try await codes.next() == 0)
        #expect(tag.isAvailable)
        try await bench.end()
    }

    @Test func pollingStopsUntilItIsRestarted() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let first = try await bench.begin()
        for _ in 1...3 {
            bench.session.restartPolling()
            #expect(try await bench.tags().count == 1)
        }
        #expect(try await !bench.tagsAreDetectedWithoutRestart(after: first))
        try await bench.end()
        #expect(bench.events.all.filter { $0.tags != nil }.count == 4)
    }

    @Test func restartingMakesEarlierTagsDead() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let old = try await bench.connectedTag()
        bench.session.restartPolling()
        let new = try #require(try await bench.tags().first)
        #expect(!old.isAvailable)
        #expect(new.isAvailable)
        #expect(await code { try await bench.session.connect(to: old) } == 100)
        #expect(await code { _ = try await old.readNDEF() } == 100)
        #expect(await code { _ = try await old.queryNDEFStatus() } == 104)
        try await bench.session.connect(to: new)
        try await bench.end()
    }

    @Test func restartingAfterTheEndDoesNothing() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tags = try await bench.begin()
        try await bench.end()
        bench.session.restartPolling()
        #expect(await code { _ = try await tags[0].readNDEF() } == 103)
        #expect(bench.events.all == [.active, .tags(tags), .ended(200)])
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4])
    func connectingAgainChecksThatTheTagIsThere(_ kind: VirtualTagKind) async throws {
        let bench = try Bench([kind.make()])
        let tag = try await bench.connectedTag()
        try await bench.session.connect(to: tag)
        _ = try await tag.queryNDEFStatus()
        #expect(tag.isAvailable)
        bench.reader.field.remove()
        #expect(await code { try await bench.session.connect(to: tag) } == 100)
        #expect(!tag.isAvailable)
        #expect(await code { _ = try await tag.queryNDEFStatus() } == 104)
        try await bench.end()
    }

    @Test func aTagThatLeftBeforeItWasConnectedIsLost() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tags = try await bench.begin()
        bench.reader.field.remove()
        #expect(await code { try await bench.session.connect(to: tags[0]) } == 100)
        #expect(!tags[0].isAvailable)
        bench.session.restartPolling()
        bench.reader.field.place(VirtualTagKind.type4.make())
        #expect(try await bench.tags().count == 1)
        try await bench.end()
    }

    @Test func operationsRunInTheOrderOfTheirCalls() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try #require(try await bench.begin().first)
        let events = bench.events
        bench.session.connect(to: tag) { events.record(.handled("connect", $0 == nil ? 0 : 1)) }
        tag.queryNDEFStatus { events.record(.handled("status", $2 == nil ? $1 : -1)) }
        tag.writeNDEF(try message("one")) { events.record(.handled("write", $0 == nil ? 0 : 1)) }
        tag.readNDEF { message, _ in events.record(.handled(message?.text ?? "nothing", 0)) }
        tag.writeNDEF(NFCNDEFMessage(records: [])) { events.record(.handled("erase", $0 == nil ? 0 : 1)) }
        tag.readNDEF { events.record(.handled("read", ($1 as? NFCReaderError)?.errorCode ?? 0)) }
        bench.session.connect(to: tag) { events.record(.handled("connect", $0 == nil ? 0 : 1)) }
        let expected: [Event] = [
            .handled("connect", 0), .handled("status", 137), .handled("write", 0), .handled("one", 0),
            .handled("erase", 0),
            .handled("read", 403), .handled("connect", 0),
        ]
        for event in expected { #expect(try await events.next() == event) }
        try await bench.end()
    }

    @Test func connectingToAnotherTagDropsTheFirst() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make(), VirtualTagKind.type4.make(text: "four")])
        let tags = try await bench.begin()
        for (tag, other) in [(tags[0], tags[1]), (tags[1], tags[0]), (tags[0], tags[1])] {
            try await bench.session.connect(to: tag)
            #expect(try await tag.queryNDEFStatus().0 == .readWrite)
            #expect(await code { _ = try await other.queryNDEFStatus() } == 104)
            #expect(await code { _ = try await other.readNDEF() } == 104)
            #expect(tag.isAvailable)
        }
        try await bench.end()
    }

    @Test func aTagDroppedForAnotherIsNotAvailableUntilItIsConnectedAgain() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make(), VirtualTagKind.type4.make(text: "four")])
        let tags = try await bench.begin()
        #expect(tags[0].isAvailable && tags[1].isAvailable)
        try await bench.session.connect(to: tags[0])
        #expect(tags[0].isAvailable && tags[1].isAvailable)
        try await bench.session.connect(to: tags[1])
        #expect(!tags[0].isAvailable && tags[1].isAvailable)
        try await bench.session.connect(to: tags[0])
        #expect(tags[0].isAvailable && !tags[1].isAvailable)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .feliCaLiteSNDEF])
    func aConnectedTagThatLeftIsNotAvailableAndNobodyHadToAskIt(_ kind: VirtualTagKind) async throws {
        let bench = try Bench([kind.make()])
        let tag = try await bench.connectedTag()
        #expect(tag.isAvailable)
        bench.reader.field.remove()
        try await until { !tag.isAvailable }
        #expect(await code { try await bench.session.connect(to: tag) } == 100)
        try await bench.end()
    }

    @Test func lookingForATagSendsNothingWhenItAnsweredAMomentAgo() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        _ = try await tag.queryNDEFStatus()
        let before = (time: ContinuousClock.now, exchanges: bench.reader.statistics.exchanges)
        for _ in 0..<100 { #expect(tag.isAvailable) }
        if ContinuousClock.now - before.time < .milliseconds(80) {
            #expect(bench.reader.statistics.exchanges == before.exchanges)
        }
        try await bench.end()
    }

    /// A program that waits in a callback for a tag to leave must not wait for the reader.
    ///
    /// The reader waits for the callback.
    @Test func aTagMayBeLookedForInACallback() async throws {
        let left = Events<String>()
        let bench = try Bench([VirtualTagKind.ntag213.make()]) { session, event in
            guard let tag = event.tags?.first else { return }
            session.connect(to: tag) { _ in
                left.record("connected")
                while tag.isAvailable { usleep(10_000) }
                left.record("left")
            }
        }
        _ = try await bench.begin()
        #expect(try await left.next() == "connected")
        bench.reader.field.remove()
        #expect(try await left.next() == "left")
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .feliCaLiteSNDEF, .topaz512])
    func theStatusIsAskedOfTheTagAndNotRemembered(_ kind: VirtualTagKind) async throws {
        let bench = try Bench([kind.make()])
        let tag = try await bench.connectedTag()
        _ = try await tag.queryNDEFStatus()
        bench.reader.field.remove()
        #expect(await code { _ = try await tag.queryNDEFStatus() } == 100)
        #expect(!tag.isAvailable)
        try await bench.end()
    }

    @Test func anUnconnectedTagIsReadButNothingElse() async throws {
        let bench = try Bench([VirtualTagKind.demonstration()])
        let tag = try #require(try await bench.begin().first)
        #expect(await code { _ = try await tag.queryNDEFStatus() } == 104)
        #expect(await code { try await tag.writeNDEF(message("no")) } == 104)
        #expect(await code { try await tag.writeLock() } == 104)
        #expect(try await tag.readNDEF().records.count == 2)
        try await bench.end()
    }

    @Test func tagsOfOthersAreRefused() async throws {
        let (first, second) = (
            try Bench([VirtualTagKind.ntag213.make()]), try Bench([VirtualTagKind.ntag213.make()])
        )
        let foreign = try #require(try await first.begin().first)
        _ = try await second.begin()
        #expect(await code { try await second.session.connect(to: foreign) } == 3)
        #expect(await code { try await second.session.connect(to: Foreign()) } == 3)
        try await first.end()
        try await second.end()
    }

    @Test func everyOperationAfterTheEndFailsWith103() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        try await bench.end()
        #expect(await code { try await bench.session.connect(to: tag) } == 103)
        #expect(await code { _ = try await tag.queryNDEFStatus() } == 103)
        #expect(await code { _ = try await tag.readNDEF() } == 103)
        #expect(await code { try await tag.writeNDEF(message("no")) } == 103)
        #expect(await code { try await tag.writeLock() } == 103)
        #expect(!tag.isAvailable)
    }

    @Test func operationsInTheQueueAtTheEndFailBeforeTheLastCallback() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        let events = bench.events
        for number in 1...20 {
            tag.queryNDEFStatus { events.record(.handled("\(number)", ($2 as? NFCReaderError)?.errorCode ?? 0)) }
        }
        bench.session.invalidate()
        try await events.wait(for: .ended(200))
        let handled = events.all.dropFirst(2).dropLast().compactMap { event -> String? in
            if case .handled(let number, let code) = event { #expect([0, 103].contains(code)); return number }
            return nil
        }
        #expect(handled == (1...20).map { "\($0)" })
    }

    @Test func aCopyOfATagIsTheTagAndAnArchiveHoldsNone() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try #require(try await bench.begin().first)
        #expect(tag.copy() as? SessionTag === tag)
        let archive = try NSKeyedArchiver.archivedData(withRootObject: tag, requiringSecureCoding: true)
        #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: SessionTag.self, from: archive)) == nil)
        try await bench.end()
    }
}

extension Bench {
    /// Returns whether the session detects tags again by itself after all operations that it was given.
    func tagsAreDetectedWithoutRestart(after tags: [SessionTag]) async throws -> Bool {
        let count = events.all.count
        for tag in tags { _ = await code { try await session.connect(to: tag) } }
        return events.all.count > count
    }
}

extension VirtualTagKind {
    /// Returns a tag of this kind with one short text record in English.
    func make(text: String, serial: Int = 1) -> any VirtualTag {
        let tag = make(serial: serial)
        let payload = [0x02, 0x65, 0x6E] + Array(text.utf8)
        tag.store(message: [0xD1, 0x01, UInt8(payload.count), 0x54] + payload)
        return tag
    }

    /// Returns a tag of this kind that has these bytes, at most 254, in the place of a message.
    func make(message: [UInt8], serial: Int = 1) -> any VirtualTag {
        let tag = make(serial: serial)
        tag.store(message: message)
        return tag
    }
}

extension VirtualTag {
    fileprivate func store(message: [UInt8]) {
        switch self {
        case let tag as VirtualType2Tag: tag.store([0x03, UInt8(message.count)] + message + [0xFE], at: 4)
        case let tag as VirtualType4Tag: tag.store([0x00, UInt8(message.count)] + message)
        default: break
        }
    }
}
