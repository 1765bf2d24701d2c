// Independent programs on an emulated USB bus: libnfc's own through its USB drivers, nfcpy through libusb-1.0

import Foundation
import Testing
import USBBus
import VirtualPN532

/// The parent of the suites that start programs.
///
/// They run one after the other, because the machine has two cores.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OnTheBus {}

extension OnTheBus {
    @Suite struct StockProgramTests {
        static let tag = VirtualTagKind.ntag213
        static let uid = "04  10  57  1f  00  01  80"

        private func bus(_ model: EmulatedReader.Model) throws -> USBBus {
            USBBus([try EmulatedReader(model, tags: [Self.tag.make(serial: 1)])])
        }

        @Test(arguments: EmulatedReader.Model.allCases)
        func nfcListSelectsTheTag(model: EmulatedReader.Model) async throws {
            let outcome = try await bus(model).run(["nfc-list"])
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("NFC device: \(model.name) opened"))
            #expect(outcome.output.contains(Self.uid))
            let log = try #require(outcome.log.first)
            #expect(log.opens == log.closes)
            #expect(log.claims == 1 && log.releases == 1)
        }

        @Test(arguments: EmulatedReader.Model.allCases)
        func nfcScanDeviceFindsTheReader(model: EmulatedReader.Model) async throws {
            let outcome = try await bus(model).run(["nfc-scan-device"])
            #expect(outcome.output.contains("1 NFC device(s) found"))
            #expect(outcome.output.contains("\(model.driver):001:002"))
        }

        @Test(arguments: EmulatedReader.Model.allCases)
        func nfcMFUltralightReadsTheMemory(model: EmulatedReader.Model) async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "usb-\(UUID().uuidString).mfd")
            defer { try? FileManager.default.removeItem(at: file) }
            let outcome = try await bus(model).run(["nfc-mfultralight", "r", file.path])
            #expect(outcome.output.contains("45 of 45 pages read"))
            let dump = [UInt8](try Data(contentsOf: file))
            // UID, check byte, internal, lock bytes, and the capability container of an NTAG213.
            #expect(
                dump.prefix(16) == [0x04, 0x10, 0x57, 0xCB, 0x1F, 0x00, 0x01, 0x80] + dump[8..<12] + [
                    0xE1, 0x10, 0x12, 0x00,
                ])
        }

        @Test func severalReadersWorkAtOnce() async throws {
            let readers = try [
                EmulatedReader(.acr122u, tags: [Self.tag.make(serial: 1)], port: "1-2.3"),
                EmulatedReader(.pn533, tags: [Self.tag.make(serial: 2)], port: "1-2.4.1", serial: "0001"),
                EmulatedReader(.scl3711, tags: [Self.tag.make(serial: 3)]),
            ]
            let outcome = try await USBBus(readers).run(["nfc-list"])
            for reader in readers { #expect(outcome.output.contains("NFC device: \(reader.model.name) opened")) }
            for serial in 1...3 { #expect(outcome.output.contains("04  10  57  1f  00  0\(serial)  80")) }
            #expect(outcome.log.map(\.port) == ["1-2.3", "1-2.4.1", "1-4"])
        }

        /// Returns the Python that has nfcpy, which Scripts/judges installs.
        private func python() throws -> String {
            try #require(ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"], "run Scripts/test")
        }

        @Test(arguments: EmulatedReader.Model.allCases)
        func nfcpyReadsTheTagByItsOwnDrivers(model: EmulatedReader.Model) async throws {
            let script = """
                import nfc
                frontend = nfc.ContactlessFrontend('usb')
                print(frontend.device)
                tag = frontend.connect(rdwr={'on-connect': lambda tag: False}, terminate=lambda: False)
                print(tag.identifier.hex(), tag.ndef.capacity)
                frontend.close()
                """
            let outcome = try await bus(model).run([python(), "-c", script])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("0410571f000180 137"), "\(outcome.errors)")
        }
    }
}
