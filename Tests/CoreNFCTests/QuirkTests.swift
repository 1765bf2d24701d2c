// Surprises that users of an iPhone run into, and the behaviour here — ../shared/reference/corenfc-api.md, section 6,
// by number

import CoreNFC
import Foundation
import ReaderInterface
import TagTypes
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5))) struct QuirkTests {
    private func payload(_ hex: String, type: String = "T") -> NFCNDEFPayload {
        NFCNDEFPayload(format: .nfcWellKnown, type: Data(type.utf8), identifier: Data(), payload: data(hex))
    }

    @Test func quirk1ThePayloadIsRawAndTheGettersDecodeIt() throws {
        let text = payload("02 65 6E 48 69")
        #expect(String(data: text.payload, encoding: .utf8) == "\u{2}enHi")
        #expect(text.wellKnownTypeTextPayload().0 == "Hi")
        let uri = payload("04 65 78 61 6D 70 6C 65 2E 63 6F 6D", type: "U")
        #expect(String(data: uri.payload, encoding: .utf8) == "\u{4}example.com")
        #expect(uri.wellKnownTypeURIPayload() == URL(string: "https://example.com"))
    }

    @Test(arguments: ["82 65 6E 00 48 00 69", "82 65 6E FE FF 00 48 00 69", "82 65 6E FF FE 48 00 69 00"])
    func quirk2TextInUTF16IsReadAndUTF8IsWritten(_ hex: String) throws {
        #expect(payload(hex).wellKnownTypeTextPayload().0 == "Hi")
        let written = NFCNDEFPayload.wellKnownTypeTextPayload(string: "Hi", locale: Locale(identifier: "en"))
        #expect(written?.payload.hex == "02656E4869")
    }

    @available(*, deprecated)
    @Test func quirk3TheMisspeltFactoryWorks() {
        let record = NFCNDEFPayload.wellKnowTypeTextPayload(string: "Hi", locale: Locale(identifier: "de"))
        #expect(record?.wellKnownTypeTextPayload().0 == "Hi")
    }

    @Test(arguments: ["", "48 69", "FF", "3F 65", "82 65 6E 00"])
    func quirk4TextWithoutItsStatusByteIsNoCrash(_ hex: String) {
        let (text, locale) = payload(hex).wellKnownTypeTextPayload()
        #expect(text == nil && locale == nil)
    }

    @Test func quirk5OperationsWantAConnectionButNotItsHandler() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try #require(try await bench.begin().first)
        #expect(await code { _ = try await tag.queryNDEFStatus() } == 104)
        #expect(await code { try await tag.writeNDEF(message("x")) } == 104)
        bench.session.connect(to: tag) { _ in }
        #expect(try await tag.queryNDEFStatus().0 == .readWrite)
        try await bench.end()
    }

    @Test func quirk6MessagesAreNeverDetectedOnceTagsAre() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        try await tag.writeNDEF(message("x"))
        bench.session.restartPolling()
        _ = try await bench.tags()
        try await bench.end()
        #expect(!bench.events.all.contains(.strayed("didDetectNDEFs")))
    }

    @Test func quirk7WithSeveralTagsPollingIsRestartedFromAnyQueue() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make(serial: 1), VirtualTagKind.ntag213.make(serial: 2)])
        let tags = try await bench.begin()
        #expect(tags.count == 2)
        bench.session.alertMessage = "More than one tag was found."
        bench.reader.field.remove(identifier: tags[0].target.identifier)
        let session = bench.session
        DispatchQueue.global().async { session.restartPolling() }
        #expect(try await bench.tags().map(\.target.identifier) == [tags[1].target.identifier])
        try await bench.end()
    }

    @Test func quirk8ConnectingToTheSameTagTellsWhetherItIsThere() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        for _ in 1...3 { try await bench.session.connect(to: tag) }
        #expect(tag.isAvailable)
        bench.reader.field.remove()
        #expect(await code { try await bench.session.connect(to: tag) } == 100)
        #expect(!tag.isAvailable)
        bench.session.restartPolling()
        bench.reader.field.place(VirtualTagKind.ntag213.make(serial: 9))
        #expect(try await bench.tags().count == 1)
        try await bench.end()
    }

    @Test func quirk9BothWaysOfEndingGive200() async throws {
        for message in [nil, "That did not work."] {
            let bench = try Bench()
            bench.session.begin()
            #expect(try await bench.events.next() == .active)
            message.map(bench.session.invalidate(errorMessage:)) ?? bench.session.invalidate()
            #expect(try await bench.events.next() == .ended(200))
        }
    }

    @Test func quirk10AnotherSessionMayBeginAtOnce() async throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        for _ in 1...5 {
            let delegate = TagDelegate()
            let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
            session.readerSpecification = reader.connection
            session.begin()
            #expect(try await delegate.events.next() == .active)
            // Do not wait for the end.
            session.invalidate()
        }
    }

    @Test func quirk11AFinishedSessionCannotBeginAgain() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        _ = try await bench.begin()
        try await bench.end()
        bench.session.begin()
        #expect(try await bench.events.next() == .ended(103))
    }

    @Test func quirk12TheLimitIsAMinuteAndMayBeChanged() async throws {
        let bench = try Bench()
        #expect(bench.session.timeLimit == 60)
        bench.session.timeLimit = 0.2
        bench.session.begin()
        try await bench.events.wait(for: .ended(201))
    }

    @Test func quirk13WhatIsNotListedGives2() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()], identifiers: ["D2760000850101"])
        let tag = try await bench.iso7816()
        let apdu = try #require(NFCISO7816APDU(data: data("00 A4 04 00 07 A0 00 00 02 47 10 01 00")))
        #expect(await code { let _: (Data, UInt8, UInt8) = try await tag.sendCommand(apdu: apdu) } == 2)
        try await bench.end()
        let card = try TagSessionBench([VirtualTagKind.type3.make()], systemCodes: ["12FC"])
        let feliCa = try await card.feliCa()
        #expect(feliCa.currentSystemCode.hex == "12FC")
        let refusal = await code {
            _ = try await feliCa.polling(systemCode: data("0003"), requestCode: .noRequest, timeSlot: .max1)
        }
        #expect(refusal == 2)
        try await card.end()
    }

    @Test func quirk14AReaderThatDoesNotComeUpIsToldAtTheStart() async throws {
        var faults = Faults()
        faults.mute = 0
        let bench = try TagSessionBench([], faults: faults)
        bench.session.begin()
        guard case .ended(let code) = try await bench.events.next() else { throw Bench.Ended() }
        #expect(code == 202)
        #expect(bench.delegate.cause is ReaderError)
    }

    @Test func quirk15ABlankTagIsNeverFormatted() async throws {
        let bench = try Bench([VirtualTagKind.ultralight.make()])
        let tag = try await bench.connectedTag()
        #expect(try await tag.queryNDEFStatus().0 == .notSupported)
        #expect(await code { _ = try await tag.readNDEF() } == 403)
        #expect(await code { try await tag.writeNDEF(message("x")) } != nil)
        #expect(try await tag.queryNDEFStatus().0 == .notSupported)
        try await bench.end()
    }

    @Test func quirk16AFailedUpdateIsAStackErrorWithItsCause() async throws {
        let bench = try Bench([VirtualTagKind.ntag215.make()])
        let tag = try await bench.connectedTag()
        _ = try await tag.queryNDEFStatus()
        bench.reader.faults.nak = 1
        bench.reader.faults.repeats = true
        var failure: NFCReaderError?
        do { try await tag.writeNDEF(message(String(repeating: "x", count: 100))) } catch {
            failure = error as? NFCReaderError
        }
        let error = try #require(failure)
        #expect(error.errorCode == 401)
        #expect(error.localizedDescription == "Stack Error")
        #expect(error.userInfo[NSUnderlyingErrorKey] is TagError)
        try await bench.end()
    }

    @Test func quirk17ATagThatWasLostIsFoundAgainAtOnce() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.miFare()
        let absent = bench.reader.field.identifiers[0]
        bench.reader.field.remove()
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("30 00")) } == 100)
        bench.reader.field.place(VirtualTagKind.ntag213.make(uid: absent))
        bench.session.restartPolling()
        #expect(try await bench.detected().first?.asMiFare?.identifier == tag.identifier)
        try await bench.end()
    }

    @Test func quirk18ACommandThatTheTagDoesNotTakeGives102() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.miFare()
        var failure: (any Error)?
        do { _ = try await tag.sendMiFareCommand(commandPacket: data("FE 00")) } catch { failure = error }
        #expect((failure as? NFCReaderError)?.errorCode == 102)
        #expect(failure?.localizedDescription == "Tag response error / no response")
        try await bench.end()
    }

    @Test func quirk19ClassicComesToAnNDEFSessionOnly() async throws {
        let tags = try TagSessionBench([VirtualTagKind.classic1kNDEF.make()])
        tags.session.begin()
        #expect(try await tags.events.next() == .active)
        let before = tags.reader.statistics.exchanges
        try await until { tags.reader.statistics.exchanges > before + 10 }
        try await tags.end()
        #expect(tags.events.all == [.active, .ended(200)])
        let ndef = try Bench([VirtualTagKind.classic1kNDEF.make()])
        #expect(try await ndef.connectedTag().queryNDEFStatus().0 == .readWrite)
        try await ndef.end()
    }

    @Test func quirk20ALongMessageOnAType4TagIsReadWhole() async throws {
        let bench = try Bench([VirtualTagKind.type4v3.make()])
        let tag = try await bench.connectedTag()
        let text = String(repeating: "0123456789", count: 1_000)
        try await tag.writeNDEF(message(text))
        #expect(try await tag.readNDEF().text == text)
        try await bench.end()
    }

    private final class Terse: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
        let events = Events<Int>()
        func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
            events.record((error as NSError).code)
        }
        func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
            events.record(messages.count)
        }
    }

    @Test func quirk21ADelegateMayLeaveOutWhatIsOptional() async throws {
        let written = try Bench([VirtualTagKind.ntag213.make()])
        try await written.connectedTag().writeNDEF(message("x"))
        try await written.end()
        let delegate = Terse()
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = written.reader.connection
        session.begin()
        #expect(try await delegate.events.next() == 1)
        #expect(try await delegate.events.next() == 204)
    }

    @Test func quirk22TheDelegateIsHeldWeaklyAndTheSessionByItself() async throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        let delegate = TagDelegate()
        begin(on: reader, for: delegate)
        #expect(try await delegate.events.next() == .active)
        let tags = try #require(try await delegate.events.next().tags)
        #expect(tags.count == 1)
        weak var lost: TagDelegate?
        do {
            let other = TagDelegate()
            lost = other
            _ = NFCNDEFReaderSession(delegate: other, queue: nil, invalidateAfterFirstRead: false)
        }
        #expect(lost == nil)
        tags[0].readerSession.invalidate()
        try await delegate.events.wait(for: .ended(200))
    }

    /// Begins a session that is only in a local variable.
    private func begin(on reader: VirtualReader, for delegate: TagDelegate) {
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
        session.readerSpecification = reader.connection
        session.begin()
    }

    @Test func quirk23TheAsyncConnectExistsAndWorks() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try #require(try await bench.begin().first)
        try await bench.session.connect(to: tag)
        try await bench.end()
    }

    @Test(
        arguments: [
            (.readerSessionInvalidationErrorUserCanceled, "Session invalidated by user"),
            (.readerSessionInvalidationErrorSessionTimeout, "Session timeout"),
            (.readerSessionInvalidationErrorSessionTerminatedUnexpectedly, "Session invalidated unexpectedly"),
            (.readerSessionInvalidationErrorSystemIsBusy, "System resource unavailable"),
            (.readerSessionInvalidationErrorFirstNDEFTagRead, "First NDEF tag read"),
            (.readerTransceiveErrorTagConnectionLost, "Tag connection lost"),
            (.readerTransceiveErrorTagNotConnected, "Tag is not connected"),
        ] as [(NFCReaderError.Code, String)])
    func quirk24TheTextsAreThoseThatAppsCompare(_ code: NFCReaderError.Code, _ text: String) {
        let error: any Error = NFCReaderError(code)
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
        #expect((error as NSError).domain == "NFCError")
    }

    @Test func quirk25WithoutAQueueCallbacksComeOnABackgroundQueue() async throws {
        let places = Events<Bool>()
        let bench = try Bench { _, _ in places.record(Thread.isMainThread) }
        bench.session.begin()
        #expect(try await places.next() == false)
        #expect(bench.session.sessionQueue.label != DispatchQueue.main.label)
        try await bench.end()
    }
}
