// MIFARE DESFire in Flipper files — "NFC Flipper File Formats", Mifare DESFire

import Foundation
import Testing

@testable import VirtualPN532

@Suite struct DESFireFileTests {
    @Test func applicationsKeysAndFilesAreKept() throws {
        var bench = DESFireBench()
        bench.makeNDEF()
        #expect(bench.send("3D 02 000000 020000 0102") == "00")
        #expect(bench.send("5A 000000") == "00")
        #expect(bench.send("CA 563412 1B 8E") == "00")
        let tag = VirtualDESFireTag(
            nfcID1: octets("04010203040506"), memory: bench.card.memory, ats: VirtualDESFireTag.desfireATS)
        let text = tag.flipperText
        #expect(text.contains("Application 563412 Max Keys: 0E\n"))
        #expect(text.contains("Application 010000 File 2 Access Rights: EE EE\n"))
        let loaded = try #require(try FlipperFile.parse(text) as? VirtualDESFireTag)
        #expect(loaded.memory == tag.memory)
        #expect(loaded.ats == tag.ats)
        #expect(loaded.flipperText == text)
    }

    /// The example in the format's documentation, with its file shortened to 16 bytes.
    private static let example = """
        Filetype: Flipper NFC device
        Version: 4
        Device type: Mifare DESFire
        UID: 04 2F 19 0A CD 66 80
        ATQA: 03 44
        SAK: 20
        ATS: 06 75 77 81 02 80
        PICC Version: 04 01 01 12 00 1A 05 04 01 01 02 01 1A 05 04 2F 19 0A CD 66 80 CE ED D4 51 80 31 19
        PICC Free Memory: 7520
        PICC Change Key ID: 00
        PICC Config Changeable: true
        PICC Free Create Delete: true
        PICC Free Directory List: true
        PICC Key Changeable: true
        PICC Max Keys: 01
        PICC Key 0 Version: 00
        Application Count: 1
        Application IDs: 56 34 12
        Application 563412 Change Key ID: 00
        Application 563412 Config Changeable: true
        Application 563412 Free Create Delete: true
        Application 563412 Free Directory List: true
        Application 563412 Key Changeable: true
        Application 563412 Max Keys: 0E
        Application 563412 File IDs: 01
        Application 563412 File 1 Type: 00
        Application 563412 File 1 Communication Settings: 00
        Application 563412 File 1 Access Rights: EE EE
        Application 563412 File 1 Size: 16
        Application 563412 File 1: 13 37 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """

    @Test func fileOfARealFlipperLoads() throws {
        let tag = try #require(try FlipperFile.parse(Self.example) as? VirtualDESFireTag)
        #expect(tag.ats == octets("06 75 77 81 02 80"))
        var bench = DESFireBench(tag.memory)
        #expect(bench.send("6A") == "00 56 34 12")
        #expect(bench.send("5A 563412") == "00")
        #expect(bench.send("45") == "00 0F 0E")
        #expect(bench.send("BD 01 000000 020000") == "00 13 37")
    }

    @Test(arguments: [
        ("Type: 00", "Type: 02"), ("Communication Settings: 00", "Communication Settings: 03"),
        ("Size: 16", "Size: 17"),
        ("Size: 16", "Size: 99999999999"), ("Max Keys: 0E", "Max Keys: 0F"),
        ("Application Count: 1", "Application Count: 2"),
        ("Application Count: 1", "Application Count: 29"), ("File IDs: 01", "File IDs: 01 02"),
    ])
    func whatCannotBeSimulatedIsAnError(old: String, new: String) throws {
        let range = try #require(Self.example.range(of: old))
        #expect(throws: FlipperFileError.self) {
            try FlipperFile.parse(Self.example.replacingCharacters(in: range, with: new))
        }
    }
}
