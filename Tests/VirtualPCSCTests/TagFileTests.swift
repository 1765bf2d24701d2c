// ISO 15693 tags in `.nfc` files

import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

@Suite struct ISO15693FileTests {
    private func withFile(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).nfc").path
        defer { unlink(path) }
        try body(path)
    }

    @Test(arguments: ISO15693Chip.all) func aTagComesBackFromItsFile(chip: ISO15693Chip) throws {
        try withFile { path in
            let tag = VirtualISO15693Tag(chip: chip, serial: 7, isFormatted: true)
            let first = try TagFile(path: path, newTag: tag)
            let again = try TagFile(path: path, newTag: VirtualISO15693Tag(chip: .icodeSLIX))
            let loaded = try #require(again.tag as? VirtualISO15693Tag)
            #expect(first.tag.identifier == loaded.uid)
            #expect(loaded.chip == chip)
            #expect(loaded.contents == tag.contents)
            #expect(loaded.flipperText == tag.flipperText)
        }
    }

    @Test func locksAndPasswordsAreKept() throws {
        try withFile { path in
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let uid = hex(tag.uid.reversed())
            for request in ["22 22 \(uid) 05", "22 27 \(uid) 11", "22 28 \(uid)"] { _ = tag.receive(bytes(request)) }
            _ = try TagFile(path: path, newTag: tag)
            let loaded = try #require(
                try TagFile(path: path, newTag: VirtualISO15693Tag(chip: .icodeSLIX)).tag as? VirtualISO15693Tag)
            #expect(loaded.lockedBlocks[5] && !loaded.lockedBlocks[4])
            #expect(loaded.afi == 0x11)
            #expect(loaded.receive(bytes("22 27 \(uid) 12")).answer == .bytes([0x01, 0x12]))
        }
    }

    @Test func aFileOfFlipperItselfIsLoaded() throws {
        try withFile { path in
            let text = """
                Filetype: Flipper NFC device
                Version: 4
                Device type: ISO15693-3
                UID: E0 04 01 10 12 34 56 78
                DSFID: 00
                AFI: 3D
                IC Reference: 01
                Lock DSFID: false
                Lock AFI: true
                Block Count: 28
                Block Size: 04
                Data Content: \(hex([UInt8](0..<112)))
                Security Status: \(hex([UInt8](repeating: 0, count: 28)))
                """
            try Data(text.utf8).write(to: URL(filePath: path))
            let file = try TagFile(path: path, newTag: VirtualISO15693Tag(chip: .icodeSLIX2))
            let tag = try #require(file.tag as? VirtualISO15693Tag)
            #expect(tag.chip == .icodeSLIX)
            #expect(tag.contents == [UInt8](0..<112))
            #expect(tag.afi == 0x3D)
        }
    }

    @Test func aFileOfAnotherTagIsLoadedToo() throws {
        try withFile { path in
            _ = try TagFile(path: path, kind: .ntag213)
            #expect(try TagFile(path: path, newTag: VirtualISO15693Tag(chip: .icodeSLIX)).tag is VirtualType2Tag)
        }
    }

    @Test func aSizeThatTheChipDoesNotHaveIsRefused() throws {
        try withFile { path in
            let text = VirtualISO15693Tag(chip: .icodeSLIX2).flipperText
                .replacingOccurrences(of: "Block Count: 80", with: "Block Count: 81")
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(throws: VirtualReaderError.self) {
                try TagFile(path: path, newTag: VirtualISO15693Tag(chip: .icodeSLIX2))
            }
        }
    }
}
