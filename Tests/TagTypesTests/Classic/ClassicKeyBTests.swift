// Cards of which only key B is known, and data that only key B can read
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ClassicKeyBTests {
    private static let unknownKey = bytes("0F1E2D3C4B5A")
    private static let keyB = bytes("A1B2C3D4E5F6")

    private static func ring(_ keys: [[UInt8]] = [keyB]) -> ClassicKeyRing {
        let ring = ClassicKeyRing()
        for key in keys { ring.add(key, from: .argument) }
        return ring
    }

    private static func tag(_ card: ClassicCard, _ ring: ClassicKeyRing? = ring()) -> ClassicTag {
        let tag = ClassicTag(on: RecordingChannel(card, target: .classic))
        tag.keys = ring
        return tag
    }

    /// Returns an NDEF card whose data sectors have their owner's key B.
    private static func card(
        _ tlvs: [UInt8], keyA: [UInt8] = unknownKey, data: ClassicAccess.Data = .transport,
        trailer: ClassicAccess.Trailer = .keyBWrites
    ) -> ClassicCard {
        let card = ClassicCard.ndef(tlvs)
        let access = ClassicAccess(data: data, trailer: trailer).bytes
        for sector in 1..<16 { card.setTrailer(of: sector, keyA + access + [0x40] + keyB) }
        return card
    }

    // MARK: Key A is not known

    @Test(arguments: [ClassicAccess.Data.transport, .keyBWrites, .onlyKeyB, .value])
    func aMessageBehindKeyBIsReadAndWritten(data: ClassicAccess.Data) throws {
        let card = Self.card(tlv(message(60)), data: data)
        #expect(
            error { () throws(TagError) in try Self.tag(card, nil).readNDEF() } == .keyNeeded(sector: 1))
        #expect(try Self.tag(card).detect().status == .readWrite)
        #expect(try Self.tag(card).readNDEF() == message(60))
        try Self.tag(card).writeNDEF(message(200, seed: 3))
        #expect(try Self.tag(card).readNDEF() == message(200, seed: 3))
        #expect((1..<16).allSatisfy { card.trailer(of: $0).prefix(6).elementsEqual(Self.unknownKey) })
    }

    @Test func aDirectoryBehindKeyBIsRead() throws {
        let card = Self.card(tlv(message(60)))
        card.setTrailer(of: 0, Self.unknownKey + bytes("787788 C1") + Self.keyB)
        #expect(
            error { () throws(TagError) in try Self.tag(card, nil).readNDEF() } == .keyNeeded(sector: 0))
        #expect(try Self.tag(card).readNDEF() == message(60))
        try Self.tag(card).writeNDEF(message(100, seed: 3))
        #expect(try Self.tag(card).readNDEF() == message(100, seed: 3))
    }

    // MARK: No key reads

    /// Neither the keys nor the tag are wrong, because the access bits are the reason.
    @Test(arguments: [0, 1, 2]) func dataThatNoKeyReadsIsNoErrorOfTheTag(sector: Int) throws {
        let card = Self.card(tlv(message(60)), keyA: bytes("D3F7D3F7D3F7"))
        let never = ClassicAccess(data: .never, trailer: .frozen).bytes
        // The general purpose byte of sector 0 identifies the directory.
        let key = bytes(sector == 0 ? "A0A1A2A3A4A5" : "D3F7D3F7D3F7")
        card.setTrailer(of: sector, key + never + [sector == 0 ? 0xC1 : 0x40] + Self.keyB)
        let block = sector == 0 ? 1 : sector * 4
        let reason = "the access bits of sector \(sector) let no key read block \(block)"
        #expect(error { () throws(TagError) in try Self.tag(card).readNDEF() } == .notNDEF(reason: reason))
        let map = try Self.tag(card).memoryMap()
        #expect(map.blocks[block].bytes == nil && map.sectors[sector].isClosed(block))
        #expect(map.sectors.filter { $0.isClosed($0.blocks.lowerBound) }.map(\.number) == [sector])
    }

    @Test(arguments: [ClassicAccess.Data.readOnly, .keyBReads, .decrementOnly])
    func whatKeyBOnlyReadsIsReadOnly(data: ClassicAccess.Data) throws {
        let card = Self.card(tlv(message(60)), data: data)
        let state = try Self.tag(card).detect()
        #expect(state.status == .readOnly)
        #expect(state.reason == "the access bits of sector 1 do not allow writing with the keys that are known")
        #expect(try Self.tag(card).readNDEF() == message(60))
        guard case .readOnly? = error({ () throws(TagError) in try Self.tag(card).writeNDEF(message(10)) }) else {
            Issue.record("data that is read-only was written")
            return
        }
        #expect(card.writes.isEmpty)
    }

    /// The transport configuration, and the two others in which key B is data.
    @Test(arguments: [ClassicAccess.Trailer.transport, .keyAWritesKeys, .frozenWithReadableKeyB])
    func aKeyBThatCanBeReadDoesNotReplaceKeyA(trailer: ClassicAccess.Trailer) throws {
        let card = Self.card(tlv(message(60)), trailer: trailer)
        let state = try Self.tag(card).detect()
        #expect(state.status == .notSupported && state.needsKey)
        #expect(state.reason == "sector 1 does not open with any of the keys")
        #expect(error { () throws(TagError) in try Self.tag(card).readNDEF() } == .keyNeeded(sector: 1))
        #expect(
            error { () throws(TagError) in try Self.tag(card).writeNDEF(message(10)) } == .keyNeeded(sector: 1))
        #expect(card.writes.isEmpty)
        // With key A, it is an ordinary card.
        #expect(try Self.tag(card, Self.ring([Self.keyB, Self.unknownKey])).readNDEF() == message(60))
    }

    @Test func aSectorWithAKeyBThatCanBeReadIsNamedInTheMiddleOfAMessage() throws {
        let card = Self.card(tlv(message(200)))
        card.setTrailer(of: 3, Self.unknownKey + bytes("FF0780 40") + Self.keyB)
        let tag = Self.tag(card)
        for _ in 0..<2 {
            #expect(error { () throws(TagError) in try tag.readNDEF() } == .keyNeeded(sector: 3))
        }
        #expect(card.writes.isEmpty)
    }

    @Test func aCardIsNotLockedWithoutKeyA() {
        let card = Self.card(tlv(message(60)))
        #expect(
            error { () throws(TagError) in try Self.tag(card).makeReadOnly() }
                == .cannotMakeReadOnly(
                    reason: "key A of sector 1 is not known, and locking must write it again with the access bits"))
        #expect(card.writes.isEmpty)
    }

    @Test func aLockedCardIsCalledLockedWithoutKeyA() throws {
        let card = Self.card(tlv(message(60)))
        let closed = ClassicTrailer.readOnlyAccess.bytes
        card.setTrailer(of: 0, Self.unknownKey + closed + [0xC1] + Self.keyB)
        for sector in 1..<16 { card.setTrailer(of: sector, Self.unknownKey + closed + [0x43] + Self.keyB) }
        #expect(try Self.tag(card).isLockSet() == true)
    }

    @Test(arguments: UInt64(1)...10) func keyBIsFoundThroughNoise(seed: UInt64) throws {
        let card = Self.card(tlv(message(60)))
        let tag = ClassicTag(
            on: NoisyChannel(card, target: .classic, losing: 0.5, seed: seed), patience: .instant)
        tag.keys = Self.ring()
        #expect(try tag.readNDEF() == message(60))
    }

    @Test(arguments: UInt64(1)...10) func aKeyBThatCanBeReadIsToldThroughNoise(seed: UInt64) throws {
        let card = Self.card(tlv(message(60)), trailer: .transport)
        let tag = ClassicTag(
            on: NoisyChannel(card, target: .classic, losing: 0.5, seed: seed), patience: .instant)
        tag.keys = Self.ring()
        #expect(try tag.detect().needsKey)
    }

    // MARK: Both keys are known

    /// C1 C2 C3 = 011 and 101: key B reads, key A does not.
    @Test(arguments: [ClassicAccess.Data.onlyKeyB, .keyBReads])
    func dataThatOnlyKeyBReadsIsReadThoughKeyAOpensItsSector(data: ClassicAccess.Data) throws {
        let card = Self.card(tlv(message(200)), keyA: ClassicKey.ndef.bytes, data: data)
        #expect(throws: TagError.self) { try Self.tag(card, nil).readNDEF() }
        #expect(try Self.tag(card).readNDEF() == message(200))
        #expect(try Self.tag(card).detect().status == (data == .onlyKeyB ? .readWrite : .readOnly))
        guard data == .onlyKeyB else { return }
        try Self.tag(card).writeNDEF(message(100, seed: 3))
        #expect(try Self.tag(card).readNDEF() == message(100, seed: 3))
    }

    /// Like `recover`, this uses a different activation from the one in which the write was planned.
    @Test(arguments: [WritePlan.Direction.forward, .backward])
    func aPlanFromBeforeIsCarriedOutWithTheKeyThatWrites(direction: WritePlan.Direction) throws {
        let card = Self.card(tlv(message(60)), keyA: ClassicKey.ndef.bytes, data: .keyBWrites)
        let plan = try Self.tag(card).planWrite(message(200, seed: 3), .throughEmpty, oldMessage: .kept)
        if direction == .backward { try Self.tag(card).carryOut(plan, .forward) }
        try Self.tag(card).carryOut(plan, direction)
        #expect(try Self.tag(card).readNDEF() == (direction == .forward ? message(200, seed: 3) : message(60)))
    }

    @Test func aKnownKeyBCostsNothingWhereKeyAOpens() throws {
        let card = Self.card(tlv(message(716)), keyA: Self.unknownKey)
        func exchanges(_ keys: [[UInt8]]) throws -> Int {
            let channel = RecordingChannel(card, target: .classic)
            let tag = ClassicTag(on: channel)
            tag.keys = Self.ring(keys)
            #expect(try tag.readNDEF() == message(716))
            return channel.commands.count
        }
        #expect(try exchanges([Self.unknownKey]) == exchanges([Self.unknownKey, Self.keyB]))
    }
}
