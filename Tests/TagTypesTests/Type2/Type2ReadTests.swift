// Type 2 Tag detection and reading: sequences, figures, hostile numbers
import Chance
import ReaderInterface
import Testing

@testable import TagTypes

/// Returns a message of `count` bytes that differ from their neighbours.
func message(_ count: Int, seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + seed + 1) }
}

/// Returns an NDEF TLV with a message, and the terminator.
func tlv(_ message: [UInt8]) -> [UInt8] {
    let count = message.count
    let head: [UInt8] = count < 255 ? [0x03, UInt8(count)] : [0x03, 0xFF, UInt8(count >> 8), UInt8(count & 0xFF)]
    return head + message + [0xFE]
}

@Suite struct Type2ReadTests {
    @Test func ultralightIsReadWithREADAfterGETVERSIONWasRefused() throws {
        // Block contents from an NFC Forum T2T example: CC E1 10 06 00, NDEF TLV of 3 bytes.
        let channel = ScriptedChannel(
            .type2,
            [
                .failure(.raw, command: "60", .noAnswer), .reselect,
                .failure(.raw, command: "60", .noAnswer), .reselect,
                // The memory explains the silence, because it continues with block 0 after block 15.
                .exchange(.handled, command: "30 0D", answer: "00000000 00000000 00000000 04A1B29F"),
                .exchange(.handled, command: "30 00", answer: "04A1B29F C3D4E580 72480000 E1100600"),
                .exchange(.handled, command: "30 04", answer: "0303D000 00FE0000 00000000 00000000"),
            ])
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 46, messageLength: 3))
        #expect(try tag.readNDEF() == bytes("D00000"))
        #expect(tag.chip == nil)
        #expect(channel.isFinished)
    }

    @Test func getVersionIsNotSentWhereActivationExcludesIt() throws {
        let target = Target.nfcA(NFCATarget(sensRes: [0x00, 0x04], selRes: 0x00, nfcID1: bytes("01020304")))
        let channel = RecordingChannel(Type2Card.ultralight(), target: target)
        #expect(try Type2Tag(on: channel).detect().capacity == 46)
        #expect(!channel.commands.contains([0x60]))
    }

    /// GET_VERSION answers and capability containers of the NXP data sheets, with the TLVs as delivered.
    @Test(arguments: [
        ("NTAG213", 45, "0004040201000F03", "E1101200", "0103A00C340300FE", 137),
        ("NTAG213", 45, "0004040201000F03", "E1101200", "0300FE", 142),
        ("NTAG215", 135, "0004040201001103", "E1103E00", "0300FE", 492),
        ("NTAG216", 231, "0004040201001303", "E1106D00", "0300FE", 868),
        ("MIFARE Ultralight EV1 (MF0UL11)", 20, "0004030101000B03", "E1100600", "0300FE", 46),
        ("MIFARE Ultralight EV1 (MF0UL21)", 41, "0004030101000E03", "E1101000", "0300FE", 126),
    ])
    func capacitiesAreThoseOfTheContract(
        name: String, blocks: Int, version: String, cc: String, tlvs: String, capacity: Int
    ) throws {
        let card = Type2Card(blocks: blocks, cc: cc, version: version, tlvs: bytes(tlvs))
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: capacity, messageLength: 0))
        #expect(tag.chip?.name == name)
    }

    @Test func reading800BytesOfAnNTAG216TakesFiveExchanges() throws {
        let channel = RecordingChannel(Type2Card.ntag216(tlv(message(800))))
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect().messageLength == 800)
        #expect(try tag.readNDEF() == message(800))
        #expect(try tag.readNDEF() == message(800))
        #expect(channel.commands.count == 5)
    }

    @Test func readingAnNTAG213TakesTwoExchanges() throws {
        let channel = RecordingChannel(Type2Card.ntag213(tlv(message(100))))
        #expect(try Type2Tag(on: channel).readNDEF() == message(100))
        #expect(channel.commands.count == 2)
    }

    @Test(arguments: [0, 1, 2, 253, 254, 255, 256, 700, 868])
    func everyLengthIsReadBack(length: Int) throws {
        let area = Array(tlv(message(length)).prefix(872))
        #expect(try Type2Tag(on: RecordingChannel(Type2Card.ntag216(area))).readNDEF() == message(length))
    }

    @Test func aSmallReaderReadsInSmallerRuns() throws {
        let channel = RecordingChannel(Type2Card.ntag216(tlv(message(800))), maxResponseLength: 18)
        #expect(try Type2Tag(on: channel).readNDEF() == message(800))
        #expect(channel.commands.allSatisfy { $0.count < 3 || $0[2] - $0[1] < 4 })
    }

    @Test func fullUltralightIsReadToItsLastBlockWithoutRollOver() throws {
        let area = Array(tlv(message(46)).prefix(48))
        #expect(try Type2Tag(on: RecordingChannel(Type2Card.ultralight(area))).readNDEF() == message(46))
    }

    @Test func nullTLVIsOneByteAndProprietaryTLVsAreSkipped() throws {
        let area = bytes("00 00 FD 02 AABB 00") + tlv(message(5))
        #expect(try Type2Tag(on: RecordingChannel(Type2Card.ultralight(area))).readNDEF() == message(5))
    }

    @Test func longLengthFormBelow255IsRead() throws {
        let area = bytes("03 FF 0003 D00000 FE")
        #expect(try Type2Tag(on: RecordingChannel(Type2Card.ultralight(area))).readNDEF() == bytes("D00000"))
    }

    @Test func reservedBytesInsideTheMessageAreSkipped() throws {
        // Memory Control TLV with page 2, offset 0 and 2^4 bytes per page. Bytes 32…35 are not for data.
        var area = bytes("02 03 20 04 04 03 14")
        let value = message(20)
        area += value.prefix(9) + bytes("EEEEEEEE") + value.dropFirst(9) + [0xFE]
        let tag = Type2Tag(on: RecordingChannel(Type2Card.ultralight(area)))
        #expect(try tag.readNDEF() == value)
        #expect(try tag.detect().capacity == 48 - 5 - 4 - 2)
    }

    @Test(arguments: [
        ("00000000", true, "its capability container is blank"),
        ("F110FFEE", false, "block 3 holds F1 10 FF EE, which is not a capability container"),
        ("E1200600", false, "its mapping version is 20; only 1x is supported"),
        ("E1100680", false, "its capability container does not allow unrestricted reading (access 80)"),
    ])
    func withoutReadableContainerThereIsNoNDEF(cc: String, isBlank: Bool, reason: String) throws {
        let tag = Type2Tag(on: RecordingChannel(Type2Card.ultralight(cc: cc)))
        let state = NDEFState(
            status: .notSupported, capacity: isBlank ? 46 : 0, messageLength: nil, isBlank: isBlank, reason: reason)
        #expect(try tag.detect() == state)
        #expect(error(tag.readNDEF) == .notNDEF(reason: reason))
        #expect(error { () throws(TagError) in try tag.writeNDEF([]) } == .notNDEF(reason: reason))
    }

    /// Hostile capability containers and TLVs, the field that is named, and the value found there.
    @Test(arguments: [
        ("E1110000", "0300FE", "data area size of the capability container", "00"),
        ("E1100600", "03 31", "NDEF TLV length", "49"),
        ("E1100600", "03 FF FFFF", "TLV length", "FFFF"),
        ("E1100600", "03 FF FFFE", "NDEF TLV length", "65534"),
        ("E1100600", "FD 2F", "length of TLV FD", "47"),
        ("E1100600", "01 02 A00C 0300", "Lock Control TLV length", "2"),
    ])
    func aBrokenFieldIsNamedWithItsValue(cc: String, tlvs: String, field: String, found: String) throws {
        let tag = Type2Tag(on: RecordingChannel(Type2Card.ultralight(bytes(tlvs), cc: cc)))
        guard case .protocolViolation(field, found, _, _)? = error(tag.detect) else {
            Issue.record("\(String(describing: error(tag.detect)))")
            return
        }
    }

    @Test func aTLVCutOffByTheEndIsAnErrorAtEachByte() throws {
        for count in 1...3 {
            let area = [UInt8](repeating: 0, count: 48 - count) + bytes("03FF01").prefix(count)
            guard
                case .protocolViolation("TLV length", _, _, _)? = error(
                    Type2Tag(on: RecordingChannel(Type2Card.ultralight(area))).detect)
            else {
                Issue.record("\(count)")
                continue
            }
        }
    }

    @Test func lockedDataIsReadOnlyThoughTheContainerAllowsWriting() throws {
        let card = Type2Card.ultralight()
        card.memory[11] = 0x80
        let reason = "its lock bits lock block 15, though its capability container allows writing"
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect() == NDEFState(status: .readOnly, capacity: 46, messageLength: 0, reason: reason))
        #expect(error { () throws(TagError) in try tag.writeNDEF([1]) } == .readOnly(reason: reason))
        #expect(card.writes.isEmpty)
    }

    @Test func dynamicLockBitsCount() throws {
        let card = Type2Card.ntag215()
        card.memory[0x82 * 4] = 0x02
        #expect(try Type2Tag(on: RecordingChannel(card)).detect().reason?.contains("block 32,") == true)
    }

    @Test func aContainerThatSaysReadOnlyIsReadOnly() throws {
        let tag = Type2Tag(on: RecordingChannel(Type2Card.ultralight(cc: "E110060F")))
        #expect(try tag.detect().status == .readOnly)
        #expect(try tag.detect().reason == "its capability container does not allow writing (access 0F)")
    }

    @Test func theLockIsNamedIfItsBitsLockTheWholeMessage() throws {
        let card = Type2Card.ntag215()
        card.memory[3 * 4 + 3] = 0x0F
        card.memory.replaceSubrange(10..<12, with: [0xFF, 0xFF])
        // Without the dynamic lock bits, blocks from 16 on are open.
        #expect(
            try Type2Tag(on: RecordingChannel(card)).detect().reason
                == "its capability container does not allow writing (access 0F)")
        card.memory.replaceSubrange(0x82 * 4..<0x82 * 4 + 3, with: [0xFF, 0xFF, 0x3F])
        let reason = "its lock bits are set, so blocks 4 to 127 can never be written again"
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().reason == reason)
        #expect(error { () throws(TagError) in try tag.writeNDEF([1]) } == .readOnly(reason: reason))
    }

    @Test func areaBehindAPasswordIsNamedAndTheRestIsRead() throws {
        let card = Type2Card.ntag215(tlv(message(300)))
        card.auth0 = 40
        card.protectsReading = true
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().messageLength == 300)
        #expect(error(tag.readNDEF) == .passwordNeeded(block: 40))
        #expect(error { () throws(TagError) in try tag.writeNDEF([1]) } == .passwordNeeded(block: 40))
        card.memory.replaceSubrange(16..<22, with: tlv(message(3)))
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(3))
    }

    @Test func aTagThatGuardsEverythingNeedsAPassword() throws {
        let card = Type2Card.ntag213()
        card.auth0 = 0
        card.protectsReading = true
        #expect(error(Type2Tag(on: RecordingChannel(card)).detect) == .passwordNeeded(block: 3))
    }

    @Test func writeProtectionByPasswordIsKnownBeforeWriting() throws {
        let card = Type2Card.ntag213()
        card.auth0 = 6
        card.memory[0x29 * 4 + 3] = 6
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().status == .readOnly)
        #expect(error { () throws(TagError) in try tag.writeNDEF([1]) } == .passwordNeeded(block: 6))
        #expect(card.writes.isEmpty)
    }

    /// AUTH0 is 20: blocks 4 to 19 hold messages up to 61 bytes with their TLV and the terminator.
    @Test func aMessageBeforeTheProtectedBlocksIsReplacedWithoutThePassword() throws {
        let card = Type2Card.ntag215(tlv(message(14)))
        card.auth0 = 20
        card.memory[0x83 * 4 + 3] = 20
        let tag = Type2Tag(on: RecordingChannel(card))
        let state = try tag.detect()
        #expect(state.status == .readWrite && state.needsPassword && state.capacity == 492)
        #expect(state.reason == "writing from block 20 onwards needs a password")
        #expect(error { () throws(TagError) in try tag.writeNDEF(message(62)) } == .passwordNeeded(block: 20))
        #expect(card.writes.isEmpty)
        try tag.writeNDEF(message(61))
        #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(61))
        #expect(error { () throws(TagError) in _ = try tag.planWipe() } == .passwordNeeded(block: 20))
    }

    @Test func blocksBehindAHiddenAUTH0AreFoundBeforeTheFirstWrite() throws {
        for card in [ChipCard.ev1(), .ultralightAES()] {
            let first = card.existing[0].upperBound == 59 ? 41 : card.existing[0].upperBound - 3
            card.blocks[first]?[3] = 20
            card.blocks[first + 1]?[0] |= 0x80
            let memory = card.blocks
            let tag = Type2Tag(on: RecordingChannel(card))
            #expect(error { () throws(TagError) in try tag.writeNDEF(message(100)) } == .passwordNeeded(block: 20))
            #expect(error { () throws(TagError) in _ = try tag.planWipe() } != nil)
            #expect(card.blocks == memory)
            // Blocks 4 to 19 hold 64 bytes: the TLVs before the message, its head, and the terminator.
            let longest = card.blocks[4]?[0] == 0x03 ? 61 : 56
            #expect(
                error { () throws(TagError) in
                    try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(longest + 1))
                } == .passwordNeeded(block: 20))
            #expect(card.blocks == memory)
            for count in [20, longest] {
                try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(count))
                #expect(try Type2Tag(on: RecordingChannel(card)).readNDEF() == message(count))
            }
        }
    }

    @Test func aSmallReaderKnowsTheProtectionToo() throws {
        let card = Type2Card(blocks: 20, cc: "E1100600", version: "0004030101000B03", tlvs: bytes("0300FE"))
        card.memory[0x10 * 4 + 3] = 5
        #expect(
            try Type2Tag(on: RecordingChannel(card, maxResponseLength: 16)).detect().reason
                == "writing from block 5 onwards needs a password")
    }

    @Test func oneLostAnswerDoesNotStopReading() throws {
        for number in 0..<5 {
            let channel = RecordingChannel(
                Type2Card.ntag216(tlv(message(800))), fault: .silence(at: number, after: false))
            #expect(try Type2Tag(on: channel).readNDEF() == message(800), "at \(number)")
        }
    }

    @Test func aTagThatLeavesIsLostAtEachExchange() {
        for number in 0..<5 {
            let channel = RecordingChannel(Type2Card.ntag216(tlv(message(800))), fault: .lost(at: number, after: true))
            #expect(error(Type2Tag(on: channel).readNDEF) == .reader(.tagLost), "at \(number)")
        }
    }

    @Test(arguments: ["", "04", "04A1B29F C3D4E580 72480000 E11006"])
    func anAnswerOfTheWrongLengthIsNamed(answer: String) {
        let channel = ScriptedChannel(
            .type2,
            [
                .failure(.raw, command: "60", .noAnswer), .reselect,
                .failure(.raw, command: "60", .noAnswer), .reselect,
                .exchange(.handled, command: "30 0D", answer: "00000000 00000000 00000000 00000000"),
                .failure(.raw, command: "60", .noAnswer), .reselect,
                .exchange(.handled, command: "30 00", answer: answer), .reselect,
                .exchange(.raw, command: "30 00", answer: answer), .reselect,
                .exchange(.raw, command: "30 00", answer: answer),
            ])
        #expect(
            error(Type2Tag(on: channel).detect)
                == .protocolViolation(
                    field: "the answer to READ",
                    found: bytes(answer).count == 1 ? "1 byte" : "\(bytes(answer).count) bytes",
                    expected: "16 bytes", offset: 0))
    }

    @Test func randomMemoriesGiveAnAnswerOrATypedErrorInBoundedTime() {
        var random = SplitMix(state: 2)
        for round in 0..<600 {
            let cards = [Type2Card.ntag213(), .ntag215(), .ultralight()]
            let card = cards[round % 3]
            for address in 16..<card.memory.count - 20 where round % 2 == 0 || address < 40 {
                card.memory[address] =
                    [0x00, 0x01, 0x02, 0x03, 0xFD, 0xFE, 0xFF, .random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            card.memory[14] = .random(in: 0...255, using: &random)
            let channel = RecordingChannel(card)
            let tag = Type2Tag(on: channel)
            if let state = try? tag.detect(), let length = state.messageLength {
                #expect(length <= state.capacity)
                // Reading stops at the end of the memory, whatever the container claims, only for a chip of known size.
                let isSizeKnown = tag.chip != nil
                let found = try? tag.readNDEF()
                #expect(found?.count == length || !isSizeKnown && found == nil)
                let wanted = message(min(state.capacity, 40), seed: round)
                let failure = error { () throws(TagError) in try tag.writeNDEF(wanted) }
                if state.status == .readWrite, isSizeKnown || failure == nil {
                    #expect(failure == nil)
                    #expect((try? Type2Tag(on: RecordingChannel(card)).readNDEF()) == wanted)
                }
            }
            _ = try? tag.memoryMap()
            #expect(channel.commands.count < 400)
        }
    }
}
