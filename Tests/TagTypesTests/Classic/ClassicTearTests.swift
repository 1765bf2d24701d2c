// MIFARE Classic: a torn WRITE leaves a mixture of old and new bytes, and another run completes the change
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ClassicTearTests {
    private func tag(_ card: ClassicCard) -> ClassicTag { tag(on: RecordingChannel(card, target: .classic)) }

    private func tag(on channel: RecordingChannel) -> ClassicTag {
        let tag = ClassicTag(on: channel)
        tag.keys = ClassicKeyRing()
        return tag
    }

    /// Tears the numbered WRITE of a change, or returns false if there are fewer WRITEs.
    ///
    /// Every second byte becomes new. Access bits become all old or all new, because the chip blocks a sector with torn
    /// access bits, and nothing can repair this.
    private func tear(
        _ card: ClassicCard, atWrite number: Int, isAccessNew: Bool, _ change: (ClassicTag) throws(TagError) -> Void
    ) -> Bool {
        let whole = RecordingChannel(card, target: .classic)
        let memory = card.memory
        _ = error { () throws(TagError) in try change(tag(on: whole)) }
        let writes = whole.commands.indices.filter { whole.commands[$0].first == 0xA0 }
        card.memory = memory
        guard number < writes.count else { return false }
        let torn = RecordingChannel(card, target: .classic, fault: .lost(at: writes[number], after: false))
        _ = error { () throws(TagError) in try change(tag(on: torn)) }
        let command = whole.commands[writes[number]]
        let block = Int(command[1])
        for (index, byte) in command.dropFirst(2).enumerated() {
            let isAccess = block % 4 == 3 && 6..<9 ~= index
            if isAccess ? isAccessNew : index % 2 == 0 { card.memory[block * 16 + index] = byte }
        }
        return true
    }

    @Test(arguments: [false, true]) func initialisingFinishesAfterEachTornWrite(isAccessNew: Bool) throws {
        let done = ClassicCard.ndef(bytes("0300FE")).memory
        for number in 0..<35 {
            let card = ClassicCard()
            let isTorn = tear(card, atWrite: number, isAccessNew: isAccessNew) { tag throws(TagError) in
                try tag.initialise()
            }
            // A message block, two steps for each of 16 trailers, and two blocks of the directory.
            #expect(isTorn, "at \(number)")
            #expect(try tag(card).detect().isBlank, "at \(number)")
            try tag(card).initialise()
            #expect(card.memory == done, "at \(number)")
        }
    }

    @Test(arguments: [false, true]) func resettingFinishesAfterEachTornWrite(isAccessNew: Bool) throws {
        let transport = bytes("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF")
        for number in 0..<4 {
            let card = ClassicCard.ndef(bytes("0300FE"))
            let isTorn = tear(card, atWrite: number, isAccessNew: isAccessNew) { tag throws(TagError) in
                try tag.writeBlocks([(7, transport), (3, transport)])
            }
            #expect(isTorn, "at \(number)")
            try tag(card).writeBlocks([(7, transport), (3, transport)])
            #expect(card.trailer(of: 0) == transport && card.trailer(of: 1) == transport, "at \(number)")
        }
    }

    /// Other programs write the whole trailer at once.
    @Test func aTrailerTornByAnotherProgramIsFinished() throws {
        let card = ClassicCard()
        card.setTrailer(of: 2, bytes("D3FFFFF7D3FF FF078069 FFFFFFFFFFFF"))
        try tag(card).initialise()
        #expect(card.memory == ClassicCard.ndef(bytes("0300FE")).memory)
    }

    @Test func aKeyThatNoTornWriteLeavesIsNotReplaced() {
        let card = ClassicCard()
        card.setTrailer(of: 2, bytes("D3FFFFF7D3FE FF078069 FFFFFFFFFFFF"))
        #expect(error { () throws(TagError) in try tag(card).initialise() } == .keyNeeded(sector: 2))
        #expect(card.writes.isEmpty)
    }

    @Test func noKeyChangesTogetherWithTheAccessBits() throws {
        let blank = try #require(ClassicTrailer(bytes("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF")))
        let own = try #require(ClassicTrailer(bytes("112233445566 7F078840 AABBCCDDEEFF")))
        let keyB = ClassicKey(kind: .b, bytes: own.keyB)
        let steps = own.steps(from: blank, with: .factory)
        #expect(
            steps.map { $0.trailer.bytes } == [
                bytes("FFFFFFFFFFFF FF078069 AABBCCDDEEFF"), bytes("FFFFFFFFFFFF 7F078840 AABBCCDDEEFF"), own.bytes,
            ])
        #expect(steps.map { $0.key } == [.factory, .factory, keyB])
        let back = blank.steps(from: own, with: keyB)
        #expect(
            back.map { $0.trailer.bytes } == [
                bytes("FFFFFFFFFFFF 7F078840 AABBCCDDEEFF"), bytes("FFFFFFFFFFFF FF078069 AABBCCDDEEFF"), blank.bytes,
            ])
        #expect(back.map { $0.key } == [keyB, keyB, .factory])
    }

    /// The access bits of a locked sector come last, because no key can write after them.
    @Test func theAccessBitsThatLockASectorComeLast() throws {
        let blank = try #require(ClassicTrailer(bytes("FFFFFFFFFFFF FF078069 FFFFFFFFFFFF")))
        let locked = ClassicTrailer(
            keyA: bytes("112233445566"), access: ClassicTrailer.readOnlyAccess, generalPurpose: 0x43,
            keyB: bytes("AABBCCDDEEFF"))
        let steps = locked.steps(from: blank, with: .factory)
        #expect(steps.map { $0.trailer.access.trailer } == [.transport, .transport, .frozen])
    }
}
