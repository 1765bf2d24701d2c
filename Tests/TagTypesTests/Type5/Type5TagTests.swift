// Type 5 Tag: detect, read, write — exchanges, limits, differences between tags and readers
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type5TagTests {
    static let shapes: [@Sendable ([UInt8]) -> Type5Card] = [
        { .slix2($0) }, { .myD($0) }, { .straddled($0) }, { .large($0) }, { .st25DV16K($0) }, { .m24LR64($0) },
    ]

    private func tag(_ card: Type5Card) -> Type5Tag { Type5Tag(on: VicinityChannel(card)) }

    // MARK: Reading

    @Test func anSLIX2IsReadInAFewLargeFrames() throws {
        let channel = VicinityChannel(.slix2(message(200)))
        let tag = Type5Tag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 308, messageLength: 200))
        // System information, the first block, the data area in one frame of 65 blocks, the locks.
        #expect(channel.codes() == [0x2B, 0x20, 0x23, 0x2C])
        #expect(try tag.readNDEF() == message(200))
        #expect(channel.codes().isEmpty)
        #expect(tag.chip?.name == "ICODE SLIX2" && tag.type == .type5)
    }

    @Test func everyCommandIsAddressedWithTheLastByteOfTheUIDFirst() throws {
        let channel = VicinityChannel(.slix2(message(20)))
        try Type5Tag(on: channel).writeNDEF(message(30, seed: 4))
        for command in channel.commands {
            #expect(command[0] & 0x26 == 0x22)
            #expect(Array(command[2..<10]) == Type5Card.uid.reversed())
        }
        #expect(channel.commands.allSatisfy { $0[0] == 0x22 })
    }

    @Test(arguments: shapes.indices, [0, 1, 30, 200])
    func aMessageIsReadAndReplaced(shape: Int, length: Int) throws {
        let card = Self.shapes[shape](message(length))
        #expect(try tag(card).readNDEF() == message(length))
        let before = card.memory
        try tag(card).writeNDEF(message(35, seed: 8))
        #expect(try tag(card).readNDEF() == message(35, seed: 8))
        #expect(before.prefix(4) == card.memory.prefix(4))
        // Only the block with the length is written twice.
        #expect(Dictionary(grouping: card.writes) { $0 }.values.count { $0.count > 1 } <= 1)
    }

    @Test func blocksFrom256OnTakeTheExtendedCommands() throws {
        let card = Type5Card.st25DV16K(message(1500))
        let channel = VicinityChannel(card)
        let tag = Type5Tag(on: channel)
        #expect(try tag.detect().capacity == 2036)
        #expect(try tag.readNDEF() == message(1500))
        try tag.writeNDEF(message(1400, seed: 3))
        let codes = Set(channel.codes())
        #expect(
            codes.isSuperset(of: [0x20, 0x21, 0x23, 0x31, 0x33, 0x3B]) && codes.isDisjoint(with: [0x22, 0x24, 0x32]))
        #expect(try self.tag(card).readNDEF() == message(1400, seed: 3))
    }

    @Test func anOlderSTChipGetsTheProtocolExtensionFlagInAllCommands() throws {
        let card = Type5Card.m24LR64(message(1500))
        let channel = VicinityChannel(card)
        let tag = Type5Tag(on: channel)
        // MLEN FF and the overflow bit stand for the whole memory.
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 8184, messageLength: 1500))
        #expect(try tag.readNDEF() == message(1500))
        try tag.writeNDEF(message(1400, seed: 3))
        let first = try #require(channel.commands.firstIndex { $0[0] == 0x2A })
        #expect(channel.commands[first...].allSatisfy { $0[0] == 0x2A })
        #expect(try self.tag(card).readNDEF() == message(1400, seed: 3))
    }

    @Test(arguments: [1, 2, 7, 32]) func shortRunsAreFoundOut(longest: Int) throws {
        let card = Type5Card.slix2(message(200))
        card.longestRun = longest
        let channel = VicinityChannel(card)
        #expect(try Type5Tag(on: channel).readNDEF() == message(200))
        // The length is found once by halving, and is kept.
        #expect(channel.commands.count <= 10 + 65 / max(1, longest / 2))
    }

    @Test func withoutMBREADAnUnknownChipIsReadBlockByBlock() throws {
        let card = Type5Card.formatted(blocks: 64, cc: "E1401F00", message(40))
        card.uid = bytes("E07F 0111 22334455")
        let channel = VicinityChannel(card)
        #expect(try Type5Tag(on: channel).readNDEF() == message(40))
        #expect(!channel.codes().contains(0x23))
    }

    @Test func aSmallReaderGetsSmallFrames() throws {
        let channel = VicinityChannel(.slix2(message(200)))
        channel.maxResponseLength = 33
        #expect(try Type5Tag(on: channel).readNDEF() == message(200))
        #expect(channel.commands.filter { $0[1] == 0x23 }.allSatisfy { $0.last == 7 || $0.last ?? 9 < 8 })
    }

    @Test func aTagWithoutSystemInformationIsBoundedByItsContainer() throws {
        let card = Type5Card.formatted(blocks: 64, cc: "E1401F01", message(40))
        card.uid = bytes("E07F 0111 22334455")
        card.kind = .mute
        #expect(try tag(card).detect() == NDEFState(status: .readWrite, capacity: 246, messageLength: 40))
    }

    /// The counter of an SLIX2 is not memory for a message, even if the container includes it.
    @Test func theCounterOfAnSLIX2IsNotPartOfTheDataArea() throws {
        let card = Type5Card.formatted(blocks: 80, cc: "E1402801", message(10))
        #expect(try tag(card).detect().capacity == 308)
        try tag(card).writeNDEF(message(308))
        #expect(!card.writes.contains(79))
        #expect(try tag(card).memoryMap().blocks.last?.role == .counter)
    }

    // MARK: Refusals

    static let refused: [(cc: String, reason: String)] = [
        ("E3402701", "its memory begins with E3 40 27 01, which is not a capability container"),
        ("E1802701", "its mapping version is 2.0; only 1.x is supported"),
        ("E1442701", "its capability container does not allow unrestricted reading (access 44)"),
    ]

    @Test(arguments: refused) func aTagThatIsNotNDEFSaysWhy(cc: String, reason: String) throws {
        let card = Type5Card.formatted(blocks: 80, cc: cc, message(10))
        #expect(
            try tag(card).detect()
                == NDEFState(status: .notSupported, capacity: 0, messageLength: nil, isBlank: false, reason: reason))
        #expect(error { () throws(TagError) in try tag(card).writeNDEF([]) } == .notNDEF(reason: reason))
        #expect(card.writes.isEmpty)
    }

    @Test(arguments: ["E1412701", "E1422701", "E1432701"])
    func writeAccessOtherThanFreeForbidsWriting(cc: String) throws {
        let card = Type5Card.formatted(blocks: 80, cc: cc, message(10))
        let reason = "its capability container does not allow writing (access \(cc.dropFirst(2).prefix(2)))"
        #expect(try tag(card).detect().status == .readOnly && tag(card).detect().reason == reason)
        #expect(
            error { () throws(TagError) in try tag(card).writeNDEF([]) }
                == .readOnly(reason: reason, mayBeRestored: true))
        #expect(card.writes.isEmpty)
    }

    @Test func aLockedBlockForbidsWriting() throws {
        let card = Type5Card.slix2(message(10))
        card.locked = [7]
        let reason = "its block 7 is locked, though its capability container allows writing"
        #expect(try tag(card).detect().reason == reason)
        #expect(
            error { () throws(TagError) in try tag(card).writeNDEF(message(40)) }
                == .readOnly(reason: reason, mayBeRestored: true))
        #expect(card.writes.isEmpty)
    }

    @Test func aMessageThatDoesNotFitIsRefused() throws {
        let card = Type5Card.slix2(message(10))
        #expect(
            error { () throws(TagError) in try tag(card).writeNDEF(message(309)) }
                == .tooLong(length: 309, capacity: 308))
        #expect(card.writes.isEmpty)
    }

    @Test func mlenZeroIsAnError() {
        let card = Type5Card.formatted(blocks: 80, cc: "E1400001 00000000", [])
        guard
            case .protocolViolation(field: "MLEN of the capability container", _, _, _)? =
                error({ () throws(TagError) in try tag(card).detect() })
        else {
            Issue.record("MLEN 0 was accepted"); return
        }
    }

    @Test func aTLVBeyondTheAreaIsAnError() {
        let card = Type5Card(blocks: 80, bytes("E1400201 0320"))
        guard case .protocolViolation? = error({ () throws(TagError) in try tag(card).detect() }) else {
            Issue.record("a TLV beyond the area was accepted"); return
        }
    }

    @Test func nullAndProprietaryTLVsAreKept() throws {
        let card = Type5Card.formatted(
            blocks: 80, cc: "E1402709", message(10), before: bytes("0000 FD03 D00000 0103 AABBCC"))
        #expect(try tag(card).readNDEF() == message(10))
        try tag(card).writeNDEF(message(20, seed: 2))
        #expect(Array(card.memory[4..<16]) == bytes("0000 FD03 D00000 0103 AABBCC"))
        #expect(try tag(card).readNDEF() == message(20, seed: 2))
    }

    // MARK: Commands that the reader cannot send

    @Test func aReaderThatCannotWriteIsRefusedBeforeAnythingChanges() throws {
        let card = Type5Card.st25DV16K(message(10))
        let before = card.memory
        let channel = VicinityChannel(card)
        channel.unknownCodes = [0x31]
        // A message that ends before block 256 can be written.
        try Type5Tag(on: channel).writeNDEF(message(20))
        #expect(card.memory != before)
        let written = card.writes.count
        let failure = error { () throws(TagError) in try Type5Tag(on: channel).writeNDEF(message(1200)) }
        #expect(failure == .reader(.cannotSend(command: 0x31, reader: "test")))
        #expect(card.writes.count == written)
    }

    @Test func optionalCommandsAreDoneWithout() throws {
        let channel = VicinityChannel(.slix2(message(100)))
        channel.unknownCodes = [0x2B, 0x3B, 0x23, 0x2C]
        let tag = Type5Tag(on: channel)
        #expect(try tag.readNDEF() == message(100))
        try tag.writeNDEF(message(30))
        #expect(try tag.readNDEF() == message(30))
    }

    @Test func aRefusalThatTheReaderHidesIsToldFromSilence() throws {
        let card = Type5Card.slix2(message(10))
        let channel = VicinityChannel(card)
        channel.hidesErrors = true
        let tag = Type5Tag(on: channel)
        let refused = { (command: String, block: Int) in
            TagError.commandFailed(command: "\(command) (error 0F, no reason given)", offset: block * 4, sw: nil)
        }
        card.locked.insert(9)
        let bytes = [(number: 9, bytes: [UInt8](repeating: 7, count: 4))]
        #expect(error { () throws(TagError) in try tag.writeBlocks(bytes) } == refused("WRITE SINGLE BLOCK", 9))
        // The tag is present each time, because block 0 can be read.
        #expect(channel.codes().count { $0 == 0x21 } == 3)
        // Silence is not a refusal if the tag does not answer reads either.
        channel.distort = { _, _ in nil }
        let memory = Type5Memory(channel: channel, patience: .optional)
        #expect(
            error { () throws(TagError) in _ = try memory.block(5) }
                == .noReliableAnswer(command: "READ SINGLE BLOCK", offset: 0))
        channel.distort = { command, answer in command.last == 5 ? nil : answer }
        let other = Type5Memory(channel: channel, patience: .standard)
        _ = try other.block(0)
        #expect(error { () throws(TagError) in _ = try other.block(5) } == refused("READ SINGLE BLOCK", 5))
    }

    // MARK: Writing

    @Test func aWriteWithoutAnAnswerIsDecidedByReadingBack() throws {
        let card = Type5Card.slix2(message(100))
        let channel = VicinityChannel(card)
        channel.losesWriteAnswers = true
        try Type5Tag(on: channel).writeNDEF(message(30, seed: 2))
        #expect(try tag(card).readNDEF() == message(30, seed: 2))
        // Each block is written once, and the block with the length twice.
        #expect(card.writes.count == Set(card.writes).count + 1)
    }

    @Test func theLengthIsZeroedFirstAndWrittenLast() throws {
        let card = Type5Card.slix2(message(100))
        try tag(card).writeNDEF(message(30, seed: 2))
        #expect(card.writes.first == 1 && card.writes.last == 1)
        #expect(card.writes.dropFirst().dropLast().sorted() == Array(2...9))
        // Only what changes is written.
        let count = card.writes.count
        try tag(card).writeNDEF(message(30, seed: 2))
        #expect(card.writes.count == count)
    }

    @Test(arguments: [true, false]) func theOptionFlagIsSetWhereTheContainerSaysSo(isSpecial: Bool) throws {
        let card = Type5Card.formatted(blocks: 64, cc: isSpecial ? "E1401F11" : "E1401F01", message(10))
        card.uid = bytes("E07F 0111 22334455")
        let channel = VicinityChannel(card)
        try Type5Tag(on: channel).writeNDEF(message(12))
        #expect(channel.commands.filter { $0[1] == 0x21 }.allSatisfy { $0[0] == (isSpecial ? 0x62 : 0x22) })
        #expect(channel.commands.filter { $0[1] != 0x21 }.allSatisfy { $0[0] == 0x22 })
    }

    @Test func aTagItHFIGetsTheOptionFlag() throws {
        let card = Type5Card.formatted(blocks: 64, cc: "E1401F01", message(10))
        card.uid = bytes("E007 8011 22334455")
        card.neededOption = true
        let channel = VicinityChannel(card)
        try Type5Tag(on: channel).writeNDEF(message(12))
        #expect(channel.commands.filter { $0[1] == 0x21 }.allSatisfy { $0[0] == 0x62 })
    }

    /// After error 03, the other setting is tried once.
    @Test(arguments: ["E1401F01", "E1401F11"]) func aTagThatRefusesTheOptionGetsTheOtherSetting(cc: String) throws {
        let card = Type5Card.formatted(blocks: 64, cc: cc, message(10))
        card.uid = bytes("E07F 0111 22334455")
        card.neededOption = cc == "E1401F01"
        try tag(card).writeNDEF(message(12))
        #expect(try tag(card).readNDEF() == message(12))
    }

    @Test func aRefusedFirstWriteIsTheTagsOwnError() {
        let card = Type5Card.slix2(message(10))
        card.locked = [1]
        card.tellsStatus = false
        card.tellsStatusByOption = false
        #expect(
            error { () throws(TagError) in try tag(card).writeNDEF(message(20)) }
                == .commandFailed(
                    command: "WRITE SINGLE BLOCK (error 12, the block is locked)", offset: 4, sw: nil))
    }

    /// The pointer, and the conditions: 02 for writing below the pointer, and 20 for writing from the pointer on.
    @Test(
        "If an ICODE SLIX2 gives no reason for a refusal, its page protection decides whether a password is the reason",
        arguments: [("5002", true), ("5020", false), ("0020", true), ("0102", false), ("0000", false)])
    func protectedPage(information: String, needsPassword: Bool) {
        let card = Type5Card.slix2(message(10))
        (card.locked, card.lockedError) = ([1], 0x0F)
        (card.tellsStatus, card.tellsStatusByOption) = (false, false)
        let channel = VicinityChannel(card)
        channel.distort = { $0[1] == 0xAB ? [0x00] + bytes(information) + bytes("007F350000") : $1 }
        let expected: TagError =
            needsPassword
            ? .passwordUnsupported(block: 1)
            : .commandFailed(command: "WRITE SINGLE BLOCK (error 0F, no reason given)", offset: 4, sw: nil)
        #expect(error { () throws(TagError) in try Type5Tag(on: channel).writeNDEF(message(20)) } == expected)
        #expect(channel.codes().count { $0 == 0xAB } == 1)
    }

    @Test func aBlockThatNeedsAPasswordForReadingIsNotSupported() {
        let channel = VicinityChannel(Type5Card.slix2(message(10)))
        // Error code 15 (ST): the block is read-protected.
        channel.distort = { [0x20, 0x23].contains($0[1]) && $0.last != 0 ? [0x01, 0x15] : $1 }
        let read = { () throws(TagError) in _ = try Type5Tag(on: channel).readNDEF() }
        #expect(error(read) == .passwordUnsupported(block: 1))
    }

    @Test func wipingZeroesTheDataArea() throws {
        let card = Type5Card.slix2(message(100))
        card.memory[315] = 7
        try tag(card).carryOut(try tag(card).planWipe(), .forward)
        #expect(Array(card.memory[4..<7]) == bytes("0300FE"))
        #expect(card.memory[7...].allSatisfy { $0 == 0 })
    }

    @Test func rawBlocksAreWrittenAndReadBack() throws {
        let card = Type5Card.slix2(message(10))
        try tag(card).writeBlocks([(number: 20, bytes: [1, 2, 3, 4])])
        #expect(card.block(20) == [1, 2, 3, 4])
        for (number, bytes) in [(80, [1, 2, 3, 4]), (20, [1, 2, 3]), (-1, [1, 2, 3, 4])] as [(Int, [UInt8])] {
            #expect(throws: TagError.self) { try tag(card).writeBlocks([(number: number, bytes: bytes)]) }
        }
    }
}
