// MIFARE Classic as delivered and as an NFC tag — NXP AN10787 (MAD), AN1304 (NDEF); Flipper files

import Foundation
import Testing

@testable import VirtualPN532

@Suite struct ClassicMemoryTests {
    /// The directory that NFC formatters write on a 1K: CRC 14, info byte 01, and fifteen times 03E1.
    @Test func directoryChecksum() {
        #expect(ClassicMemory.directoryChecksum(octets("01" + String(repeating: "03E1", count: 15))) == 0x14)
    }

    @Test func blank1KHasFactoryKeys() {
        let memory = ClassicMemory(layout: .oneK, uid: octets("01020304"))
        #expect(hex(memory[0].prefix(8)) == "01 02 03 04 04 08 04 00")
        for sector in 0..<16 {
            #expect(memory[4 * sector + 3] == octets("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF"))
        }
        #expect(memory.bytes.count == 1024)
    }

    @Test(arguments: [(VirtualTagKind.classic1kNDEF, 15 * 48), (.classic4kNDEF, (30 * 3 + 8 * 15) * 16)])
    func formattedTagIsReadWithPublicKeys(kind: VirtualTagKind, area: Int) throws {
        let bench = try ClassicBench(kind)
        #expect(bench.authenticate(1, with: "A0A1A2A3A4A5") == "00")
        #expect(bench.send("30 01").hasPrefix("00 14 01 03 E1 03 E1"))
        let generalPurpose = kind == .classic1kNDEF ? "C1" : "C2"
        #expect(bench.send("30 03") == "00 00 00 00 00 00 00 78 77 88 \(generalPurpose) 00 00 00 00 00 00")
        // Key A only reads the directory.
        #expect(bench.send("A0 01" + String(repeating: "00", count: 16)) == "13")
        let layout = bench.tag.memory.layout
        var size = 0
        for sector in 1..<layout.sectorCount where sector != 16 {
            let first = ClassicLayout.firstBlock(of: sector)
            let trailer = ClassicLayout.trailer(of: sector)
            #expect(bench.fresh(.a, "30" + hex([UInt8(trailer)]), secret: "D3F7D3F7D3F7").hasPrefix("00 "))
            size += 16 * (trailer - first)
        }
        #expect(size == area)
        #expect(bench.fresh(.a, "30 04", secret: "D3F7D3F7D3F7").hasPrefix("00 03 00 FE 00"))
        #expect(bench.send("A0 04 03 01 00 FE" + String(repeating: "00", count: 12)) == "00")
    }

    @Test func flipperFileKeepsKeysAndData() throws {
        let bench = try ClassicBench()
        bench.authenticate(4)
        #expect(bench.send("A0 05" + String(repeating: "5A", count: 16)) == "00")
        #expect(bench.send("A0 07 010203040506 7F0788 40 0A0B0C0D0E0F") == "00")
        let text = bench.tag.flipperText
        #expect(text.contains("Block 7: 01 02 03 04 05 06 7F 07 88 40 0A 0B 0C 0D 0E 0F\n"))
        let loaded = try #require(try FlipperFile.parse(text) as? VirtualClassicTag)
        #expect(loaded.memory == bench.tag.memory)
    }

    /// A file that a Flipper writes if it found only some of the keys.
    @Test func unknownBytesThatAKnownKeyOpensAreNotInvented() throws {
        var lines = """
            Filetype: Flipper NFC device
            Version: 4
            Device type: Mifare Classic
            UID: BA E2 7C 9D
            ATQA: 00 02
            SAK: 18
            Mifare Classic type: 4K
            Data format version: 2
            Block 0: BA E2 7C 9D B9 18 02 00 46 44 53 37 30 56 30 31
            """
        for block in 1..<256 {
            let isTrailer = ClassicLayout.trailer(of: ClassicLayout.sector(of: block)) == block
            let content =
                isTrailer
                ? "FF FF FF FF FF FF FF 07 80 69 ?? ?? ?? ?? ?? ??"
                : "?? ?? ?? ?? 01 " + String(repeating: "?? ", count: 11)
            lines += "\nBlock \(block): \(content)"
        }
        #expect(throws: FlipperFileError(line: nil, key: "Block 1", reason: .unknown)) { try FlipperFile.parse(lines) }
    }

    @Test(arguments: [
        ("Mifare Classic type: 1K", "Mifare Classic type: 8K", FlipperFileError.Reason.unsupported("8K")),
        ("Data format version: 2", "Data format version: 1", .unsupported("1")),
        ("Block 63: FF", "Block 63: F", .notBytes(expected: 16)),
        ("Block 63: FF", "Block 63:", .notBytes(expected: 16)),
        ("Block 63: FF", "Block 64: FF", .missing),
    ])
    func errorsNameTheirLine(old: String, new: String, reason: FlipperFileError.Reason) throws {
        let text = try VirtualTagKind.classic1k.file().flipperText
        let range = try #require(text.firstRange(of: old))
        do throws(FlipperFileError) {
            _ = try FlipperFile.parse(text.replacingCharacters(in: range, with: new))
            Issue.record("loaded")
        } catch {
            #expect(error.reason == reason)
        }
    }
}
