import Chance
import ReaderInterface
import Testing

@testable import PCSCReaders

@Suite struct ATRTests {
    /// Tag-it on a reader, as pcsc_scan shows it.
    private static let tagIt: [UInt8] = [
        0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0, 0, 0x03, 0x06, 0x0B, 0x00, 0x12, 0, 0, 0, 0, 0x71,
    ]

    /// Returns an ATR for a storage card.
    private static func storage(_ standard: UInt8, _ name: UInt16) -> [UInt8] {
        var atr = tagIt
        (atr[12], atr[13], atr[14]) = (standard, UInt8(name >> 8), UInt8(name & 0xFF))
        return atr
    }

    @Test func theStandardAndNotTheNameTellsAnNFCVTag() throws {
        let card = try #require(ContactlessATR(Self.tagIt)?.storageCard)
        #expect(card == .init(standard: 0x0B, name: 0x0012))
        #expect(card.isNFCV)
        for standard in UInt8(0x09)...0x0C {
            #expect(ContactlessATR(Self.storage(standard, 0x0003))?.storageCard?.isNFCV == true)
        }
        #expect(ContactlessATR(Self.storage(0x03, 0x0014))?.storageCard?.isNFCV == false)
        #expect(ContactlessATR(Self.storage(0x0D, 0x0014))?.storageCard?.isNFCV == false)
    }

    @Test(arguments: [
        (UInt16(0x0003), UInt8(0x00)), (0x0001, 0x08), (0x0002, 0x18), (0x0026, 0x09), (0xFF40, 0x40), (0xFF28, 0x28),
    ])
    func aNameTellsTheSAK(name: UInt16, selRes: UInt8) {
        #expect(ContactlessATR(Self.storage(0x03, name))?.storageCard?.selRes == selRes)
    }

    @Test func cutOffAndBrokenATRsAreNone() {
        for length in 0..<19 { #expect(ContactlessATR(Array(Self.tagIt.prefix(length))) == nil) }
        #expect(ContactlessATR([0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
        // Interface bytes without an end.
        #expect(ContactlessATR([0x3B] + Array(repeating: 0xF0, count: 40)) == nil)
    }

    @Test func anyBytesAreTakenWithoutATrap() {
        var chance = SplitMix(state: 1)
        for _ in 0..<5_000 {
            var atr = Self.tagIt
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                atr[Int.random(in: atr.indices, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            atr.removeLast(Int.random(in: 0..<atr.count, using: &chance))
            _ = ContactlessATR(atr)?.storageCard?.selRes
        }
    }

    private func target(_ atr: [UInt8], _ answers: [UInt8]...) throws -> Target? {
        var rest = answers[...]
        let reader = ScriptedReader { _ in rest.popFirst() ?? [0x6A, 0x81] }
        return try TargetIdentification(carrier: reader, dialect: .generic).target(atr: atr)
    }

    @Test func aUIDIsTurnedSoThatE0ComesFirst() throws {
        let uid: [UInt8] = [0xE0, 0x07, 1, 2, 3, 4, 5, 6]
        let expected = Target.nfcV(NFCVTarget(uid: uid))
        #expect(try target(Self.tagIt, uid + [0x90, 0x00]) == expected)
        #expect(try target(Self.tagIt, uid.reversed() + [0x90, 0x00]) == expected)
        #expect(try target(Self.tagIt, [1, 2, 3, 4, 5, 6, 7, 8, 0x90, 0x00]) == nil)
        #expect(try target(Self.tagIt, [0xE0, 0x07, 0x90, 0x00]) == nil)
    }

    /// One UID in 256 has E0 at both ends.
    @Test(arguments: [false, true], ReaderDialect.all.filter { !$0.nfcV.isEmpty } + [.generic])
    func aUIDWithE0AtBothEndsIsTurnedAsTheTagSendsIt(isReversed: Bool, dialect: ReaderDialect) throws {
        let uid: [UInt8] = [0xE0, 0x04, 1, 2, 3, 4, 5, 0xE0]
        let sent = Array(uid.reversed())
        let reader = ScriptedReader { command in
            switch (command[1], command[3]) {
            case (0xCA, _): (isReversed ? sent : uid) + [0x90, 0x00]
            // A transparent session reports success, and returns the answer to Inventory.
            case (0xC2, 0x01): [0xC0, 3, 0, 0x90, 0, 0x97, 10, 0, 0] + sent + [0x90, 0x00]
            case (0xC2, _): [0xC0, 3, 0, 0x90, 0, 0x90, 0x00]
            case (0xFB, _), (0xFC, _): [0x0F] + sent + [0, 0, 27, 3, 1, 0x90, 0x00]
            default: [0x6A, 0x81]
            }
        }
        let target = try TargetIdentification(carrier: reader, dialect: dialect).target(atr: Self.tagIt)
        #expect(target == .nfcV(NFCVTarget(uid: uid)))
    }

    @Test func theTagsWordCountsMoreThanTheMakersCode() throws {
        let uid: [UInt8] = [0xE0, 0x16, 1, 2, 3, 4, 5, 0xE0]
        let reader = ScriptedReader { command in
            switch command[1] {
            case 0xCA: uid + [0x90, 0x00]
            case 0xFC: [0x0F] + uid.reversed() + [0, 0, 27, 3, 1, 0x90, 0x00]
            default: [0x6A, 0x81]
            }
        }
        let target = try TargetIdentification(carrier: reader, dialect: .uTrust372x).target(atr: Self.tagIt)
        #expect(target == .nfcV(NFCVTarget(uid: uid)))
    }

    @Test func anNTAGLooksAsItDoesToLibnfc() throws {
        let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]
        let expected = Target.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: uid))
        #expect(try target(Self.storage(0x03, 0x0003), uid + [0x90, 0x00]) == expected)
    }

    @Test func aCardThatSpeaksAPDUsGetsItsATSFromTheReaderOrItsHistoricalBytes() throws {
        let atr: [UInt8] = [0x3B, 0x81, 0x80, 0x01, 0x80, 0x80]
        let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]
        var expected = NFCATarget(
            sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: uid, ats: [0x75, 0x77, 0x81, 0x02, 0x80])
        #expect(
            try target(atr, uid + [0x90, 0x00], [0x06, 0x75, 0x77, 0x81, 0x02, 0x80, 0x90, 0x00]) == .nfcA(expected))
        expected.ats = [0x00, 0x80]
        #expect(try target(atr, uid + [0x90, 0x00], [0x6A, 0x81]) == .nfcA(expected))
        #expect(try target(atr, uid + [0x90, 0x00], [0x80, 0x90, 0x00]) == .nfcA(expected))
    }

    @Test func aCardWithContactsIsNoTarget() throws {
        #expect(try target([0x3B, 0x00], [0x6D, 0x00]) == nil)
    }
}
