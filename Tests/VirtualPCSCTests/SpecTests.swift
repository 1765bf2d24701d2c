// Textual descriptions of readers

import Clibpcsclite
import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

@Suite struct PCSCSpecTests {
    @Test func chipsAndKindsAreTags() throws {
        let spec = try VirtualPCSCSpec(parsing: "icode-slix2-ndef,st25dv64k*2,ntag213?latency=real")
        let tags = spec.tags.compactMap { $0 as? VirtualISO15693Tag }
        #expect(tags.map(\.chip) == [.icodeSLIX2, .st25DV64K, .st25DV64K])
        #expect(Set(spec.tags.map(\.identifier)).count == 4)
        #expect(Array(tags[0].contents.prefix(7)) == [0xE1, 0x40, 0x27, 0x09, 0x03, 0x00, 0xFE])
        #expect(tags[1].contents.allSatisfy { $0 == 0 })
        #expect(spec.tags.last is VirtualType2Tag)
    }

    @Test func containersFitTheirChips() throws {
        func container(_ kind: String) throws -> [UInt8] {
            let tag = try VirtualPCSCSpec(parsing: kind).tags.first as? VirtualISO15693Tag
            return Array(try #require(tag).contents.prefix(8))
        }
        #expect(try container("icode-slix-ndef").prefix(4) == [0xE1, 0x40, 0x0D, 0x09])
        #expect(try container("st25dv64k-ndef") == [0xE2, 0x40, 0x00, 0x01, 0x00, 0x00, 0x03, 0xFF])
        #expect(try container("tag-it-hf-i-ndef").prefix(4) == [0xE1, 0x40, 0x1F, 0x19])
    }

    @Test func anUnknownTagIsRefusedWithAllThatThereAre() throws {
        #expect(throws: VirtualReaderError.notAKind("nonsense", known: VirtualPCSCSpec.kinds)) {
            try VirtualPCSCSpec(parsing: "icode-slix,nonsense")
        }
        #expect(VirtualPCSCSpec.kinds.contains("st25dv64k-ndef"))
    }

    @Test(arguments: ["pull=0", "pull=3:never", "pull="]) func aWrongPullIsRefused(option: String) {
        #expect(throws: VirtualReaderError.self) { try VirtualPCSCSpec(parsing: "icode-slix?\(option)") }
    }

    @Test func serialNumbersCountOn() throws {
        let tags = try VirtualPCSCSpec(parsing: "icode-slix*2?serial=300").tags
        #expect(tags.map { Array($0.identifier.suffix(2)) } == [[0x01, 0x2C], [0x01, 0x2D]])
    }

    @Test func aFileKeepsItsTag() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).nfc").path
        defer { unlink(path) }
        let first = try VirtualPCSCSpec(parsing: "\(path)?kind=st25dv04k")
        let again = try VirtualPCSCSpec(parsing: path)
        #expect(first.tags.map(\.identifier) == again.tags.map(\.identifier))
        #expect((again.tags.first as? VirtualISO15693Tag)?.chip == .st25DV04K)
        _ = try again.makeReader(model: .acr1552u)
    }
}

extension OnTheDaemon {
    @Suite struct Specs {
        @Test func aStreamBringsOneTagAfterTheOther() throws {
            let reader = try VirtualPCSCSpec(parsing: "icode-slix*3?stream&dwell=20ms&gap=20ms")
                .makeReader(model: .acr1552u)
            let daemon = try PrivatePCSCDaemon(readers: [reader])
            defer { daemon.stop() }
            let client = try Client(daemon)
            let name = reader.friendlyName + " 00 00"
            var seen: Set<String> = []
            for _ in 0..<3 {
                try wait { try client.state(of: name).state & DWORD(SCARD_STATE_PRESENT) != 0 }
                try client.connect(name)
                seen.insert(try client.transmit("FF CA 00 00 00"))
                _ = try client.transmit("FF FB 00 00 02 20 00")
                try client.disconnect()
                try wait { try client.state(of: name).state & DWORD(SCARD_STATE_EMPTY) != 0 }
            }
            #expect(seen.count == 3)
        }

        @Test func aPulledCardIsReportedAsTheOptionSays() throws {
            let reader = try VirtualPCSCSpec(parsing: "icode-slix?pull=2:empty").makeReader(model: .acr1552u)
            let daemon = try PrivatePCSCDaemon(readers: [reader])
            defer { daemon.stop() }
            let client = try Client(daemon)
            try client.connect(reader.friendlyName + " 00 00")
            #expect(try client.transmit("FF CA 00 00 00").hasSuffix("90 00"))
            #expect(try client.transmit("FF CA 00 00 00") == "")
        }

        @Test func aWriteIsInTheFileBeforeItIsAnswered() throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).nfc").path
            defer { unlink(path) }
            let reader = try VirtualPCSCSpec(parsing: "\(path)?kind=icode-slix").makeReader(model: .acr1552u)
            let daemon = try PrivatePCSCDaemon(readers: [reader])
            defer { daemon.stop() }
            let client = try Client(daemon)
            try client.connect(reader.friendlyName + " 00 00")
            #expect(try client.transmit("FF FB 00 00 06 21 00 AB CD EF 01") == "90 00")
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("Data Content: AB CD EF 01 00"))
        }
    }

    @Test func theDocumentationNamesEveryModelAndEveryChip() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/VirtualReader.md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n# PC/SC readers").last)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for id in PCSCReaderModel.all.map(\.id) + ISO15693Chip.all.map(\.id) {
            #expect(rows.contains { $0.contains("`\(id)`") }, "\(id)")
        }
    }
}
