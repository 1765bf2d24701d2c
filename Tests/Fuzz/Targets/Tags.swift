// Answers of tags in every procedure

import ReaderInterface

@testable import TagTypes

extension FuzzTarget {
    static let tags = [
        tag("tag-type1", { if case .jewel = $0 { true } else { false } }),
        tag("tag-type2", { if case .nfcA(let tag) = $0 { tag.selRes == 0 } else { false } }),
        tag("tag-type3", { if case .nfcF = $0 { true } else { false } }),
        tag("tag-type4", { if case .nfcA(let tag) = $0 { tag.isISODEP } else { false } }),
        tag("tag-type5", { if case .nfcV = $0 { true } else { false } }),
        tag("tag-classic", { if case .nfcA(let tag) = $0 { tag.selRes & 8 != 0 } else { false } }),
        FuzzTarget(
            "tag-containers",
            seeds: [
                octets("E1100600 0103A00C34 0203A00C34 0303D00000 FE"), octets("E1401F01 0303D00000FE"),
                octets("E2400001000000FF 03FF0003D00000FE"), octets("000F20003B003404 06E104 0040 00 00"),
                octets("10040100 0D000000 00000100 00110044"), octets("1401 03E1 03E1 03E1 03E1 03E1 03E1 03E1"),
            ]
        ) { bytes in
            _ = Type2CapabilityContainer(bytes)
            _ = Type5CapabilityContainer(bytes)
            _ = Type5CapabilityContainer.byteCount(bytes)
            _ = MemoryMap.Mirror(configuration: bytes, hasCounter: true)
            _ = NativeFileSettings(bytes)
            for form: ISO15693SystemInformation.Form in [.standard, .extended] {
                _ = ISO15693SystemInformation(bytes, form: form)
            }
            _ = try? ISO15693Answer(bytes)
            _ = try? ISO15693Response(bytes)
            if let answer = ResponseAPDU(bytes: bytes) {
                try require(answer.data.count + 2 == bytes.count, "the answer has the wrong length")
            }
            _ = Originality(signature: bytes, uid: [4, 1, 2, 3, 4, 5, 6])
        },
    ]

    /// Creates a target that performs every procedure on tags of one type.
    private static func tag(_ name: String, _ belongs: @escaping @Sendable (Target) -> Bool) -> FuzzTarget {
        let cards = TapedCard.all.filter { belongs($0.target) }
        return FuzzTarget(
            name,
            // The card, the procedures, and answers.
            //
            // The first answers are unchanged, and the following ones contain each kind of change.
            seeds: cards.indices.flatMap { card in
                [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF].map { [UInt8(card), $0] }
                    + (8..<16).map { [UInt8(card), 0x07, 0, 0, 0, $0, 3, 0xFF, 2, 0xAA] }
            }
        ) { bytes in
            var tape = Tape(bytes)
            let card = cards[tape.number(below: cards.count)]
            let procedures = tape.byte()
            let channel = TapedChannel(tape, card: card)
            let tag = TagDetection.tag(on: channel, patience: TapedChannel.patience)
            if procedures & 0x01 != 0 {
                let state = try? tag.detect()
                if let message = try? tag.readNDEF(), let capacity = state?.capacity {
                    try require(
                        message.count <= max(capacity, 0x1_0000), "a message of \(message.count) bytes was read")
                }
            }
            if procedures & 0x02 != 0 { _ = try? tag.memoryMap() }
            if procedures & 0x04 != 0 { _ = try? tag.writeNDEF([0xD1, 0x01, 0x04, 0x54, 0x02, 0x65, 0x6E, 0x61]) }
            if procedures & 0x08 != 0 { _ = try? tag.carryOut(try tag.planWipe(), .forward) }
            if procedures & 0x10 != 0 { _ = try? tag.initialise() }
            if procedures & 0x20 != 0 { _ = try? tag.makeReadOnly() }
            if procedures & 0x40 != 0 { _ = try? tag.writeBlocks([(number: 5, bytes: [1, 2, 3, 4])]) }
            if procedures & 0x80 != 0 {
                _ = try? tag.readNDEF()
                let plan = try? tag.planWrite([0xD0, 0, 0], .atOnce)
                if let plan { _ = try? tag.carryOut(plan, .forward) }
                if let plan { _ = try? tag.carryOut(plan, .backward) }
            }
            try require(!channel.isEndless, "the procedures keep sending commands to the tag")
        }
    }
}
