// Apps in Swift 6 compile unedited, and work as on an iPhone

import CoreNFC
import Testing
import VirtualPN532

@testable import SwiftSixClients

extension ClientTests {
    @MainActor @Suite struct SwiftSixTests {
        let events = Events<String>()

        @Test func aModelOnTheMainActorReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            let model = MessageModel()
            model.onEnd = { [events] in events.record($0) }
            model.scan()
            #expect(model.isScanning)
            #expect(try await events.next() == "read")
            #expect(model.texts == ["Hello from nfctool"])
        }

        @Test func aModelOnTheMainQueueReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            let model = QueueModel()
            model.onEvent = { [events] in events.record($0) }
            model.scan()
            try await events.wait(for: "ended")
            #expect(events.all == ["active", "1 messages", "ended"])
        }

        @Test func aModelWithAnIsolatedConformanceReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            let model = IsolatedModel()
            model.onEvent = { [events] in events.record($0) }
            model.scan()
            #expect(try await events.next() == "active")
            #expect(try await events.next() == "16 bytes")
        }

        /// Off the main actor, a cast to a protocol fails if only the main actor has the conformance (SE-0470).
        @Test func aModelWithAnIsolatedConformanceReadsOnAnotherQueueToo() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            let model = IsolatedModel()
            model.onEvent = { [events] in events.record($0) }
            model.scan(on: nil)
            #expect(try await events.next() == "active")
            #expect(try await events.next() == "16 bytes")
        }

        @Test func aScannerBehindAContinuationWritesAndReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            try await NDEFScanner().write("six")
            #expect(try await NDEFScanner().read() == ["six"])
        }

        @Test func aStreamGivesTextsAndEnds() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            let stream = TextStream()
            let session = stream.start()
            var texts: [String] = []
            for try await text in stream.texts { texts.append(text) }
            #expect(texts == ["Hello from nfctool"])
            #expect(!session.isReady)
        }

        @Test(arguments: [(VirtualTagKind.ntag213, "MIFARE 8"), (.type4, "ISO 7816 144 0"), (.type3, "FeliCa 0 1")])
        func aTaskOfTheDelegateSpeaksToTheTag(_ kind: VirtualTagKind, _ answer: String) async throws {
            _ = try Bench.reader(with: [kind.make()])
            let reader = TagTaskReader { [events] in events.record($0) }
            reader.scan()
            #expect(try await events.next() == answer)
            #expect(try await events.next() == "ended")
        }

        @Test func aMockServesTheAsyncForms() async throws {
            let tag = ModernMockTag()
            try await tag.writeNDEF(NFCNDEFMessage(records: []))
            #expect(try await tag.readNDEF().records.isEmpty)
            #expect(try await tag.queryNDEFStatus() == (.readWrite, 100))
        }
    }
}
