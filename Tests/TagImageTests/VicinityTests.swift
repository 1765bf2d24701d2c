// Dumps of ISO 15693 tags: Flipper's three names for them, and JSON

import Chips
import Testing

@testable import TagImage

@Suite struct VicinityTests {
    static let flipper = """
        Filetype: Flipper NFC device
        Version: 4
        # Device type can be ISO14443-3A, ISO15693-3, SLIX
        Device type: ISO15693-3
        UID: E0 04 01 50 11 22 33 44
        # ISO15693-3 specific data
        DSFID: 11
        AFI: 22
        IC Reference: 01
        Lock DSFID: false
        Lock AFI: true
        Block Count: 4
        Block Size: 04
        Data Content: E1 40 01 01 03 00 FE 00 AA BB CC DD 00 00 00 00
        Security Status: 00 00 01 00

        """
    static let slix =
        flipper.replacing("Device type: ISO15693-3", with: "Device type: SLIX") + "Password EAS: 00 00 00 00\n"
    static let old =
        flipper.replacing("Device type: ISO15693-3", with: "Device type: ISO15693")
        .replacing("Version: 4", with: "Version: 3").replacing("Lock DSFID: false\nLock AFI: true\n", with: "")
        .replacing("Security Status: 00 00 01 00", with: "Security Status: 02 00 00 01 00")

    private static func image() -> TagImage {
        var image = TagImage(kind: .type5(blockLength: 4))
        image.identifier = bytes("E004015011223344")
        image.vicinity.dsfid = 0x11
        image.vicinity.afi = 0x22
        image.vicinity.icReference = 0x01
        image.vicinity.isAFILocked = true
        image.vicinity.lockedBlocks = [2]
        let contents = ["E1400101", "0300FE00", "AABBCCDD", "00000000"]
        image.blocks = contents.enumerated().map { .init(number: $0, bytes: bytes($1)) }
        return image
    }

    @Test(arguments: [flipper, slix, old]) func aFlipperFileIsRead(file: String) throws {
        #expect(try TagImageTests.image(file, .nfc) == Self.image())
    }

    @Test func aFlipperFileIsWritten() throws {
        let lines = Self.flipper.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(try text(Self.image(), .nfc).split(separator: "\n") == lines)
    }

    @Test func jsonHoldsBlocksThatCouldNotBeRead() throws {
        var image = Self.image()
        image.vicinity.isAFILocked = false
        image.blocks[3].bytes = nil
        #expect(try TagImageTests.image(try text(image, .json), .json) == image)
        #expect(throws: TagImageError.self) { try image.bytes(.nfc) }
        let bare = TagImage(kind: .type5(blockLength: 32))
        #expect(try TagImageTests.image(try text(bare, .json), .json) == bare)
    }

    @Test("The text of a virtual tag may have more blocks than Flipper allows") func manyBlocks() throws {
        var image = Self.image()
        image.blocks = (0..<2048).map { .init(number: $0, bytes: [UInt8($0 & 0xFF), 0, 0, 0]) }
        #expect(throws: TagImageError.self) { try image.bytes(.nfc) }
        #expect(try TagImageTests.image(try image.virtualTagText(), .nfc) == image)
    }

    /// 64 bytes are also the size of an Ultralight.
    @Test func memoryAloneDoesNotTellATypeFiveTag() {
        var image = TagImage(kind: .type5(blockLength: 4))
        image.blocks = (0..<16).map { .init(number: $0, bytes: [0, 0, 0, 0]) }
        #expect(throws: TagImageError.notExpressible(.bin, reason: "its size would not identify it as a Type 5 Tag")) {
            try image.bytes(.bin)
        }
    }

    @Test(arguments: [
        ("Block Count: 4", "Block Count: 0"), ("Block Count: 4", "Block Count: 257"),
        ("Block Count: 4", "Block Count: 5"),
        ("Block Size: 04", "Block Size: 00"), ("Block Size: 04", "Block Size: 21"),
        ("Block Size: 04", "Block Size: 08"),
        ("Security Status: 00 00 01 00", "Security Status: 00 00 01"), ("Lock AFI: true", "Lock AFI: perhaps"),
        ("UID: E0 04 01 50", "UID: E0 04 01"), ("DSFID: 11", "DSFID: 1"), ("AFI: 22", "AFI:"),
    ])
    func aFileThatContradictsItselfIsRefused(found: String, wrong: String) {
        #expect(throws: TagImageError.self) {
            try TagImageTests.image(Self.flipper.replacing(found, with: wrong), .nfc)
        }
    }

    @Test(arguments: ["\"BlockSize\": \"00\"", "\"BlockSize\": \"21\"", "\"BlockSize\": \"08\"", "\"X\": \"04\""])
    func jsonWithAnotherBlockSizeIsRefused(wrong: String) throws {
        let file = try text(Self.image(), .json)
        #expect(file.contains("\"BlockSize\": \"04\""))
        #expect(throws: TagImageError.self) {
            try TagImageTests.image(file.replacing("\"BlockSize\": \"04\"", with: wrong), .json)
        }
    }

    @Test func twoImagesDifferInTheirBlocks() {
        var other = Self.image()
        other.blocks[1].bytes = bytes("0301FE00")
        #expect(Self.image().difference(from: other).map(\.place) == [.block(1)])
    }
}
