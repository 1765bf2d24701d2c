// Counters, mirror and originality signature
import Hexadecimal
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2InfoTests {
    // MARK: Originality signature

    /// UIDs and READ_SIG answers of real chips, from recover_pk.py (RfidResearchGroup/proxmark3, tools) and the tests
    /// of npm nxp-originality-verifier.
    ///
    /// One is a Mikron chip, whose key is not NXP's.
    static let signatures: [(String, String, Originality)] = [
        (
            "04E10CDA993C80", "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3",
            .genuine(key: "NXP NTAG21x")
        ),
        (
            "04DB0BDA993C80", "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0",
            .genuine(key: "NXP NTAG21x")
        ),
        (
            "0453C652FE4A80", "EDFD3263E7DDB1730260B832605205FB40FB32D7BB06F1DB49F17706C2ED6727",
            .genuine(key: "NXP NTAG21x")
        ),
        (
            "04C1285A373080", "CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7",
            .genuine(key: "NXP MIFARE Ultralight EV1")
        ),
        (
            "04C2285A373080", "A561506723D422D29ED9F93E60D20B9ED1E05CC1BF81DA19FE500CA0B81CC0ED",
            .genuine(key: "NXP MIFARE Ultralight EV1")
        ),
        ("34D959D16906A0", "7F17E881D214FC044A3DF2E2B9E5FBAD16330D4FF69CC4215B8585CCF3265CD9", .notGenuine),
        ("04E10CDA993C80", "0000000000000000000000000000000000000000000000000000000000000000", .notGenuine),
        ("04E10CDA993C80", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", .notGenuine),
    ]

    @Test(arguments: signatures)
    func signaturesOfRealChipsAreJudged(uid: String, signature: String, verdict: Originality) throws {
        let signature = try #require(OriginalitySignature(bytes(signature)))
        #expect(signature.verdict(on: bytes(uid)) == verdict)
        guard verdict != .notGenuine else { return }
        #expect(signature.verdict(on: bytes("04AAAAAAAAAA80")) == .notGenuine)
        for index in 0..<32 {
            var other = signature.bytes
            other[index] ^= 0x01
            #expect(OriginalitySignature(other)?.verdict(on: bytes(uid)) == .notGenuine)
        }
        for count in 0..<32 { #expect(OriginalitySignature(Array(signature.bytes.prefix(count))) == nil) }
    }

    @Test func theThreeVerdictsComeFromTheTag() throws {
        let target = Target.nfcA(NFCATarget(sensRes: [0, 0x44], selRes: 0, nfcID1: bytes("04E10CDA993C80")))
        let card = ChipCard.ntag213()
        #expect(try Type2Tag(on: RecordingChannel(card, target: target)).verifyOriginality() == .notSupported)
        card.signature = bytes("8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3")
        let tag = Type2Tag(on: RecordingChannel(card, target: target))
        #expect(try tag.verifyOriginality() == .genuine(key: "NXP NTAG21x"))
        #expect(try tag.memoryMap().signature == card.signature)
        card.signature?[0] = 0
        #expect(try Type2Tag(on: RecordingChannel(card, target: target)).verifyOriginality() == .notGenuine)
        card.signature = [1, 2, 3]
        #expect(try Type2Tag(on: RecordingChannel(card, target: target)).verifyOriginality() == .notSupported)
        for old in [ChipCard.ntag203(), .ultralightC()] {
            let channel = RecordingChannel(old)
            #expect(try Type2Tag(on: channel).verifyOriginality() == .notSupported)
            #expect(!channel.commands.contains([0x3C, 0x00]))
        }
    }

    // MARK: Counters

    @Test func countersAreReadWhereTheyCount() throws {
        let ntag = ChipCard.ntag213()
        ntag.counters[2] = 0x003F31
        #expect(try Type2Tag(on: RecordingChannel(ntag)).memoryMap().counters.isEmpty)
        ntag.blocks[42]?[0] = 0x10
        #expect(
            try Type2Tag(on: RecordingChannel(ntag)).memoryMap().counters
                == [MemoryMap.Counter(number: 2, value: 0x3F31, isTorn: nil)])
        ntag.blocks[42]?[0] = 0x18
        #expect(try Type2Tag(on: RecordingChannel(ntag)).memoryMap().counters.isEmpty)
        let ev1 = ChipCard.ev1()
        ev1.counters = [0: 1, 1: 0x010203, 2: 0xFFFFFF]
        #expect(
            try Type2Tag(on: RecordingChannel(ev1)).memoryMap().counters.map(\.value) == [1, 0x010203, 0xFFFFFF])
        #expect(try Type2Tag(on: RecordingChannel(ev1)).memoryMap().counters.allSatisfy { $0.isTorn == false })
        let old = ChipCard.ntag203()
        old.blocks[41] = bytes("34120000")
        #expect(try Type2Tag(on: RecordingChannel(old)).memoryMap().counters.map(\.value) == [0x1234])
    }

    // MARK: Mirror

    /// NXP NTAG213F/216F data sheet, table 18: UID and counter from block 0C, byte 1, strong modulation: `D4`, `0C`.
    @Test func theMirrorOfTheDataSheetIsSet() throws {
        let address = Array("nxp.com/index.html?m=".utf8).hex
        let card = ChipCard.ntag213(
            "0103A00C34032FD1012B5501" + address + String(repeating: "30", count: 21) + "FE")
        card.blocks[41] = bytes("040000FF")
        let tag = Type2Tag(on: RecordingChannel(card))
        // The message begins at byte 7 of the data area, which is 4·4 + 7 = 23. Block 12 byte 1 is address 49.
        try tag.mirror(.uidAndCounter, at: 49 - 23)
        #expect(card.blocks[41] == bytes("D4000CFF"))
        #expect(card.blocks[42] == bytes("10000000"))
        let map = try tag.memoryMap()
        #expect(
            map.mirror
                == MemoryMap.Mirror(
                    content: .uidAndCounter, block: 0x0C, byte: 1, messageOffset: 26, isModulationStrong: true))
        try tag.removeMirror()
        #expect(card.blocks[41] == bytes("040000FF"))
        #expect(try tag.memoryMap().mirror?.content == nil)
    }

    @Test(arguments: [
        (MirrorContent.uid, 4, "40"), (.uid, 5, "50"), (.uid, 6, "60"), (.counter, 7, "B0"), (.counter, 8, "80"),
    ])
    func everyByteOfABlockCanBeTheFirst(content: MirrorContent, offset: Int, mode: String) throws {
        let card = ChipCard.ntag215("0320" + String(repeating: "30", count: 32) + "FE")
        try Type2Tag(on: RecordingChannel(card)).mirror(content, at: offset + 6)
        #expect(card.blocks[131]?[0] == bytes(mode)[0])
        #expect(card.blocks[131]?[2] == UInt8((18 + offset + 6) / 4))
    }

    @Test func whatCannotBeMirroredIsRefusedBeforeAnyWrite() throws {
        let text = "0320" + String(repeating: "30", count: 32) + "FE"
        let frozen = ChipCard.ntag213(text)
        frozen.blocks[42]?[0] = 0x40
        let rows: [(ChipCard, MirrorContent, Int)] = [
            (.ntag213(text), .uid, 19), (.ntag213(text), .uid, -1), (.ntag213(text), .uidAndCounter, 12),
            (.ntag213(), .counter, 0), (frozen, .uid, 0), (.ev1(), .uid, 0), (.ntag203(), .uid, 0),
            (.ntagI2C2k(text), .uid, 0),
        ]
        for (card, content, offset) in rows {
            let channel = RecordingChannel(card)
            #expect(throws: TagError.self) { try Type2Tag(on: channel).mirror(content, at: offset) }
            #expect(!channel.commands.contains { $0[0] == 0xA2 })
        }
    }

    @Test func aFaultAtAnyCommandLeavesTheOldMirrorOrTheNew() throws {
        let text = "0320" + String(repeating: "30", count: 32) + "FE"
        let clean = RecordingChannel(ChipCard.ntag213(text))
        try Type2Tag(on: clean).mirror(.counter, at: 3)
        for at in 0..<clean.commands.count {
            for fault in [
                RecordingChannel.Fault.lost(at: at, after: false), .lost(at: at, after: true),
                .silence(at: at, after: false), .silence(at: at, after: true),
            ] {
                let card = ChipCard.ntag213(text)
                let thrown: TagError? = error { () throws(TagError) in
                    try Type2Tag(on: RecordingChannel(card, fault: fault)).mirror(.counter, at: 3)
                }
                let isNew = card.blocks[41] == bytes("900005FF")
                #expect(isNew || card.blocks[41] == bytes("000000FF"))
                if thrown == nil { #expect(isNew && card.blocks[42]?[0] == 0x10) }
                if isNew { #expect(card.blocks[42]?[0] == 0x10) }
            }
        }
    }

    @Test func onlyACopiedSignatureIsReportedForASimulatedTag() {
        #expect(Originality.notGenuine.said(ofVirtual: true) == nil)
        #expect(Originality.notGenuine.said(ofVirtual: false) == .notGenuine)
        #expect(Originality.genuine(key: "NXP").said(ofVirtual: true) == .genuine(key: "NXP"))
    }
}
