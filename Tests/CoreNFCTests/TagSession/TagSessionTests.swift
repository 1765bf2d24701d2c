// The life of a tag session: connecting, restarting, several tags — CoreNFC NFCTagReaderSession

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct TagSessionTests {
    @Test func theConnectedTagIsToldAndForgotten() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try #require(try await bench.begin().first)
        #expect(bench.session.connectedTag == nil)
        try await bench.session.connect(to: tag)
        let connected = try #require(bench.session.connectedTag?.asMiFare)
        #expect(connected === tag.asMiFare)
        bench.session.restartPolling()
        let next = try #require(try await bench.detected().first)
        #expect(bench.session.connectedTag == nil)
        #expect(!tag.isAvailable)
        #expect(await code { try await bench.session.connect(to: tag) } == 100)
        try await bench.session.connect(to: next)
        try await bench.end()
        #expect(bench.session.connectedTag == nil)
        #expect(await code { try await bench.session.connect(to: next) } == 103)
    }

    /// Identifiers belong before `begin()`, but a malformed one is no failure of the reader.
    @Test func aMalformedIdentifierThatIsSetLateEndsTheSessionWith3() async throws {
        let bench = try TagSessionBench([]) { session, event in
            if event == .active { session.iso7816SelectIdentifiers = ["xyz"] }
        }
        bench.session.begin()
        try await bench.events.wait(for: .active)
        bench.reader.field.place(VirtualTagKind.type4.make())
        try await bench.events.wait(for: .ended(3))

        let restarted = try TagSessionBench([]) { session, event in
            guard event == .active else { return }
            session.feliCaSystemCodes = ["xyz"]
            session.restartPolling()
        }
        restarted.session.begin()
        try await restarted.events.wait(for: .ended(3))
    }

    @Test func aTagThatLeftIsNotConnectedAnyMore() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        bench.reader.field.remove()
        #expect(await code { try await bench.session.connect(to: tag) } == 100)
        #expect(bench.session.connectedTag == nil)
        #expect(!tag.isAvailable)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag213, .desfire, .type4, .feliCaStandard])
    func aTagThatACommandMissedIsNotConnectedAnyMore(_ kind: VirtualTagKind) async throws {
        let bench = try TagSessionBench([kind.make()])
        let tag = try await bench.connectedTag()
        bench.reader.field.remove()
        #expect(await code { try await tag.ask() } == 100)
        #expect(bench.session.connectedTag == nil)
        // An ISO 7816 card is connected automatically, which fails.
        #expect(await code { try await tag.ask() } == (kind == .type4 ? 100 : 104))
        try await bench.end()
    }

    @Test func aDeadTagTakesNoConnectionFromAnother() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let dead = try await bench.connectedTag()
        bench.session.restartPolling()
        let tag = try #require(try await bench.detected().first)
        try await bench.session.connect(to: tag)
        #expect(await code { try await bench.session.connect(to: dead) } == 100)
        #expect(bench.session.connectedTag?.asMiFare === tag.asMiFare)
        try await tag.ask()
        try await bench.end()
    }

    /// The tag's answer is longer than the chip's buffer.
    @Test func aTagThatSaysTooMuchDoesNotEndTheSession() async throws {
        let inner = try #require(VirtualTagKind.ntag213.make() as? any TypeATag)
        let bench = try TagSessionBench([Chatterbox(inner)])
        let tag = try await bench.miFare()
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("3C 00")) } == 102)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("30 00")).count == 16)
        try await bench.end()
    }

    @Test func tagsOfSeveralKindsAreDetectedTogether() async throws {
        let bench = try TagSessionBench([
            VirtualTagKind.ntag213.make(), VirtualTagKind.type4.make(), VirtualTagKind.type3.make(),
        ])
        let tags = try await bench.begin()
        #expect(Set(tags.map(\.kindName)) == ["miFare", "iso7816", "feliCa"])
        for tag in tags {
            try await bench.session.connect(to: tag)
            let native = try #require(tag.ndef)
            #expect(try await native.queryNDEFStatus().0 == .readWrite)
        }
        try await bench.end()
    }

    @Test func aRoundOfPollingHasItsOwnConfiguration() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make(), VirtualTagKind.type3.make()])
        #expect(Set(try await bench.begin().map(\.kindName)) == ["iso7816", "feliCa"])
        bench.session.restartPolling(configuration: .init(pollingOption: .iso18092))
        #expect(try await bench.detected().map(\.kindName) == ["feliCa"])
        // A card without the requested application counts as a MIFARE tag.
        bench.session.restartPolling(
            configuration: .init(pollingOption: .iso14443, iso7816SelectIdentifiers: ["A0000002471001"]))
        #expect(try await bench.detected().map(\.kindName) == ["miFare"])
        bench.session.restartPolling()
        #expect(Set(try await bench.detected().map(\.kindName)) == ["iso7816", "feliCa"])
        try await bench.end()
    }

    @Test(arguments: [
        (NFCTagReaderSession.Configuration(pollingOption: .iso15693), 1),
        (NFCTagReaderSession.Configuration(pollingOption: []), 3),
        (NFCTagReaderSession.Configuration(pollingOption: .iso18092, feliCaSystemCodes: ["12F"]), 3),
    ])
    func aRoundThatCannotBePolledEndsTheSession(_ configuration: NFCTagReaderSession.Configuration, _ code: Int)
        async throws
    {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        _ = try await bench.begin()
        bench.session.restartPolling(configuration: configuration)
        #expect(try await bench.events.next() == .ended(code))
    }

    @Test func aTagOfAnotherSessionIsRefused() async throws {
        let first = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let second = try TagSessionBench([VirtualTagKind.ntag213.make(serial: 2)])
        let foreign = try #require(try await first.begin().first)
        _ = try await second.begin()
        #expect(await code { try await second.session.connect(to: foreign) } == 3)
        try await first.end()
        try await second.end()
    }

    @Test func commandsRunInTheOrderOfTheirCallsWithoutWaitingForTheConnection() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try #require(try await bench.begin().first)
        let miFare = try #require(tag.asMiFare)
        let answers = Events<String>()
        bench.session.connect(to: tag) { answers.record("connected \($0 == nil)") }
        miFare.sendMiFareCommand(commandPacket: data("30 00")) { answers.record("read \($0.count) \($1 == nil)") }
        miFare.queryNDEFStatus { answers.record("status \($0.rawValue) \($1) \($2 == nil)") }
        for expected in ["connected true", "read 16 true", "status 2 137 true"] {
            #expect(try await answers.next() == expected)
        }
        try await bench.end()
    }

    @Test func aReaderThatGoesMuteEndsTheSession() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()])
        _ = try await bench.connectedTag()
        bench.reader.faults.mute = 0
        bench.session.restartPolling()
        try await bench.events.wait(for: .ended(202))
    }

    @Test func eachDelegateCallComesOnTheQueueThatWasGiven() async throws {
        let queue = DispatchQueue(label: "client")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let places = Events<Bool>()
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        let delegate = NativeTagDelegate { _, _ in places.record(DispatchQueue.getSpecific(key: key) ?? false) }
        let session = try #require(
            NFCTagReaderSession(pollingOption: .iso14443, delegate: delegate, queue: queue))
        session.readerSpecification = reader.connection
        session.begin()
        try await delegate.events.wait(for: .detected(1))
        session.invalidate()
        try await delegate.events.wait(for: .ended(200))
        // This is recorded after the event itself.
        try await until { places.all.count == 3 }
        #expect(places.all == [true, true, true])
    }
}

