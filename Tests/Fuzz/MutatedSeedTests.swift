// Tests every decoder with its seeds and changed seeds, like Scripts/fuzz, but shorter and without instrumentation

import Chance
import Testing

@Suite struct MutatedSeedTests {
    @Test(arguments: FuzzTarget.all) func decodersAcceptOrRefuseSeedsAndChangesOfThem(target: FuzzTarget) throws {
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        try target.run([])
        for seed in seeds { try target.run(seed) }
        var random = SplitMix(state: 0x4655_5A5A)
        for _ in 0..<Campaign.count(40, long: 20_000) {
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                random.change(&bytes, with: seeds.randomElement(using: &random) ?? [])
            }
            do {
                try target.run(bytes)
            } catch {
                Issue.record("\(target) on \(bytes): \(error)")
                return
            }
        }
    }

    @Test func everyDecoderHasANameOfItsOwn() {
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
    }
}

extension SplitMix {
    /// Changes bytes in one of the ways that libFuzzer changes them.
    fileprivate mutating func change(_ bytes: inout [UInt8], with other: [UInt8]) {
        guard let index = bytes.indices.randomElement(using: &self) else { return bytes.append(0) }
        let end = min(bytes.count, index + Int.random(in: 1...8, using: &self))
        switch Int.random(in: 0...6, using: &self) {
        case 0: bytes[index] = .random(in: 0...255, using: &self)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 2: bytes[index] = [0x00, 0x01, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
        case 3: bytes.removeSubrange(index..<end)
        case 4: bytes.insert(contentsOf: bytes[index..<end], at: index)
        case 5: bytes.insert(.random(in: 0...255, using: &self), at: index)
        default: bytes = Array(bytes[..<index] + other.suffix(Int.random(in: 0...max(1, other.count), using: &self)))
        }
    }
}
