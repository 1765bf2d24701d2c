// Files with keys: lists like those of mfoc and MIFARE Classic Tool, dumps, and other files

import Composing
import Foundation
import SafeTag
import TagImage
import Testing

@testable import TagTypes

@Suite struct ClassicKeyFileTests {
    private func keys(_ contents: [UInt8], _ name: String = "keys.dic") throws -> [[UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(contents).write(to: file)
        let ring = ClassicKeyRing()
        try ClassicKeyFile(path: file.path).add(to: ring)
        let keys = Array(ring.all.dropLast(ClassicKey.published.count))
        #expect(keys.allSatisfy { ring.origin(of: $0) == .file(name) })
        return keys
    }

    /// The list contains comments, blank lines, both cases, CR LF, a duplicate key and a public key.
    @Test func aListIsReadInItsOrder() throws {
        let text = "# MCT\r\n\r\n102030405060\r\na1b2c3d4e5f6 # reader\nFFFFFFFFFFFF\n102030405060\n  0A0B0C0D0E0F"
        let expected: [[UInt8]] = [
            [0x10, 0x20, 0x30, 0x40, 0x50, 0x60], [0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6],
            [0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F],
        ]
        #expect(try keys(Array(text.utf8)) == expected)
    }

    @Test func aListMayBeginWithAByteOrderMark() throws {
        #expect(try keys(Array("\u{FEFF}102030405060\r\n".utf8)) == [[0x10, 0x20, 0x30, 0x40, 0x50, 0x60]])
        #expect(try keys(Array("\u{FEFF}# reader\n102030405060".utf8)) == [[0x10, 0x20, 0x30, 0x40, 0x50, 0x60]])
        let error = #expect(throws: BadClassicKeyFile.self) { try keys(Array("\u{FEFF}102030405060\nx\n".utf8)) }
        #expect(error?.line == 2)
    }

    @Test(arguments: [
        (TagImage.Format.bin, "c.mfd"), (.nfc, "c.nfc"), (.mct, "c.mct"), (.eml, "c.eml"), (.json, "c.json"),
    ])
    func aDumpGivesItsKeys(format: TagImage.Format, name: String) throws {
        var image = TagImage(kind: .classic1K)
        image.identifier = [0x11, 0x22, 0x33, 0x44]
        let (a, b): ([UInt8], [UInt8]) = ([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1])
        image.blocks = (0..<64).map { number in
            let data =
                number == 0
                ? [0x11, 0x22, 0x33, 0x44, 0x44] + [UInt8](repeating: 0, count: 11) : [UInt8](repeating: 0, count: 16)
            return .init(number: number, bytes: number % 4 == 3 ? a + [0xFF, 0x07, 0x80, 0x69] + b : data)
        }
        for sector in 0..<16 { image.keys[sector] = .init(a: a, b: b) }
        #expect(try keys(image.bytes(format), name) == [a, b])
    }

    /// `hf-mf-UID-key.bin`: all keys A, followed by all keys B.
    @Test(arguments: [5, 16, 32, 40]) func aTableOfProxmarkGivesItsKeys(sectors: Int) throws {
        let (a, b): ([UInt8], [UInt8]) = ([0xF1, 2, 3, 4, 5, 6], [0xF6, 5, 4, 3, 2, 1])
        let table = Array(repeating: a, count: sectors) + Array(repeating: b, count: sectors)
        #expect(try keys(table.flatMap(\.self), "hf-mf-key.bin") == [a, b])
        #expect(throws: BadClassicKeyFile.self) { try keys(table.flatMap(\.self) + [0xFF]) }
    }

    @Test(arguments: [
        ("102030405060\n10203040506\n", 2), ("102030405060 102030405060", nil), ("", nil), ("# nothing", nil),
        ("{", nil),
    ])
    func whatHoldsNoKeysIsRefusedWithoutShowingIt(text: String, line: Int?) throws {
        let error = #expect(throws: BadClassicKeyFile.self) { try keys(Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error.map { !"\($0)".contains("1020304050") } ?? false)
    }
}
