// The writer writes, refuses and recovers, as its author observed on an iPhone

import CoreNFC
import Testing
import VirtualPN532

extension ClientTests {
    @MainActor @Suite struct WriterTests {
        let alerts = Events<String>()
        let ends = Events<Int>()
        let writer: Writer

        init() {
            let payload = NFCNDEFPayload.wellKnownTypeTextPayload(string: "Written", locale: Locale(identifier: "en"))
            writer = Writer(message: NFCNDEFMessage(records: [payload].compactMap { $0 }))
            writer.onEnd = { [ends] error in ends.record((error as NSError).code) }
        }

        private func write() {
            writer.beginWrite()
            writer.session?.showAlerts(to: alerts)
        }

        /// Text record "Written" (en) in an NDEF Message TLV — NFC Forum RTD Text.
        static let written: [UInt8] = [
            0x03, 0x0E, 0xD1, 0x01, 0x0A, 0x54, 0x02, 0x65, 0x6E, 0x57, 0x72, 0x69, 0x74, 0x74, 0x65, 0x6E, 0xFE,
        ]

        @Test func aTagIsWritten() async throws {
            let tag = VirtualTagKind.ntag213.make()
            _ = try Bench.reader(with: [tag])
            write()
            #expect(try await ends.next() == 200)
            #expect(alerts.all == ["Write NDEF message successful."])
            // The message follows the factory's Lock Control TLV of 5 bytes.
            let contents = try #require(tag as? VirtualType2Tag).contents
            #expect(Array(contents.dropFirst(16 + 5).prefix(Self.written.count)) == Self.written)
        }

        @Test func twoTagsAreRefusedUntilOneIsLeft() async throws {
            let tag = VirtualTagKind.type4.make()
            let reader = try Bench.reader(with: [tag, VirtualTagKind.ntag213.make()])
            write()
            try await alerts.wait(for: "More than 1 tag is detected. Please remove all tags and try again.")
            reader.field.replaceAll(with: [tag])
            #expect(try await ends.next() == 200)
            #expect(alerts.all.last == "Write NDEF message successful.")
            let file = try #require(tag as? VirtualType4Tag).ndefFile
            #expect(file.prefix(2 + 14) == [0x00] + Self.written.dropFirst().prefix(1 + 14))
        }

        @Test(arguments: [
            (VirtualTagKind.ultralight, "Tag is not NDEF compliant."),
            (.ntag215ReadOnly, "Tag is read only."),
            (.type4ReadOnly, "Tag is read only."),
        ])
        func aTagThatCannotBeWrittenIsLeftAlone(_ kind: VirtualTagKind, _ alert: String) async throws {
            let tag = kind.make()
            let generation = tag.generation
            _ = try Bench.reader(with: [tag])
            write()
            #expect(try await ends.next() == 200)
            #expect(alerts.all == [alert])
            #expect(tag.generation == generation)
        }

        @Test func aMessageThatDoesNotFitIsRefusedBeforeTheTagIsTouched() async throws {
            let tag = VirtualTagKind.ntag213.make()
            _ = try Bench.reader(with: [tag])
            let payload = Data(count: 200)
            writer.message = NFCNDEFMessage(records: [
                NFCNDEFPayload(format: .unknown, type: Data(), identifier: Data(), payload: payload)
            ])
            write()
            #expect(try await ends.next() == 200)
            #expect(alerts.all == ["Write NDEF message fail: NDEF tag size is too small"])
            #expect(tag.generation == 0)
        }

        @Test func aTagPulledAwayDuringTheWriteIsToldAsLost() async throws {
            let reader = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            reader.faults.loss = reader.statistics.tagCommands + 6
            write()
            #expect(try await ends.next() == 200)
            #expect(alerts.all == ["Write NDEF message fail: Tag connection lost"])
        }

        @Test func theWriterWritesOneTagAfterTheOther() async throws {
            for serial in 1...3 {
                let tag = VirtualTagKind.ntag215.make(serial: serial)
                _ = try Bench.reader(with: [tag])
                write()
                #expect(try await ends.next() == 200)
                #expect(alerts.all.count == serial)
                #expect(tag.generation > 0)
            }
        }
    }
}
