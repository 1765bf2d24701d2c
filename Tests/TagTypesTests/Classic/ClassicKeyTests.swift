// Cards with their own keys: the keys that open them, the keys that are stored, and the reports about them
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ClassicKeyTests {
    private static let keyA = bytes("102030405060")
    private static let keyB = bytes("A1B2C3D4E5F6")

    private static func ring(_ keys: [[UInt8]] = [keyA, keyB]) -> ClassicKeyRing {
        let ring = ClassicKeyRing()
        for key in keys { ring.add(key, from: .file("keys.dic")) }
        return ring
    }

    private static func tag(_ card: ClassicCard, _ ring: ClassicKeyRing? = ring()) -> ClassicTag {
        let tag = ClassicTag(on: RecordingChannel(card, target: .classic))
        tag.keys = ring
        return tag
    }

    /// Returns an NDEF card whose sectors only open with its owner's keys.
    private static func ownCard(_ tlvs: [UInt8], access: String = "7F0788") -> ClassicCard {
        let card = ClassicCard.ndef(tlvs)
        card.setTrailer(of: 0, keyA + bytes("787788 C1") + keyB)
        for sector in 1..<16 { card.setTrailer(of: sector, keyA + bytes("\(access) 40") + keyB) }
        return card
    }

    // MARK: NDEF with own keys

    @Test func aMessageBehindOwnKeysIsReadAndWritten() throws {
        let card = Self.ownCard(tlv(message(60)))
        #expect(try Self.tag(card, nil).detect().status == .notSupported)
        #expect(try Self.tag(card).readNDEF() == message(60))
        try Self.tag(card).writeNDEF(message(200, seed: 3))
        #expect(try Self.tag(card).readNDEF() == message(200, seed: 3))
    }

    /// C1 C2 C3 = 100: either key reads, and key B writes.
    @Test func keyBWritesWhereKeyAOnlyReads() throws {
        let card = Self.ownCard(tlv(message(60)), access: "787788")
        let readOnly = try Self.tag(card, Self.ring([Self.keyA])).detect()
        #expect(readOnly.status == .readOnly)
        #expect(readOnly.reason == "the access bits of sector 1 do not allow writing with the keys that are known")
        #expect(try Self.tag(card).detect().status == .readWrite)
        try Self.tag(card).writeNDEF(message(100, seed: 3))
        #expect(try Self.tag(card).readNDEF() == message(100, seed: 3))
    }

    @Test func aCardWithOwnKeysIsLockedWithThem() throws {
        let card = Self.ownCard(tlv(message(60)))
        try Self.tag(card).makeReadOnly()
        for sector in 1..<16 {
            #expect(
                card.trailer(of: sector).prefix(6) == Self.keyA[...]
                    && card.trailer(of: sector).suffix(6) == Self.keyB[...])
            #expect(card.condition(sector, 0) == 2)
        }
        #expect(try Self.tag(card).readNDEF() == message(60))
    }

    // MARK: Search

    @Test func aKeyThatOpenedOneSectorIsTheFirstForTheNext() throws {
        let card = Self.ownCard(tlv(message(60)))
        let many = (0..<500).map { index in [0xEE, 0, 0, 0, UInt8(index >> 8), UInt8(index & 0xFF)] as [UInt8] }
        let ring = Self.ring(many + [Self.keyA, Self.keyB])
        let map = try Self.tag(card, ring).memoryMap()
        #expect(map.blocks.allSatisfy { $0.bytes != nil })
        #expect(map.sectors.allSatisfy { $0.keyA?.bytes == Self.keyA && $0.keyB?.bytes == Self.keyB })
        // Once through the list for each key, followed by at most the public keys before the right one.
        #expect(card.authentications < 2 * 500 + 16 * 20, "\(card.authentications)")
    }

    @Test func whatOpenedASectorIsRememberedAcrossActivations() throws {
        let card = Self.ownCard(tlv(message(60)))
        let ring = Self.ring((0..<300).map { [0xEE, 0, 0, 0, 1, UInt8($0 & 0xFF)] } + [Self.keyA, Self.keyB])
        _ = try Self.tag(card, ring).memoryMap()
        let before = card.authentications
        _ = try Self.tag(card, ring).memoryMap()
        #expect(card.authentications - before < 16 * 20, "\(card.authentications - before)")
    }

    @Test func aCardWithoutAnyKnownKeyIsGivenUpInBoundedTime() throws {
        let card = ClassicCard()
        for sector in 0..<16 { card.setTrailer(of: sector, bytes("010203040506 FF0780 69 111111111111")) }
        let map = try Self.tag(card).memoryMap()
        #expect(map.blocks.allSatisfy { $0.bytes == nil })
        #expect(map.sectors.allSatisfy { $0.keyA == nil && $0.keyB == nil && $0.access == nil })
        #expect(card.authentications < 16 * 90, "\(card.authentications)")
    }

    /// Authentication with a key B that can be read succeeds, but gives no access.
    @Test func aLegibleKeyBWithoutKeyAOpensNothing() throws {
        let card = ClassicCard()
        card.setTrailer(of: 5, bytes("010203040506 FF078069 FFFFFFFFFFFF"))
        let tag = ClassicTag(on: RecordingChannel(card, target: .classic), patience: .instant)
        tag.keys = Self.ring()
        let map = try tag.memoryMap()
        #expect(map.sectors[5].keyA == nil && map.sectors[5].access == nil)
        #expect(map.blocks[20...23].allSatisfy { $0.bytes == nil } && map.blocks[24].bytes != nil)
    }

    @Test func dataThatOnlyKeyBReadsIsRead() throws {
        let card = ClassicCard()
        // C1 C2 C3 = 101 for data, 011 for the trailer.
        let access = ClassicAccess(data: .keyBReads, trailer: .keyBWrites)
        card.setTrailer(of: 2, Self.keyA + access.bytes + [0x69] + Self.keyB)
        let map = try Self.tag(card).memoryMap()
        #expect(map.blocks[8...10].allSatisfy { $0.bytes != nil && $0.isLocked })
        #expect(try Self.tag(card, Self.ring([Self.keyA])).memoryMap().blocks[8].bytes == nil)
    }

    @Test func keysAreNeverInTheMap() throws {
        let card = Self.ownCard(tlv(message(60)))
        card.setTrailer(of: 3, Self.keyA + bytes("FF078069") + Self.keyB)
        let map = try Self.tag(card).memoryMap()
        for sector in map.sectors {
            let trailer = try #require(map.blocks[sector.blocks.upperBound - 1].bytes)
            #expect(trailer.prefix(6).allSatisfy { $0 == 0 } && trailer.suffix(6).allSatisfy { $0 == 0 })
            #expect(sector.keyA?.origin == .file("keys.dic") && sector.keyB?.origin == .file("keys.dic"))
        }
        #expect(map.sectors[3].access?.isKeyBLegible == true)
    }

    // MARK: Writing

    @Test func allKeysAreKnownBeforeTheFirstWrite() throws {
        let card = Self.ownCard(tlv(message(60)))
        card.setTrailer(of: 9, bytes("010203040506 7F0788 40 060504030201"))
        let transport = bytes("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF")
        let failure = error { () throws(TagError) in
            try Self.tag(card).writeBlocks((0..<16).map { ($0 * 4 + 3, transport) })
        }
        #expect(failure == .keyNeeded(sector: 9))
        #expect(card.writes.isEmpty)
    }

    @Test func aTrailerThatUnlocksItsDataIsWrittenBeforeIt() throws {
        let card = Self.ownCard(tlv(message(60)))
        let access = ClassicAccess(data: .readOnly, trailer: .keyBWrites)
        card.setTrailer(of: 2, Self.keyA + access.bytes + [0x69] + Self.keyB)
        let zero = [UInt8](repeating: 0, count: 16)
        let transport = bytes("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF")
        #expect(throws: TagError.self) { try Self.tag(card).writeBlocks([(8, zero), (11, transport)]) }
        #expect(card.writes.isEmpty)
        try Self.tag(card).writeBlocks([(11, transport), (8, zero)])
        #expect(card.writes.last == 8 && card.trailer(of: 2) == transport)
    }

    // MARK: Values, copies

    @Test(arguments: [
        ("E8030000 17FCFFFF E8030000 08F708F7", Int32(1000), UInt8(8)), ("FFFFFFFF 00000000 FFFFFFFF 00FF00FF", -1, 0),
        ("00000080 FFFFFF7F 00000080 FF00FF00", Int32.min, 255),
    ])
    func aValueBlockTellsValueAndAddress(hex: String, value: Int32, address: UInt8) {
        #expect(ClassicValue(bytes(hex))?.value == value && ClassicValue(bytes(hex))?.address == address)
        for index in 0..<16 {
            var broken = bytes(hex)
            broken[index] ^= 1
            #expect(ClassicValue(broken) == nil)
        }
        #expect(ClassicValue([]) == nil)
    }

    @Test(arguments: [
        ("11223344 44 08 0400 6263646566676869", "11223344", [ClassicOrigin.Sign.compatibleMaker]),
        ("11223344 45 08 0400 C09E8A1D6A2F1B01", "11223344", [.checkByte(found: 0x45, expected: 0x44)]),
        ("11223344 44 08 0400 C09E8A1D6A2F1B01", "11223355", [.otherUID]),
        ("11223344 44 88 0400 C09E8A1D6A2F1B01", "11223344", []),
        ("11223344 44 88 0400 C09E8A1D6A2F1B01", "08223355", []),
        ("04A1B2C3D4E580 88 4400 C09E8A1D6A2F", "04A1B2C3D4E580", []),
    ])
    func blockZeroTellsACopy(block0: String, uid: String, signs: [ClassicOrigin.Sign]) {
        let origin = ClassicOrigin(ats: [], hasBackdoor: false, block0: bytes(block0), uid: bytes(uid))
        #expect(origin.signs == signs && !origin.isWritable && !origin.isMIFAREPlus)
    }

    @Test func anATSTellsACopyOrAMIFAREPlus() {
        func origin(_ ats: String) -> ClassicOrigin {
            ClassicOrigin(ats: bytes(ats), hasBackdoor: false, block0: nil, uid: [])
        }
        #expect(origin("097800910 2DABC1910".replacing(" ", with: "")).signs == [.copyATS])
        #expect(origin("0C75778002C105213000 77C1").isMIFAREPlus && origin("0C75778002C105213000 77C1").signs.isEmpty)
        for ats in ["", "01", "02F0", "0275", "05757780 02"] { #expect(!origin(ats).isMIFAREPlus) }
    }
}
