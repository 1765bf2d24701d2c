// A blank tag that leaves while it is initialised, and comes back

import ReaderInterface
import ReaderSession
import SafeTag
import Testing
import VirtualPN532

@Suite struct InitialisingTests {
    @Test(
        "A blank tag that leaves while it is being initialised is initialised completely when it is back",
        arguments: [VirtualTagKind.mifareMini, .ultralight, .desfire, .topaz96Blank])
    func continues(_ kind: VirtualTagKind) async throws {
        let message = try Bench.text("https://example.com/a")
        var waits = 0
        // A Topaz 96 needs few commands, and is found again at once if it is away only for a moment.
        let isTopaz = kind == .topaz96Blank
        for loss in isTopaz ? stride(from: 2, through: 8, by: 1) : stride(from: 2, through: 90, by: 3) {
            try await Bench.with(kind) { bench in
                bench.reader.faults.loss = loss
                bench.reader.faults.back = .milliseconds(isTopaz ? 500 : 20)
                let answers = Answers(true)
                do {
                    try await Self.format(bench, patience: .upTo(.seconds(10)), answers)
                } catch let error as any ClassifiedError where error.kind == .tagGone {
                    // The tag left before the first write, or after the last.
                    #expect(!answers.words.contains("tagLeft"), "loss=\(loss): \(error)")
                }
                guard answers.words.contains("tagLeft") else { return }
                waits += 1
                #expect(try await bench.message().isEmpty)
                // Nothing is left to initialise.
                #expect(try await bench.write(message).bytes == message)
            }
        }
        #expect(waits > 0)
    }

    @Test("Without a wait, the next command finishes initialising a blank tag that left") func later() async throws {
        try await Bench.with(.mifareMini) { bench in
            bench.reader.faults.loss = 45
            bench.reader.faults.back = .milliseconds(500)
            let answers = Answers(true)
            let cut = await #expect(throws: WriteInterrupted.self) {
                try await Self.format(bench, patience: .none, answers)
            }
            #expect(cut?.kind == .tagGone && cut?.isJournaled == false)
            #expect(!answers.words.contains("tagLeft"))
            let message = try Bench.text("https://example.com/a")
            #expect(try await bench.write(message, asking: answers).bytes == message)
        }
    }

    private static func format(_ bench: Bench, patience: SafeWrite.Patience, _ answers: Answers) async throws {
        try await bench.session(asking: answers) { session in
            let write = SafeWrite(session, patience: patience)
            _ = try await write.change(within: .seconds(10), to: .keepMessage).format()
        }
    }
}
