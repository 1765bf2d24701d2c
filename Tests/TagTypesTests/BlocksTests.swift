// Type 1, Type 3 and MIFARE Classic: raw blocks
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct BlocksTests {
    typealias Blocks = [(number: Int, bytes: [UInt8])]

    private static let key = bytes("0102030405 06")
    private static let data = bytes("00112233445566778899AABBCCDDEEFF")

    // MARK: Type 1

    @Test(arguments: [false, true])
    func blocksOfType1AreWrittenInTheOrderGiven(isDynamic: Bool) throws {
        let card = isDynamic ? Type1Card.topaz512() : Type1Card.topaz96()
        let tag = Type1Tag(on: RecordingChannel(card, target: .type1))
        let last = isDynamic ? 63 : 12
        try tag.writeBlocks([(last, bytes("1122334455667788")), (2, bytes("AABBCCDDEEFF0011"))])
        #expect(Array(card.memory[last * 8..<last * 8 + 8]) == bytes("1122334455667788"))
        #expect(Array(card.memory[16..<24]) == bytes("AABBCCDDEEFF0011"))
    }

    /// In block E, bits that are set stay set.
    ///
    /// A block that would clear some of them reads back differently.
    @Test func lockAndOTPBitsOfType1AreAdded() throws {
        let card = Type1Card.topaz96()
        try Type1Tag(on: RecordingChannel(card, target: .type1)).writeBlocks([(14, bytes("0360010000000000"))])
        #expect(Array(card.memory[112..<120]) == bytes("0360010000000000"))
        let failure = error { () throws(TagError) in
            try Type1Tag(on: RecordingChannel(card, target: .type1)).writeBlocks([(14, bytes("0160000000000000"))])
        }
        #expect(failure == .commandFailed(command: "WRITE", offset: 112, sw: nil))
        #expect(Array(card.memory[112..<120]) == bytes("0360010000000000"))
    }

    @Test func theUIDOfType1IsRefusedBeforeAnyWrite() {
        let card = Type1Card.topaz96()
        let before = card.memory
        let failure = error { () throws(TagError) in
            try Type1Tag(on: RecordingChannel(card, target: .type1))
                .writeBlocks([(2, bytes("AABBCCDDEEFF0011")), (0, bytes("AABBCCDDEEFF0011"))])
        }
        #expect(failure == .unsupported(reason: "its UID, in block 0, is fixed"))
        #expect(card.memory == before)
    }

    // MARK: Type 3

    @Test func blocksOfType3AreWrittenInTheOrderGiven() throws {
        for card in [Type3Card.liteS(), .generic()] {
            let channel = RecordingChannel(card, target: card.configuration == nil ? .type3 : .liteS)
            try Type3Tag(on: channel).writeBlocks([
                (5, Self.data), (1, Self.data), (2, [UInt8](repeating: 7, count: 16)),
            ])
            #expect(card.writes == [[5], [1], [2]])
            #expect(card.block(5) == Self.data && card.block(2) == [UInt8](repeating: 7, count: 16))
        }
    }

    @Test func aLockedBlockOfType3IsAnError() {
        let card = Type3Card.liteS()
        card.configuration?.replaceSubrange(0..<2, with: bytes("DFFF"))
        let failure = error { () throws(TagError) in
            try Type3Tag(on: RecordingChannel(card, target: .liteS)).writeBlocks([(4, Self.data), (5, Self.data)])
        }
        guard case .refused(_, block: 5, _)? = failure else { Issue.record("\(String(describing: failure))"); return }
        #expect(card.writes == [[4]])
    }

    // MARK: MIFARE Classic

    private static func classic(_ card: ClassicCard, _ fault: RecordingChannel.Fault? = nil) -> ClassicTag {
        ClassicTag(on: RecordingChannel(card, target: .classic, fault: fault))
    }

    /// Key B protects the directory.
    @Test func dataOfClassicIsWrittenWithTheKeyThatMay() throws {
        let card = ClassicCard.ndef(tlv([]))
        try Self.classic(card).writeBlocks([(6, Self.data), (2, Self.data), (60, Self.data)])
        #expect(card.writes == [6, 2, 60])
        for block in [6, 2, 60] { #expect(Array(card.memory[block * 16..<block * 16 + 16]) == Self.data) }
    }

    @Test func aTrailerIsProvenByItsNewKeysBeforeTheNextBlock() throws {
        let card = ClassicCard.ndef(tlv([]))
        let channel = RecordingChannel(card, target: .classic)
        let trailer = Self.key + bytes("7F0788 40") + Self.key.reversed()
        try ClassicTag(on: channel).writeBlocks([(11, trailer), (6, Self.data)])
        #expect(card.trailer(of: 2) == trailer)
        let write = channel.commands.lastIndex { $0.starts(with: [0xA0, 11]) } ?? 0
        let next = channel.commands.firstIndex { $0.starts(with: [0xA0, 6]) } ?? 0
        let proofs = channel.commands[write..<next].filter { $0[0] == 0x60 || $0[0] == 0x61 }.map { Array($0[2..<8]) }
        #expect(proofs.prefix(2) == [Self.key.reversed(), Self.key])
    }

    @Test(arguments: [
        (0, "00112233445566778899AABBCCDDEEFF"), (64, "00112233445566778899AABBCCDDEEFF"), (-1, "00"), (4, "00"),
        (7, "FFFFFFFFFFFF FF078169 FFFFFFFFFFFF"),
    ])
    func whatMustNotBeWrittenToClassicIsRefusedBeforeAnyCommand(number: Int, data: String) {
        let channel = RecordingChannel(ClassicCard.ndef(tlv([])), target: .classic)
        let failure = error { () throws(TagError) in
            try ClassicTag(on: channel).writeBlocks([(6, Self.data), (number, bytes(data))])
        }
        guard case .unsupported? = failure else { Issue.record("\(String(describing: failure))"); return }
        #expect(channel.commands.isEmpty)
    }

    @Test func offeredKeysOpenSectorsAndAreRead() throws {
        let card = ClassicCard.ndef(tlv([]))
        card.setTrailer(of: 3, Self.key + bytes("7F0788 40") + Self.key.reversed())
        #expect(
            error { () throws(TagError) in try Self.classic(card).writeBlocks([(12, Self.data)]) }
                == .keyNeeded(sector: 3))
        let tag = Self.classic(card)
        tag.offer([3: SectorKeys(a: Self.key, b: Self.key.reversed()), 4: SectorKeys(a: [1], b: nil)])
        let keys = try tag.memoryMap().sectors.map { SectorKeys(a: $0.keyA?.bytes, b: $0.keyB?.bytes) }
        #expect(keys.count == 16)
        #expect(keys[3] == SectorKeys(a: Self.key, b: Self.key.reversed()))
        #expect(keys[0] == SectorKeys(a: ClassicKey.directory.bytes, b: ClassicKey.factory.bytes))
        #expect(keys[1] == SectorKeys(a: ClassicKey.ndef.bytes, b: ClassicKey.factory.bytes))
        try tag.writeBlocks([(12, Self.data)])
        #expect(card.writes == [12])
    }

    /// A key B that can be read is data, and gives no access.
    @Test func aReadableKeyBIsRead() throws {
        let card = ClassicCard()
        card.setTrailer(of: 5, bytes("FFFFFFFFFFFF FF078069 0A0B0C0D0E0F"))
        let keys = try Self.classic(card).memoryMap().sectors.map { SectorKeys(a: $0.keyA?.bytes, b: $0.keyB?.bytes) }
        #expect(keys[5] == SectorKeys(a: ClassicKey.factory.bytes, b: bytes("0A0B0C0D0E0F")))
    }

    // MARK: Cuts

    @Test(arguments: ["topaz96", "topaz512", "liteS", "generic", "classic"])
    func aCutAtAnyCommandIsMendedByTheSameBlocksAgain(kind: String) throws {
        let trailer = Self.key + bytes("7F0788 40") + ClassicKey.factory.bytes
        let block = kind.hasPrefix("topaz") ? Array(Self.data.prefix(8)) : Self.data
        let blocks: Blocks = [(4, block), (2, block)] + (kind == "classic" ? [(11, trailer), (8, block)] : [])
        func write(_ card: any Card, _ fault: RecordingChannel.Fault?) throws(TagError) -> Int {
            let target: Target =
                kind.hasPrefix("topaz")
                ? .type1
                : kind == "liteS"
                    ? .liteS
                    : kind == "generic" ? .type3 : .classic
            let channel = RecordingChannel(card, target: target, fault: fault)
            let tag: any ForumTag = TagDetection.tag(on: channel)
            (tag as? ClassicTag)?.offer([2: SectorKeys(a: Self.key, b: nil)])
            try tag.writeBlocks(blocks)
            return channel.commands.count
        }
        func card() -> any Card {
            switch kind {
            case "topaz96": Type1Card.topaz96()
            case "topaz512": Type1Card.topaz512()
            case "liteS": Type3Card.liteS()
            case "generic": Type3Card.generic()
            default: ClassicCard.ndef(tlv([]))
            }
        }
        let count = try write(card(), nil)
        for number in 0..<count {
            for after in [false, true] {
                let cut = card()
                #expect(throws: TagError.self) { try write(cut, .lost(at: number, after: after)) }
                _ = try write(cut, nil)
                let memory = (cut as? Type1Card)?.memory ?? (cut as? Type3Card)?.memory ?? (cut as? ClassicCard)?.memory
                for (number, bytes) in blocks {
                    let start = number * block.count
                    #expect(memory.map { Array($0[start..<start + block.count]) } == bytes)
                }
            }
        }
        #expect(count > blocks.count)
    }
}
