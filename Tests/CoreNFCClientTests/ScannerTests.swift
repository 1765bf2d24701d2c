// The scanner finds tags, lists messages and stops, as its author observed on an iPhone

import CoreNFC
import Testing
import VirtualPN532

extension ClientTests {
    @MainActor @Suite struct ScannerTests {
        final class Paper: Screen {
            let events = Events<String>()
            weak var scanner: Scanner?

            func reload() {
                let records = scanner?.detectedMessages.map(\.records.count) ?? []
                events.record("\(records)\(scanner?.session == nil ? " closed" : "")")
            }

            func present(title: String, message: String) { events.record("\(title): \(message)") }
        }

        let scanner = Scanner()
        let paper = Paper()

        init() {
            scanner.screen = paper
            paper.scanner = scanner
        }

        @Test func aTagIsListedAndTheSessionClosesWithoutComplaint() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            scanner.beginScanning()
            try await paper.events.wait(for: "[2] closed")
            #expect(paper.events.all == ["[2]", "[2] closed"])
            #expect(scanner.detectedMessages[0].records[0].wellKnownTypeTextPayload().0 == "Hello from nfctool")
        }

        @Test func theUsersCancelIsNoError() async throws {
            _ = try Bench.reader()
            scanner.beginScanning()
            scanner.session?.invalidate()
            try await paper.events.wait(for: "[] closed")
            #expect(paper.events.all == ["[] closed"])
        }

        @Test func tagsWithoutAMessageArePassedOver() async throws {
            let reader = try Bench.reader(with: [VirtualTagKind.ultralight.make(), VirtualTagKind.ntag213.make()])
            let before = reader.statistics.tagCommands
            scanner.beginScanning()
            // The scanner gets no event for these tags, but the frames on the air show that they were polled.
            try await until { reader.statistics.tagCommands >= before + 4 }
            reader.field.replaceAll(with: [VirtualTagKind.demonstration()])
            try await paper.events.wait(for: "[2] closed")
        }

        @Test func aScannerForManyTagsReadsEachOnceAndWaitsForTheNext() async throws {
            let reader = try Bench.reader(with: [VirtualTagKind.demonstration()])
            scanner.readsOneTag = false
            scanner.beginScanning()
            try await paper.events.wait(for: "[2]")
            reader.field.replaceAll(with: [])
            reader.field.place(VirtualTagKind.type4.make(text: "again"))
            try await paper.events.wait(for: "[2, 1]")
            scanner.session?.invalidate()
            try await paper.events.wait(for: "[2, 1] closed")
            #expect(paper.events.all == ["[2]", "[2, 1]", "[2, 1] closed"])
        }

        @Test func aReaderThatDiesIsReported() async throws {
            let reader = try Bench.reader()
            scanner.beginScanning()
            reader.faults.mute = 0
            defer { reader.faults = Faults() }
            try await paper.events.wait(for: "[] closed")
            #expect(paper.events.all.first == "Session Invalidated: Session invalidated unexpectedly")
        }

        @Test func aScannerCanBeginAgainAsSoonAsItsSessionIsClosed() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            scanner.beginScanning()
            try await paper.events.wait(for: "[2] closed")
            scanner.beginScanning()
            try await paper.events.wait(for: "[2, 2] closed")
        }
    }
}

extension VirtualTagKind {
    /// Returns a tag of this kind with one short text record in English.
    func make(text: String, serial: Int = 1) -> any VirtualTag {
        let tag = make(serial: serial)
        let payload = [0x02, 0x65, 0x6E] + Array(text.utf8)
        let message = [0xD1, 0x01, UInt8(payload.count), 0x54] + payload
        switch tag {
        case let tag as VirtualType2Tag: tag.store([0x03, UInt8(message.count)] + message + [0xFE], at: 4)
        case let tag as VirtualType4Tag: tag.store([0x00, UInt8(message.count)] + message)
        default: break
        }
        return tag
    }
}