/// A tag that answers READ_SIG (3C) with 300 bytes.
private final class Chatterbox: TypeATag {
    private let inner: any TypeATag

    init(_ inner: any TypeATag) { self.inner = inner }

    var sensRes: [UInt8] { inner.sensRes }
    var nfcID1: [UInt8] { inner.nfcID1 }
    var selRes: UInt8 { inner.selRes }
    var generation: Int { inner.generation }

    func poll(wakeUp: Bool) -> Bool { inner.poll(wakeUp: wakeUp) }
    func select() { inner.select() }
    func deselect() { inner.deselect() }
    func halt() { inner.halt() }
    func fieldOff() { inner.fieldOff() }
    func receiveTorn(_ frame: [UInt8]) { inner.receiveTorn(frame) }

    func receive(_ frame: [UInt8]) -> TagReply {
        frame.first == 0x3C ? TagReply(.bytes([UInt8](repeating: 0xAA, count: 300))) : inner.receive(frame)
    }
}

extension NFCTag {
    /// Sends a command that every tag of this kind supports.
    func ask() async throws {
        switch self {
        case .miFare(let tag): _ = try await tag.sendMiFareCommand(commandPacket: data("60"))
        case .iso7816(let tag):
            let apdu = try #require(NFCISO7816APDU(data: data("00 B0 00 00 01")))
            let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: apdu)
        case .feliCa(let tag): _ = try await tag.requestResponse()
        default: throw TagSessionBench.OtherKind()
        }
    }

    var asMiFare: (any NFCMiFareTag)? { if case .miFare(let tag) = self { tag } else { nil } }
    var asISO7816: (any NFCISO7816Tag)? { if case .iso7816(let tag) = self { tag } else { nil } }

    var ndef: (any NFCNDEFTag)? {
        switch self {
        case .feliCa(let tag): tag
        case .iso7816(let tag): tag
        case .iso15693(let tag): tag
        case .miFare(let tag): tag
        @unknown default: nil
        }
    }
}
