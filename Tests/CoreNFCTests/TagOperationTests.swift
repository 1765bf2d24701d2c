// The results of reading, writing and locking, and their codes — CoreNFC NFCNDEFTag

import Chance
import CoreNFC
import Foundation
import TagTypes
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct TagOperationTests {
    @Test(arguments: [
        (VirtualTagKind.ntag213, NFCNDEFStatus.readWrite, 137), (.ntag215, .readWrite, 492),
        (.ntag216, .readWrite, 868),
        (.type4, .readWrite, 2046), (.ntag215ReadOnly, .readOnly, 492), (.type4ReadOnly, .readOnly, 2046),
    ])
    func theStatusComesWithTheCapacity(_ kind: VirtualTagKind, _ status: NFCNDEFStatus, _ capacity: Int) async throws {
        let bench = try Bench([kind.make()])
        let found = try await bench.connectedTag().queryNDEFStatus()
        #expect(found.0 == status)
        #expect(found.1 == capacity)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ultralight, .desfire])
    func aBlankTagIsNotSupportedAndHasNoMessage(_ kind: VirtualTagKind) async throws {
        let bench = try Bench([kind.make()])
        let tag = try await bench.connectedTag()
        #expect(try await tag.queryNDEFStatus() == (.notSupported, 0))
        #expect(await code { _ = try await tag.readNDEF() } == 403)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag215, .type4])
    func whatWasWrittenIsRead(_ kind: VirtualTagKind) async throws {
        let bench = try Bench([kind.make()])
        let tag = try await bench.connectedTag()
        #expect(await code { _ = try await tag.readNDEF() } == 403)
        for text in ["short", String(repeating: "long ", count: 60), "short"] {
            try await tag.writeNDEF(message(text))
            #expect(try await tag.readNDEF().text == text)
        }
        try await bench.end()
    }

    @Test func aMessageIsWrittenAsItWasAtTheCall() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        let events = bench.events
        let text = try message("before")
        tag.writeNDEF(text) { events.record(.handled("write", $0 == nil ? 0 : 1)) }
        text.records = []
        #expect(try await events.next() == .handled("write", 0))
        #expect(try await tag.readNDEF().text == "before")
        try await bench.end()
    }

    @Test func aTagThatOffersNoLockGives400() async throws {
        let bench = try Bench([VirtualTagKind.type4.make()])
        let tag = try await bench.connectedTag()
        #expect(await code { try await tag.writeLock() } == 400)
        #expect(try await tag.queryNDEFStatus().0 == .readWrite)
        try await bench.end()
    }

    @Test func aLockedTagStaysReadOnly() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make(text: "kept")])
        let tag = try await bench.connectedTag()
        try await tag.writeLock()
        bench.session.restartPolling()
        let again = try #require(try await bench.tags().first)
        try await bench.session.connect(to: again)
        #expect(try await again.queryNDEFStatus().0 == .readOnly)
        #expect(await code { try await again.writeNDEF(message("new")) } == 400)
        #expect(try await again.readNDEF().text == "kept")
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag215ReadOnly, .ntag215Protected, .type4ReadOnly])
    func aTagThatRefusesWritingGives400AndIsNotTouched(_ kind: VirtualTagKind) async throws {
        let tag = kind.make()
        let bench = try Bench([tag])
        let found = try await bench.connectedTag()
        #expect(await code { try await found.writeNDEF(message("no")) } == 400)
        #expect(tag.generation == 0)
        try await bench.end()
    }

    @Test func aMessageThatDoesNotFitGives402AndTheTagIsNotTouched() async throws {
        let tag = VirtualTagKind.ntag213.make()
        let bench = try Bench([tag])
        let found = try await bench.connectedTag()
        // TNF 1, "T", status and "en" take 7 bytes in addition to the text.
        let fitting = try message(String(repeating: "x", count: 130))
        #expect(fitting.length == 137)
        #expect(await code { try await found.writeNDEF(message(String(repeating: "x", count: 131))) } == 402)
        #expect(tag.generation == 0)
        try await found.writeNDEF(fitting)
        try await bench.end()
    }

    @Test(arguments: [
        NFCNDEFPayload(format: .media, type: Data(count: 256), identifier: Data(), payload: Data()),
        NFCNDEFPayload(format: .nfcWellKnown, type: Data("T".utf8), identifier: Data(count: 256), payload: Data()),
        NFCNDEFPayload(format: .empty, type: Data(), identifier: Data(), payload: Data(count: 1)),
        NFCNDEFPayload(format: .unchanged, type: Data(), identifier: Data(), payload: Data(count: 1)),
        NFCNDEFPayload(format: .unknown, type: Data("x".utf8), identifier: Data(), payload: Data(count: 1)),
    ])
    func aRecordThatCannotBeEncodedGives3AndTheTagIsNotTouched(_ record: NFCNDEFPayload) async throws {
        let tag = VirtualTagKind.ntag215.make()
        let bench = try Bench([tag])
        let found = try await bench.connectedTag()
        #expect(await code { try await found.writeNDEF(NFCNDEFMessage(records: [record])) } == 3)
        #expect(tag.generation == 0)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4])
    func brokenBytesOnATagGive102WithTheReasonUnderneath(_ kind: VirtualTagKind) async throws {
        let bench = try Bench([kind.make(message: [0xD1, 0x01, 0xFA, 0x54, 0x02])])
        let tag = try await bench.connectedTag()
        let error = await #expect(throws: NFCReaderError.self) { try await tag.readNDEF() }
        #expect(error?.code == .readerTransceiveErrorTagResponseError)
        #expect("\(error?.userInfo[NSUnderlyingErrorKey] ?? "")" == "PAYLOAD at offset 4 needs 250 bytes; 1 is left.")
        try await bench.end()
    }

    @Test func aTagThatLeavesDuringTheWriteGives100AndSaysWhatItHolds() async throws {
        let bench = try Bench([VirtualTagKind.ntag215.make(text: "old")])
        let tag = try await bench.connectedTag()
        _ = try await tag.queryNDEFStatus()
        bench.reader.faults.tear = bench.reader.statistics.tagCommands + 8
        let new = try message(String(repeating: "new ", count: 20))
        let error = await #expect(throws: NFCReaderError.self) { try await tag.writeNDEF(new) }
        #expect(error?.code == .readerTransceiveErrorTagConnectionLost)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? TagError
        guard case .writeInterrupted(.empty, _, of: new.length, _) = cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!tag.isAvailable)
        try await bench.end()
    }

    @Test func aTagThatRefusesToTakeTheMessageGives401() async throws {
        let bench = try Bench([VirtualTagKind.ntag215.make()])
        let tag = try await bench.connectedTag()
        _ = try await tag.queryNDEFStatus()
        bench.reader.faults.nak = 1
        bench.reader.faults.repeats = true
        #expect(await code { try await tag.writeNDEF(message("no")) } == 401)
        bench.reader.faults = Faults()
        #expect(tag.isAvailable)
        try await bench.session.connect(to: tag)
        try await tag.writeNDEF(message("yes"))
        try await bench.end()
    }

    @Test func aTagThatDoesNotAnswerGives102() async throws {
        let bench = try Bench([VirtualTagKind.ntag215.make()])
        let tag = try await bench.connectedTag()
        bench.reader.faults.nak = 1
        bench.reader.faults.repeats = true
        #expect(await code { _ = try await tag.readNDEF() } == 102)
        try await bench.end()
    }
}
