// A smart-card library that sends to the tag it was given, without connecting it: yubikit-swift 1.0 to 1.1.1

import CoreNFC
import Testing
import VirtualPN532

extension ClientTests {
    @Suite struct SmartCardConnectionTests {
        private func data(_ bytes: UInt8...) -> Data { Data(bytes) }

        private var selectNDEF: Data { data(0, 0xA4, 4, 0, 7, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0) }

        @Test func itsConnectionSelectsAndReadsACardAndEnds() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4.make(text: "key")])
            for _ in 0..<3 {
                let card = try await SmartCard.connect(alertMessage: "Hold your key here.")
                #expect(try await card.send(selectNDEF) == data(0x90, 0x00))
                #expect(try await card.send(data(0, 0xA4, 0, 0x0C, 2, 0xE1, 0x04)) == data(0x90, 0x00))
                #expect(try await card.send(data(0, 0xB0, 0, 0, 2)) == data(0x00, 0x0A, 0x90, 0x00))
                #expect(try await card.send(data(0, 0xA4, 4, 0, 3, 1, 2, 3)).suffix(2) == data(0x6A, 0x82))
                await card.close(message: "Done.")
                await #expect(throws: SmartCardError.lost) { try await card.send(selectNDEF) }
            }
        }

        @Test func aSecondConnectionIsRefusedAndTheFirstGoesOn() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4.make()])
            let card = try await SmartCard.connect()
            await #expect(throws: SmartCardError.busy) { try await SmartCard.connect() }
            #expect(try await card.send(selectNDEF) == data(0x90, 0x00))
            await card.close()
        }

        @Test func aKeyThatWasTakenAwayIsTagConnectionLost() async throws {
            let reader = try Bench.reader(with: [VirtualTagKind.type4.make()])
            let card = try await SmartCard.connect()
            #expect(try await card.send(selectNDEF) == data(0x90, 0x00))
            reader.field.remove()
            let error = await #expect(throws: NFCReaderError.self) { try await card.send(selectNDEF) }
            #expect(error?.code == .readerTransceiveErrorTagConnectionLost)
            await card.close()
        }
    }
}
