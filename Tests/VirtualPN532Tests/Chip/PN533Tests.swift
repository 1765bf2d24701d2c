// Differences of a PN533 — NXP UM0801-03

import Testing

@testable import VirtualPN532

@Suite struct PN533Tests {
    private func chip(_ model: ChipModel, _ tags: [any VirtualTag] = []) -> PN532 {
        PN532(
            model: model, field: Field(tags), faults: FaultCounter(Faults()), statistics: StatisticsCounter(),
            now: { .now })
    }

    @Test func theFirmwareNamesItsIC() {
        #expect(chip(.pn532).execute([0x02]) == .answer([0x03, 0x32, 0x01, 0x06, 0x07]))
        #expect(chip(.pn533).execute([0x02]) == .answer([0x03, 0x33, 0x02, 0x07, 0x07]))
        // libnfc corrects the descriptors with a command that is too long.
        #expect(
            chip(.pn533).execute([0x02] + [UInt8](repeating: 0, count: 79)) == .answer([0x03, 0x33, 0x02, 0x07, 0x07]))
    }

    @Test(arguments: [[0x14, 0x01], [0x16, 0x20], [0x60, 0x01, 0x01, 0x00]] as [[UInt8]])
    func commandsOfThePN532AreUnknown(command: [UInt8]) {
        #expect(chip(.pn533).execute(command) == .syntaxError)
        #expect(chip(.pn532).execute(command) != .syntaxError)
    }

    @Test func answersAboutRegistersBeginWithAStatus() {
        let chip = chip(.pn533)
        #expect(chip.execute([0x08, 0x63, 0x02, 0x80]) == .answer([0x09, 0x00]))
        #expect(chip.execute([0x06, 0x63, 0x02]) == .answer([0x07, 0x00, 0x80]))
        // An address in the EEPROM, which does not exist.
        #expect(chip.execute([0x06, 0xA0, 0x00]) == .answer([0x07, 0x10]))
        #expect(chip.execute([0x06, 0x63]) == .syntaxError)
    }

    @Test func diagnoseSeesATagWithoutISODEP() throws {
        let tag = VirtualTagKind.ntag213.make(serial: 1)
        let chip = chip(.pn533, [tag])
        guard case .answer(let found) = chip.execute([0x4A, 0x01, 0x00]) else {
            Issue.record("no answer")
            return
        }
        #expect(found.prefix(2) == [0x4B, 0x01])
        #expect(chip.execute([0x00, 0x06]) == .answer([0x01, 0x00]))
        chip.field.remove()
        #expect(chip.execute([0x00, 0x06]) == .answer([0x01, 0x01]))
    }

    @Test func typeBAtHigherSpeedsFindsNothing() {
        for speed: UInt8 in 0x06...0x08 {
            #expect(chip(.pn533).execute([0x4A, 0x01, speed, 0x00]) == .answer([0x4B, 0x00]))
        }
    }
}
