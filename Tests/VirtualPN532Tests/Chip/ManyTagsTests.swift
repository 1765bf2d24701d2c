// Tests of more tags than a reader can usually distinguish — ISO/IEC 14443-3, JIS X 6319-4

import Testing

@testable import VirtualPN532

/// Twelve and more tags of a kind in one field.
struct ManyTagsTests {
    private func found(_ kind: VirtualTagKind, _ count: Int, poll: String, rounds: Int) -> Set<String> {
        let bench = ChipBench((1...count).map { kind.make(serial: $0) })
        _ = bench.answer("32 05 FF 01 02")
        let identifiers = Set(bench.field.identifiers.map(hex))
        var found: Set<String> = []
        for _ in 0..<rounds {
            let answer = bench.answer(poll)
            found.formUnion(identifiers.filter { answer.contains($0) })
            _ = bench.answer("44 00")
        }
        return found
    }

    @Test(arguments: [VirtualTagKind.ntag215, .ntagI2C2K, .ultralightC, .type4, .classic1k, .desfire], [12, 16, 40])
    func eachTypeATagIsFoundInARoundOfItsOwn(kind: VirtualTagKind, count: Int) {
        #expect(found(kind, count, poll: "4A 01 00", rounds: count).count == count)
        #expect(found(kind, count, poll: "4A 02 00", rounds: (count + 1) / 2).count == count)
    }

    @Test(arguments: [12, 16]) func typeBTagsAreFoundSlotBySlot(count: Int) {
        #expect(found(.type4b, count, poll: "4A 01 03 00", rounds: 40 * count).count == count)
    }
}
