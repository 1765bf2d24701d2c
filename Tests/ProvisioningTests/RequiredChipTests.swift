// The chip that a row requires, and the chips that tags have

import Chips
import Provisioning
import Testing

struct RequiredChipTests {
    @Test(arguments: [
        ("ntag213", ChipModel.ntag213), ("topaz 96", .topaz96), ("topaz512", .topaz512),
        ("felica-lite-s", .feliCaLiteS), ("classic 1k", .classic1K), ("mifare classic 4k", .classic4K),
        ("ultralight-c", .ultralightC), ("ultralight ev1 (mf0ul11)", .ultralight11),
        ("ultralight-ev1-21", .ultralight21),
        ("ntag i2c 1k", .ntagI2C1K), ("NTAG I2C 2K", .ntagI2C2K),
        ("ntag424", .ntag424), ("NTAG 424 DNA", .ntag424), ("ntag424-dna", .ntag424), ("icode slix2", .icodeSLIX2),
        ("ST25DV04K", .st25DV04K), ("tag-it hf-i plus", .tagItPlus),
    ])
    func aNameAsPeopleWriteItIsTheChipTheTagSaysItIs(wanted: String, chip: ChipModel) throws {
        #expect(try #require(RequiredChip(named: wanted)).matches(chip))
    }

    /// The answers of an NTAG213F and of a DESFire EV1 8K to GET_VERSION.
    @Test func aVariantAndASizeAreOfTheModelThatIsWanted() throws {
        let variant = ChipModel(version: [0x00, 0x04, 0x04, 0x04, 0x01, 0x00, 0x0F, 0x03])
        #expect(try #require(RequiredChip(named: "NTAG213")).matches(variant))
        let desfire = ChipModel.identified(byNativeVersion: [0x04, 0x01, 0x01, 0x01, 0x00, 0x1A, 0x05])?.model
        #expect(try #require(RequiredChip(named: "desfire ev1 8k")).matches(desfire))
    }

    @Test(arguments: [("ntag213", .ntag215), ("topaz 96", .topaz512), ("ntag215", nil)] as [(String, ChipModel?)])
    func anotherChipIsAnother(wanted: String, chip: ChipModel?) throws {
        #expect(try !#require(RequiredChip(named: wanted)).matches(chip))
    }

    /// If only letters and digits counted, both names would be "ntag210".
    @Test func anNTAG210MicroIsNoNTAG210() throws {
        #expect(try !#require(RequiredChip(named: "ntag210")).matches(.ntag210micro))
        for name in ["NTAG210µ", "ntag210micro", "NTAG 210 micro"] {
            #expect(try #require(RequiredChip(named: name)).matches(.ntag210micro))
        }
        #expect(RequiredChip(named: "st25tn01k")?.capacity == 158)
    }

    @Test(arguments: ["", "ultralight", "ntag", "ntag 4xx dna"])
    func whatNoTagSaysOfItselfCannotBeRequired(name: String) {
        #expect(RequiredChip(named: name) == nil)
    }

    @Test func aRowThatCannotFitIsKnownBeforeTheTagForEveryTypeTwoChip() {
        #expect(RequiredChip(named: "ntag203")?.capacity == 137)
        #expect(RequiredChip(named: "ultralight-c")?.capacity == 137)
        #expect(RequiredChip(named: "ntag-i2c-2k")?.capacity == 1868)
    }

    @Test func theNamesBeginWithTheTagsPeopleBuyTheSmallestFirst() {
        #expect(
            RequiredChip.all.map(\.name).prefix(21) == [
                "NTAG210", "Topaz 96", "ICODE SLIX", "NTAG212", "NTAG213", "FeliCa Lite-S", "ST25TV02K",
                "NTAG 424 DNA", "ICODE 3", "ICODE SLIX2", "Topaz 512", "NTAG215", "ST25DV04K", "MIFARE Classic 1K",
                "NTAG216", "ST25DV16K",
                "DESFire EV1 2K", "MIFARE Classic 4K", "DESFire EV1 4K", "DESFire EV1 8K", "ST25DV64K",
            ])
    }
}
