// The tags that a message fits, and the bytes that a shorter message saves

import NDEF
import PhoneLint
import Testing

@Suite struct CapacityTests {
    /// Docs/VirtualReader.md, Kinds.
    @Test(arguments: [
        ("NTAG213", 137), ("NTAG215", 492), ("NTAG216", 868), ("MIFARE Ultralight", 46), ("Topaz 96", 90),
        ("Topaz 512", 462), ("FeliCa Lite-S", 208), ("MIFARE Classic 1K", 716), ("NTAG 424 DNA", 254),
        ("ICODE SLIX", 102), ("ICODE SLIX2", 308), ("ST25DV04K", 500), ("ST25DV16K", 2036), ("ST25DV64K", 8180),
    ])
    func capacityIsAsSettled(chip: String, capacity: Int) {
        #expect(TagCapacity.table.first { $0.chip == chip }?.capacity == capacity)
    }

    @Test func theTableGoesFromSmallToLarge() {
        let capacities = TagCapacity.table.map(\.capacity)
        #expect(capacities == capacities.sorted())
        #expect(Set(TagCapacity.table.map(\.chip)).count == capacities.count)
    }

    @Test(arguments: [(136, 1), (137, 0), (138, -1), (0, 137)])
    func aMessageFitsToTheLastByte(length: Int, spare: Int) throws {
        let fit = try #require(TagFit.all(forLength: length).first { $0.tag.chip == "NTAG213" })
        #expect(fit.spare == spare)
        #expect(fit.fits == (spare >= 0))
    }

    /// A message and the possible savings, largest first: kind, bytes, record.
    static let rows: [(what: String, message: String, savings: [String])] = [
        ("the shortest form", "D1010C55 04 6578616D706C652E636F6D", []),
        ("https:// spelled out", "D10114 55 00 68747470733A2F2F 6578616D706C652E636F6D", ["uriPrefix 8 1"]),
        ("https:// as a code, www. spelled out", "D1010A55 04 7777772E 612E6465 2E", ["uriPrefix 4 1"]),
        ("a slash behind the host", "D1010D55 04 6578616D706C652E636F6D 2F", ["trailingSlash 1 1"]),
        ("a slash behind a folder", "D1010F55 04 6578616D706C652E636F6D 2F61 2F", []),
        // `https://a.de` as TYPE has 12 bytes, and there is no payload.
        ("an absolute URI", "D30C00 68747470733A2F2F612E6465", ["absoluteURI 6 1"]),
        ("UTF-16", "D1010B54 82 656E 00480065006C006C", ["textEncoding 4 1"]),
        ("UTF-8 of Japanese", "D1010C54 02 6A61 E697A5E69CACE8AA9E", ["textEncoding 3 1"]),
        ("a region", "D1010854 05 656E2D5553 4869", ["textLanguage 3 1"]),
        ("an ID", "D9010C0155 69 04 6578616D706C652E636F6D", ["identifier 2 1"]),
        ("an empty record", "91010C55 04 6578616D706C652E636F6D 500000", ["emptyRecord 3 2"]),
        ("only an empty record", "D00000", []),
        ("a record twice", "91010655 04 612E64652F 51010655 04 612E64652F", ["duplicate 10 2", "trailingSlash 1 1"]),
        (
            "a smart poster",
            "D1021553 70 91010555 04 612E6465 51010854 02 656E 48656C6C6F",
            ["smartPoster 17 1", "posterTitles 12 1"]
        ),
        ("an app", "91010555 04 612E6465 540F05 616E64726F69642E636F6D3A706B67 612E622E63", ["appRecord 23 2"]),
        // PAYLOAD_LENGTH has 4 bytes, although 1 byte would be enough.
        ("a long record", "C101 0000000C 55 04 6578616D706C652E636F6D", ["shortRecords 3"]),
    ]

    @Test(arguments: rows)
    func savingsAreCounted(_ what: String, _ message: String, _ savings: [String]) throws {
        let bytes = hex(message)
        let found = Saving.all(in: try NDEFMessage(bytes: bytes), storedLength: bytes.count)
        #expect(found.map { "\($0.kind) \($0.bytes)" + ($0.record.map { " \($0)" } ?? "") } == savings)
    }

    @Test("An ID to which a handover refers is not dropped") func referredID() {
        var device = NDEFRecord.device
        device.identifier = Array("0".utf8)
        let select = NDEFRecord(
            tnf: .wellKnown, type: Array("Hs".utf8), payload: hex("12 D102046163 01013000"))
        #expect(Saving.all(in: NDEFMessage(records: [select, device])).isEmpty)
        #expect(Saving.all(in: NDEFMessage(records: [.page, device])).map(\.kind) == [.identifier])
    }

    @Test func everyKindOfSavingIsCountedSomewhere() {
        let kinds = Set(Self.rows.flatMap(\.savings).compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(kinds == Set(Saving.Kind.allCases.map(\.rawValue)))
    }
}
