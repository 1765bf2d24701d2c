// Tests of MIFARE Classic and DESFire with libfreefare's and libnfc's own programs

import Foundation
import Testing

@testable import VirtualPN532

extension StockProgramTests {
    /// The URI https://www.example.com.
    private static let message = octets("D1 01 0C 55 01") + Array("example.com".utf8)

    /// Calls `body` with a directory that contains a message, `message.ndef`, and removes the directory afterwards.
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data(Self.message).write(to: directory.appendingPathComponent("message.ndef"))
        try body(directory.path)
    }

    private func contents(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func libfreefareWritesReadsAndFormatsClassic() throws {
        let tag = try #require(VirtualTagKind.classic1k.make() as? VirtualClassicTag)
        let reader = try VirtualReader(tags: [tag])
        let blank = tag.contents
        try withDirectory { directory in
            let (message, output) = (directory + "/message.ndef", directory + "/read.ndef")
            let written = try libnfc("mifare-classic-write-ndef", "-y", "-i", message, reader: reader)
            #expect(written.contains("Found Mifare Classic 1k with UID c0170001."))
            // AN10787: the directory names the NDEF application, 03E1, low byte first, in sector 1 only.
            #expect(Array(tag.contents[18..<48]) == octets("03 E1") + [UInt8](repeating: 0, count: 28))
            let read = try libnfc("mifare-classic-read-ndef", "-y", "-o", output, reader: reader)
            #expect(read.contains("NFC Forum application contains a \"NDEF Message TLV\"."))
            #expect(try contents(output) == Self.message)
            let formatted = try libnfc("mifare-classic-format", "-y", reader: reader)
            #expect(formatted.contains("Formatting 16 sectors [...4...8...12...16] done."))
            #expect(tag.contents == blank)
        }
    }

    @Test func nfcMfclassicDumpsTheMemory() throws {
        let tag = try #require(VirtualTagKind.classic1k.make() as? VirtualClassicTag)
        let reader = try VirtualReader(tags: [tag])
        try withDirectory { directory in
            let path = directory + "/dump.mfd"
            let text = try libnfc("nfc-mfclassic", "r", "a", "u", path, reader: reader)
            #expect(text.contains("Done, 64 of 64 blocks read."))
            // The only key in the output is key A, which the program has found out.
            var expected = tag.contents
            for sector in 0..<16 {
                expected.replaceSubrange(64 * sector + 58..<64 * sector + 64, with: [0, 0, 0, 0, 0, 0])
            }
            #expect(try contents(path) == expected)
        }
    }

    @Test func libfreefareTellsOfDESFire() throws {
        let text = try libnfc("mifare-desfire-info", reader: VirtualReader(tags: [VirtualTagKind.desfire.make()]))
        for line in [
            "===> Version information for tag 042b571f000180:", "Storage size:         0x1a (=8192 bytes)",
            "Master Key settings (0x0f):", "Free memory: 7936 bytes",
        ] {
            #expect(text.contains(line))
        }
    }

    @Test func libfreefareMakesWritesReadsAndFormatsDESFire() throws {
        let tag = try #require(VirtualTagKind.desfire.make() as? VirtualDESFireTag)
        let reader = try VirtualReader(tags: [tag])
        let blank = tag.memory
        try withDirectory { directory in
            let (message, output) = (directory + "/message.ndef", directory + "/read.ndef")
            _ = try libnfc("mifare-desfire-create-ndef", "-y", reader: reader)
            #expect(tag.file([0xE1, 0x03])?.isEmpty == false)
            _ = try libnfc("mifare-desfire-write-ndef", "-y", "-i", message, reader: reader)
            let length = UInt16(Self.message.count).bigEndianBytes
            #expect(tag.file([0xE1, 0x04])?.starts(with: length + Self.message) == true)
            let read = try libnfc("mifare-desfire-read-ndef", "-y", "-o", output, reader: reader)
            #expect(read.contains("NDEF size: \(Self.message.count) bytes"))
            #expect(try contents(output) == Self.message)
            _ = try libnfc("mifare-desfire-format", "-y", reader: reader)
            #expect(tag.memory == blank)
        }
    }
}
