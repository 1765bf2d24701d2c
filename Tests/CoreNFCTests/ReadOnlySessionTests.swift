// The guarantees of a session that itself reads messages — CoreNFC NFCNDEFReaderSession, didDetectNDEFs

import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5))) struct ReadOnlySessionTests {
    @Test func itReadsOnePresentationOnceAndPollsOnAfterTheTagLeft() async throws {
        let bench = try ReadingBench([VirtualTagKind.demonstration()])
        bench.session.begin()
        try await bench.events.wait(for: .messages([2]))
        for serial in 1...3 {
            bench.reader.field.replaceAll(with: [VirtualTagKind.type4.make(text: "next", serial: serial)])
            #expect(try await bench.events.next() == .messages([1]))
        }
        bench.session.invalidate()
        try await bench.events.wait(for: .ended(200))
        let once = [Event](repeating: .messages([1]), count: 3)
        #expect(bench.events.all == [.active, .messages([2])] + once + [.ended(200)])
    }

    @Test func aTagThatCameBackIsReadAgain() async throws {
        let tag = VirtualTagKind.demonstration()
        let bench = try ReadingBench([tag])
        bench.session.begin()
        try await bench.events.wait(for: .messages([2]))
        bench.reader.field.remove()
        // The reader polls again only after it has found the field empty. A tag that is put back immediately counts as
        // the same presentation.
        bench.reader.resetStatistics()
        try await until { bench.reader.statistics.exchanges > 40 }
        bench.reader.field.place(tag)
        #expect(try await bench.events.next() == .messages([2]))
        bench.session.invalidate()
        try await bench.events.wait(for: .ended(200))
    }

    @Test func theMessagesOfSeveralTagsComeTogether() async throws {
        let bench = try ReadingBench(
            [VirtualTagKind.demonstration(), VirtualTagKind.type4.make(text: "four"), VirtualTagKind.ntag213.make()],
            once: true)
        bench.session.begin()
        try await bench.events.wait(for: .ended(204))
        guard case .messages(let counts) = bench.events.all[1] else {
            Issue.record("\(bench.events.all)")
            return
        }
        #expect(counts.sorted() == [1, 2])
    }

    @Test(arguments: [
        VirtualTagKind.ultralight.make(), VirtualTagKind.ntag213.make(),
        VirtualTagKind.ntag213.make(message: [0xD1, 0x01, 0xFA, 0x54]), VirtualTagKind.type4.make(message: [0x00]),
    ])
    func aTagWithoutAMessageIsPassedOver(_ tag: any VirtualTag) async throws {
        let bench = try ReadingBench([tag], once: true)
        bench.session.begin()
        try await until { bench.reader.statistics.tagCommands > 3 }
        bench.reader.field.replaceAll(with: [VirtualTagKind.demonstration()])
        try await bench.events.wait(for: .ended(204))
        #expect(bench.events.all == [.active, .messages([2]), .ended(204)])
    }

    @Test func aTagPulledAwayWhileItIsReadIsPassedOver() async throws {
        for command in 1...8 {
            var faults = Faults()
            faults.loss = command
            let bench = try ReadingBench([VirtualTagKind.type4.make(text: "lost")], once: true, faults: faults)
            bench.session.begin()
            // The tag is lost before or after its message was read. In both cases, the session ends with one message.
            try await until { bench.reader.statistics.tagCommands >= command }
            bench.reader.field.place(VirtualTagKind.demonstration())
            try await bench.events.wait(for: .ended(204))
            #expect(bench.events.all.count == 3)
        }
    }

    /// Long frames are lost while the tag is being placed, for longer than a command is repeated.
    @Test func aTagThatCouldNotBeReadIsReadAgainWhileItLiesThere() async throws {
        var faults = Faults()
        faults.coupling.edge = .milliseconds(2_500)
        let text = String(repeating: "long ", count: 40)
        let bench = try ReadingBench([VirtualTagKind.ntag216.make(text: text)], once: true, faults: faults)
        bench.session.begin()
        try await bench.events.wait(for: .ended(204))
        #expect(bench.events.all == [.active, .messages([1]), .ended(204)])
    }

    @Test func restartPollingChangesNothing() async throws {
        let bench = try ReadingBench([VirtualTagKind.demonstration()]) { session, event in
            if case .messages = event { session.restartPolling() }
        }
        bench.session.begin()
        try await bench.events.wait(for: .messages([2]))
        bench.session.restartPolling()
        bench.reader.field.replaceAll(with: [VirtualTagKind.type4.make(text: "next")])
        #expect(try await bench.events.next() == .messages([1]))
        bench.session.invalidate()
        try await bench.events.wait(for: .ended(200))
        #expect(bench.events.all == [.active, .messages([2]), .messages([1]), .ended(200)])
    }

    @Test func invalidatingInTheCallbackGives200EvenAfterAFirstRead() async throws {
        let bench = try ReadingBench([VirtualTagKind.demonstration()], once: true) { session, event in
            if case .messages = event { session.invalidate() }
        }
        bench.session.begin()
        try await bench.events.wait(for: .ended(200))
        #expect(bench.events.all == [.active, .messages([2]), .ended(200)])
    }
}
