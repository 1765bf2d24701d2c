// The chip a row asks for, and the names that tags have

import Provisioning
import Testing

struct RequiredChipTests {
    @Test(arguments: [
        ("ntag213", "NTAG213"), ("NTAG213", "NTAG213F"), ("topaz 96", "Topaz 96 (BCM20203T96)"),
        ("topaz512", "Topaz 512 (BCM20203T512)"), ("felica-lite-s", "FeliCa Lite-S (RC-S966)"),
        ("classic 1k", "MIFARE Classic 1K"), ("mifare classic 4k", "MIFARE Classic 4K"),
        ("ultralight-c", "MIFARE Ultralight C"), ("desfire ev1 8k", "MIFARE DESFire EV1 8K"),
        ("ultralight ev1 (mf0ul11)", "MIFARE Ultralight EV1 (MF0UL11)"), ("ntag i2c 1k", "NTAG I2C 1k"),
    ])
    func aNameAsPeopleWriteItIsTheChipTheTagSaysItIs(wanted: String, chip: String) throws {
        #expect(try #require(RequiredChip(named: wanted)).matches(chip))
    }

    @Test(arguments: [("ntag213", "NTAG215"), ("topaz 96", "Topaz 512 (BCM20203T512)"), ("ntag215", "Type 2 Tag")])
    func anotherChipIsAnother(wanted: String, chip: String) throws {
        #expect(try !#require(RequiredChip(named: wanted)).matches(chip))
    }

    @Test(arguments: ["", "ultralight", "ntag", "ntag 424 dna"])
    func whatNoTagSaysOfItselfCannotBeRequired(name: String) {
        #expect(RequiredChip(named: name) == nil)
    }
}
