// Silence proves nothing about the keys of a MIFARE Classic, unless the card answers other commands in between
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ClassicEvidenceTests {
    private static let message = TagTypesTests.message(650)

    private func tag(_ channel: NoisyChannel) -> ClassicTag { ClassicTag(on: channel, patience: .instant) }

    private func isAuthentication(_ command: [UInt8]) -> Bool { [0x60, 0x61].contains(command[0]) }

    @Test("A key is tried again before it counts as wrong") func triedAgain() throws {
        let card = ClassicCard.ndef(tlv(Self.message))
        let channel = NoisyChannel(card, target: .classic) { command, _, number in
            isAuthentication(command) && number <= 4 ? .lost : .delivered
        }
        #expect(try tag(channel).detect().status == .readWrite)
    }

    @Test("However bad the noise, no key counts as wrong", arguments: UInt64(1)...20) func noise(seed: UInt64) {
        let card = ClassicCard.ndef(tlv(Self.message))
        let tag = tag(NoisyChannel(card, target: .classic, losing: 0.99, seed: seed))
        do throws(TagError) {
            #expect(try tag.readNDEF() == Self.message)
            #expect(try tag.memoryMap().blocks.allSatisfy { $0.bytes != nil })
            try tag.makeReadOnly()
        } catch .noReliableAnswer {
            // This is the only other result that is allowed.
        } catch .lockInterrupted(_, _, .noReliableAnswer) {
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A key that opened its sector does not count as wrong if the card falls silent", arguments: [20, 40, 50])
    func lastingSilence(number: Int) {
        let card = ClassicCard.ndef(tlv(Self.message))
        let channel = NoisyChannel(card, target: .classic) { command, _, count in
            isAuthentication(command) && count > number ? .lost : .delivered
        }
        guard case .noReliableAnswer? = error({ () throws(TagError) in try tag(channel).readNDEF() }) else {
            Issue.record("silence was taken for a wrong key")
            return
        }
    }

    @Test("A key counts as wrong if the card answers to other keys in between", arguments: UInt64(1)...10)
    func wrongKey(seed: UInt64) throws {
        let card = ClassicCard.ndef(tlv(Self.message))
        card.setTrailer(of: 14, bytes("010203040506 7F0788 40 111111111111"))
        let map = try tag(NoisyChannel(card, target: .classic, losing: 0.5, seed: seed)).memoryMap()
        #expect(map.blocks.indices.filter { map.blocks[$0].bytes == nil } == [56, 57, 58, 59])
    }

    @Test("A card without known keys is reported as such, even with noise", arguments: UInt64(1)...10)
    func noKey(seed: UInt64) throws {
        let card = ClassicCard()
        card.setTrailer(of: 0, bytes("010203040506 FF0780 69 111111111111"))
        let state = try tag(NoisyChannel(card, target: .classic, losing: 0.5, seed: seed)).detect()
        #expect(state.reason == "sector 0 opens neither with the MAD key nor with the factory key")
    }

    @Test("A sector that accepts its key and refuses READ is blocked, even with noise", arguments: UInt64(1)...10)
    func blockedSector(seed: UInt64) throws {
        let card = ClassicCard.ndef(tlv(TagTypesTests.message(40)))
        card.opensBlockedSectors = true
        card.setTrailer(of: 9, bytes("D3F7D3F7D3F7 7F0789 40 FFFFFFFFFFFF"))
        let map = try tag(NoisyChannel(card, target: .classic, losing: 0.25, seed: seed)).memoryMap()
        #expect(map.blocks.filter { $0.bytes == nil }.map(\.number) == [36, 37, 38, 39])
        #expect(map.sectors.filter(\.isBlocked).map(\.number) == [9])
        #expect(map.sectors[9].keyA != nil && map.sectors[9].isClosed(39))
    }

    @Test("A message in a blocked sector cannot be read, and no key is requested") func blockedMessage() {
        let card = ClassicCard.ndef(tlv(Self.message))
        card.opensBlockedSectors = true
        card.setTrailer(of: 3, bytes("D3F7D3F7D3F7 7F0789 40 FFFFFFFFFFFF"))
        #expect(
            error { () throws(TagError) in try ClassicTag(on: RecordingChannel(card, target: .classic)).readNDEF() }
                == .notNDEF(reason: "sector 3 is blocked permanently, because its access bits are invalid"))
        #expect(
            error { () throws(TagError) in
                try ClassicTag(on: RecordingChannel(card, target: .classic)).writeNDEF(TagTypesTests.message(300))
            } == .sectorBlocked(sector: 3))
        #expect(card.writes.isEmpty)
    }

    @Test("A lock is verified despite noise, even if all its bits were already set", arguments: UInt64(1)...10)
    func lock(seed: UInt64) throws {
        let card = ClassicCard.ndef(tlv(Self.message))
        try tag(NoisyChannel(card, target: .classic, losing: 0.5, seed: seed)).makeReadOnly()
        try tag(NoisyChannel(card, target: .classic, losing: 0.5, seed: seed)).makeReadOnly()
        #expect((1..<16).allSatisfy { card.condition($0, 0) == 2 })
    }

    @Test("A lock that the card ignores is reported each time") func uselessLock() {
        let card = ClassicCard.ndef(tlv(Self.message))
        card.isHeeding = false
        func lock() -> TagError? {
            error { () throws(TagError) in try ClassicTag(on: RecordingChannel(card, target: .classic)).makeReadOnly() }
        }
        guard case .lockInterrupted(_, [], .lockWithoutEffect("block 4"))? = lock() else {
            Issue.record("a lock without effect passed")
            return
        }
        #expect(lock() == .lockWithoutEffect(place: "block 4"))
    }
}
