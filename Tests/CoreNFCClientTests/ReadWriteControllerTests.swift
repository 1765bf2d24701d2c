// The controller reads, writes and waits for removal, as its author observed on an iPhone

import CoreNFC
import Testing
import VirtualPN532

extension ClientTests {
    @MainActor @Suite struct ReadWriteControllerTests {
        let controller = ReadWriteController()
        let alerts = Events<String>()
        let shown = Events<String>()
        let ends = Events<Int>()

        init() {
            controller.show = { [shown] text, url in shown.record(text ?? url?.absoluteString ?? "nothing") }
            controller.finish = { [ends] in ends.record($0) }
        }

        private func start(_ job: Job) {
            controller.start(job)
            controller.session?.showAlerts(to: alerts)
        }

        private func write() {
            start(.write(text: "Grüezi", url: URL(string: "https://www.example.com/a") ?? URL(fileURLWithPath: "/")))
        }

        @Test func textAndURIAreRead() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            start(.read)
            try await alerts.wait(for: "Read.")
            #expect(shown.all == ["Hello from nfctool (en)", "https://example.com"])
            controller.session?.invalidate()
            #expect(try await ends.next() == 200)
        }

        @Test func whatWasWrittenIsRead() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            write()
            try await alerts.wait(for: "Written.")
            controller.session?.invalidate()
            #expect(try await ends.next() == 200)
            start(.read)
            try await alerts.wait(for: "Read.")
            #expect(shown.all == ["Grüezi (en)", "https://www.example.com/a"])
            controller.session?.invalidate()
            #expect(try await ends.next() == 200)
        }

        @Test func theNextTagIsWrittenOnceTheFirstWasTakenAway() async throws {
            let reader = try Bench.reader(with: [VirtualTagKind.ntag213.make(serial: 1)])
            write()
            try await alerts.wait(for: "Written.")
            let second = VirtualTagKind.type4.make(serial: 2)
            reader.field.replaceAll(with: [second])
            try await alerts.wait(for: "Written.")
            #expect(second.generation > 0)
            controller.session?.invalidate()
            #expect(try await ends.next() == 200)
        }

        @Test func ofTwoTagsNoneIsWritten() async throws {
            let (first, second) = (VirtualTagKind.ntag213.make(serial: 1), VirtualTagKind.ntag213.make(serial: 2))
            let reader = try Bench.reader(with: [first, second])
            write()
            try await alerts.wait(for: "Only one tag, please.")
            #expect(first.generation + second.generation == 0)
            reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 3)])
            try await alerts.wait(for: "Written.")
            #expect(first.generation + second.generation == 0)
            controller.session?.invalidate()
            #expect(try await ends.next() == 200)
        }

        @Test(arguments: [
            (VirtualTagKind.ultralight, "Not an NDEF tag."),
            (.ntag215ReadOnly, "Read-only."),
            (.type4ReadOnly, "Read-only."),
        ])
        func aTagThatCannotBeWrittenEndsTheSession(_ kind: VirtualTagKind, _ alert: String) async throws {
            _ = try Bench.reader(with: [kind.make()])
            write()
            #expect(try await ends.next() == 200)
            #expect(alerts.all == [alert])
        }

        @Test func theCapacityIsComparedWithTheMessage() async throws {
            let tag = VirtualTagKind.ntag213.make()
            _ = try Bench.reader(with: [tag])
            start(.write(text: String(repeating: "x", count: 200), url: URL(fileURLWithPath: "/")))
            #expect(try await ends.next() == 200)
            #expect(alerts.all == ["The tag is too small: 213 > 137."])
            #expect(tag.generation == 0)
        }

        @Test func anEmptyTagHasNothingToRead() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag215.make()])
            start(.read)
            #expect(try await ends.next() == 200)
            #expect(alerts.all == ["NDEF tag does not contain any NDEF message"])
        }

        @Test(arguments: [VirtualTagKind.ntag213, .type4])
        func aTagPulledAwayAtAnyMomentIsToldAsLost(_ kind: VirtualTagKind) async throws {
            var seen: Set<String> = []
            for command in 1...40 {
                let reader = try Bench.reader(with: [kind.make()])
                reader.faults.tear = reader.statistics.tagCommands + command
                write()
                let alert = try await alerts.next()
                seen.insert(alert)
                if alert == "Written." { controller.session?.invalidate() }
                #expect(try await ends.next() == 200)
            }
            #expect(seen == ["Failed: Tag connection lost", "Failed (100): Tag connection lost", "Written."])
        }
    }
}
