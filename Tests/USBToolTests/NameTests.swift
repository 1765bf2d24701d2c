// The names of a reader: its port, its serial number, a label

import Foundation
import Testing
import USBBus
import VirtualPN532

extension USBTool {
    @Suite struct NameTests {
        private static func bus() throws -> (USBBus, uids: [String]) {
            let tags = [VirtualTagKind.ntag213.make(serial: 1), VirtualTagKind.ntag213.make(serial: 2)]
            let readers = [
                try EmulatedReader(.acr122u, tags: [tags[0]], port: "1-2"),
                try EmulatedReader(.acr122u, tags: [tags[1]], port: "1-4.3", serial: "LEFT7"),
            ]
            let uids = tags.map { $0.identifier.map { String(format: "%02X", $0) }.joined() }
            return (USBBus(readers), uids)
        }

        @Test(arguments: [("usb:1-2", 0), ("usb:1-4.3", 1), ("serial:LEFT7", 1), ("auto", 0)])
        func aReaderIsFoundByItsName(name: String, number: Int) async throws {
            let (bus, uids) = try Self.bus()
            let outcome = try await bus.nfctool("read", "--json", "--reader", name)
            #expect(outcome.events.first?["uid"] as? String == uids[number], "\(outcome.errors)")
        }

        @Test func aLabelNamesAReader() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "labels-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "nfctool"), withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data("# the desk\nleft = serial:LEFT7\nright = usb:1-2\n".utf8).write(
                to: folder.appending(path: "nfctool/readers"))
            var (bus, uids) = try Self.bus()
            bus.environment["XDG_CONFIG_HOME"] = folder.path
            for (label, uid) in zip(["right", "left"], uids) {
                let outcome = try await bus.nfctool("read", "--json", "--reader", label)
                #expect(outcome.events.first?["uid"] as? String == uid, "\(outcome.errors)")
            }
        }

        @Test func anAppListsTheReadersByPortModelAndSerialNumber() async throws {
            let (bus, _) = try Self.bus()
            let outcome = try await bus.run(["RecordPrinter", "--readers"])
            #expect(outcome.output == "usb:1-2  ACS ACR122U\nusb:1-4.3  ACS ACR122U\n", "\(outcome.errors)")
        }

        @Test(arguments: ["usb:1-3", "usb:9-1", "serial:RIGHT", "nobody"])
        func aNameWithoutAReaderIsNoReader(name: String) async throws {
            let (bus, _) = try Self.bus()
            let outcome = try await bus.nfctool("read", "--json", "--reader", name)
            #expect(outcome.status == 69)
            #expect(outcome.errorName == "noReader")
            #expect(outcome.message?.contains(name) == true)
        }
    }
}
