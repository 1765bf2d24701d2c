// JSON dumps in Proxmark's format, and in nfctool's own for tags for which Proxmark has no type
import Chips
import TagImage
import Testing

@Suite struct JSONTests {
    @Test func proxmarksUltralightIsRead() throws {
        let image = try image(Fixture.proxmarkUltralight, .json)
        #expect(image.kind == .type2(.ultralight) && image.identifier == bytes("04A1B2C3D4E580"))
        #expect(image.version.isEmpty && image.signature.isEmpty)
        #expect(image.counters == [0: .init(value: 7, tearing: 0xBD)])
        #expect(image[block: 4] == bytes("0300FE00") && image.blocks.count == 16)
    }

    @Test(arguments: ["mfcard", "mfc v2", "mfc v3"])
    func proxmarksClassicIsRead(type: String) throws {
        let image = try image(Fixture.proxmarkClassic(type: type), .json)
        #expect(image.kind == .classic1K && image.atqa == [0x00, 0x04] && image.sak == 0x08)
        #expect(image.identifier == bytes("DEADBEEF") && image.blocks.count == 64)
        #expect(image.keys.count == 16 && image.keys[15]?.b == bytes("FFFFFFFFFFFF"))
    }

    @Test(arguments: ["DEADBEEF00", "DE", "DEADBEEF00112233445566"])
    func aUIDOfALengthThatNoCardHasIsRefused(uid: String) throws {
        let file = Fixture.proxmarkClassic(type: "mfc v2").replacing("\"DEADBEEF\"", with: "\"\(uid)\"")
        #expect(throws: TagImageError.self) { try image(file, .json) }
    }

    @Test func aUIDThatDoesNotFitTheKindIsRefused() throws {
        for (format, file) in Fixture.all {
            let whole = try image(file, format)
            guard !whole.identifier.isEmpty else { continue }
            let json = try text(whole, .json)
            let digits = whole.identifier.flatMap { [$0 >> 4, $0 & 0x0F] }.map {
                String($0, radix: 16, uppercase: true)
            }
            let uid = "\"UID\": \"" + digits.joined()
            let longer = json.replacing(uid, with: uid + "00000000")
            #expect(longer != json)
            #expect(throws: TagImageError.self) { try image(longer, .json) }
        }
    }

    @Test func everyImageSurvivesJSON() throws {
        for (format, file) in Fixture.all {
            let image = try image(file, format)
            var again = try TagImage(image.bytes(.json), format: .json)
            // The only field for which JSON has no key.
            again.failedAuthentications = image.failedAuthentications
            #expect(again == image)
            #expect(try again.bytes(.json) == image.bytes(.json))
        }
        #expect(try text(image(Fixture.ownType4, .json), .json) == Fixture.ownType4)
    }

    @Test func aMessageThatTheChipFilledInIsMarked() throws {
        var image = try image(Fixture.ownType4, .json)
        #expect(!image.isFilledIn)
        image.isFilledIn = true
        #expect(try text(image, .json).contains("\"filledIn\": true"))
        #expect(try TagImage(image.bytes(.json), format: .json) == image)
    }

    @Test(arguments: [TagImage.Kind.topaz96, .topaz512, .feliCaLite, .type3, .classic4K])
    func everyKindSurvivesJSON(kind: TagImage.Kind) throws {
        var image = TagImage(kind: kind)
        // An IDm has 8 bytes.
        image.identifier = bytes([.feliCaLite, .type3].contains(kind) ? "0102030405060708" : "01020304")
        image.blocks = (kind.blockNumbers ?? [0, 1, 5, 0x90]).map {
            .init(number: $0, bytes: $0 == 5 ? nil : [UInt8](repeating: UInt8($0), count: kind.blockLength))
        }
        if kind == .topaz512 { image.headerROM = [0x12, 0x4C] }
        if kind == .classic4K {
            image.keys = [39: .init(a: [UInt8](repeating: 255, count: 6), b: nil)]
            image.blocks[255].bytes = bytes("FFFFFFFFFFFF FF078069 000000000000")
            for block in image.blocks where TagImage.Kind.isClassicTrailer(block.number) && block.number < 255 {
                image.blocks[block.number].bytes = nil
            }
        }
        #expect(try TagImage(image.bytes(.json), format: .json) == image)
    }

    @Test(arguments: [
        ("\"mfu\"", "\"iclass\"", "The value of FileType is iclass, which is not supported."),
        ("\"FileType\"", "\"Type\"", "The value of FileType is missing; expected a value."),
        ("\"04A1B29F\"", "\"04A1B2\"", "The value of blocks.0 is 04A1B2; expected 4 bytes in hexadecimal."),
        ("\"04A1B29F\"", "\"04A1B2ZZ\"", "The value of blocks.0 is 04A1B2ZZ; expected 4 bytes in hexadecimal."),
        ("\"04A1B29F\"", "7", "The value of blocks.0 is of the wrong type; expected text."),
        ("\"15\":", "\"999999999\":", "The value of blocks is 999999999; expected a block number, 0…1023."),
        ("\"15\":", "\"-1\":", "The value of blocks is -1; expected a block number, 0…1023."),
        ("\"15\":", "\"+15\":", "The value of blocks is +15; expected a block number, 0…1023."),
        (
            "\"UID\": \"04", "\"UID\": \"05",
            "The value of UID is 05 A1 B2 C3 D4 E5 80; expected 04 A1 B2 C3 D4 E5 80, as in the memory."
        ),
        (
            "\"Counter0\": \"07", "\"Counter0\": \"0700",
            "The value of Card.Counter0 is 07000000; expected 3 bytes in hexadecimal."
        ),
        ("{\n", "{{\n", "It is not a dump in a known format: it begins like JSON but is not valid JSON."),
    ])
    func aBrokenFileIsRefusedWithTheField(old: String, new: String, message: String) {
        let file = Fixture.proxmarkUltralight
        #expect(file.contains(old))
        #expect(refusal(Array(file.replacing(old, with: new, maxReplacements: 1).utf8), .json) == message)
    }

    /// The dump has fewer pages than the chip, because it stopped at a password-protected page.
    @Test func pagesThatAreNotListedCouldNotBeRead() throws {
        let file = Fixture.proxmarkUltralight.replacing("\"0000000000000000\"", with: "\"0004040201000F03\"")
        let image = try image(file, .json)
        #expect(image.kind == .type2(.ntag213) && image.blocks.count == 45)
        #expect(image[block: 15] != nil && image[block: 16] == nil)
    }

    @Test(arguments: [
        (
            "\"0\": { \"KeyA\": \"000000000000\" }",
            "The value of SectorKeys.0 is different from the sector's trailer; expected the same keys."
        ),
        ("\"16\": {}", "The value of SectorKeys is 16; expected a sector, 0…15."),
        ("\"0\": { \"KeyA\": \"FF\" }", "The value of SectorKeys.0.KeyA is FF; expected 6 bytes in hexadecimal."),
    ])
    func keysThatContradictTheTrailerAreRefused(keys: String, message: String) {
        #expect(refusal(Array(Fixture.proxmarkClassic(keys: keys).utf8), .json) == message)
    }

    @Test(arguments: [
        ("\"schema\": 1", "\"schema\": 2", "The value of schema is 2, which is not supported."),
        ("\"type4\"", "\"type5\"", "The value of kind is type5, which is not supported."),
        (
            "\"E104\"", "\"E1040\"",
            "The value of files.E1040 is 0003D00000; expected bytes in hexadecimal, under an identifier of 4 hexadecimal digits."
        ),
    ])
    func aBrokenFileOfOursIsRefused(old: String, new: String, message: String) {
        #expect(refusal(Array(Fixture.ownType4.replacing(old, with: new).utf8), .json) == message)
    }
}
