// MIFARE Classic: directory, access bits, detection, reading, writing
import Chance
import Hexadecimal
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ClassicTagTests {
    static let readWrite = NDEFState(status: .readWrite, capacity: 716, messageLength: 0)

    private func tag(_ card: ClassicCard, fault: RecordingChannel.Fault? = nil) -> ClassicTag {
        let target: Target = card.memory.count > 1024 ? .classic4K : .classic
        return ClassicTag(on: RecordingChannel(card, target: target, fault: fault))
    }

    // MARK: Bytes

    /// AN10787's example (CRC 89) and the directories of two real cards.
    @Test(arguments: [
        ("89", "01 0108010801080000 0000000004000310 0310021002100000 0000000011 30"),
        ("C4", "01 03E103E103E103E1 03E1000000000000 0000000000000000 0000000000 00"),
        ("AB", "01 03E103E103E103E1 03E103E100000000 0000000000000000 0000000000 00"),
    ])
    func theCRCOfADirectoryIsTheOneOfTheApplicationNote(crc: String, body: String) throws {
        #expect([ClassicDirectory.crc(bytes(body))] == bytes(crc))
        #expect(throws: TagError.self) { try ClassicDirectory(bytes("00" + body), second: nil) }
        let directory = try ClassicDirectory(bytes(crc + body), second: nil)
        #expect(directory.ndefSectors == (crc == "89" ? [] : Array(1...(crc == "C4" ? 5 : 6))))
    }

    /// MF1S50yyX (transport), AN10787 (MAD), AN1304 (NDEF, read-only).
    @Test(arguments: [
        ("FF0780", ClassicAccess.Data.transport, ClassicAccess.Trailer.transport),
        ("787788", .keyBWrites, .keyBWrites), ("7F0788", .transport, .keyBWrites), ("078F0F", .readOnly, .frozen),
    ])
    func accessBitsAreThoseOfTheApplicationNotes(
        hex: String, data: ClassicAccess.Data, trailer: ClassicAccess.Trailer
    ) {
        #expect(ClassicAccess(data: data, trailer: trailer).bytes == bytes(hex))
        #expect(ClassicAccess(bytes(hex)) == ClassicAccess(data: data, trailer: trailer))
    }

    @Test func everyBitThatContradictsItsComplementIsSeen() {
        for hex in ["FF0780", "787788", "078F0F"] {
            for bit in 0..<24 {
                var broken = bytes(hex)
                broken[bit / 8] ^= 1 << (bit % 8)
                #expect(ClassicAccess(broken) == nil)
            }
            for count in 0..<3 { #expect(ClassicAccess(bytes(hex).prefix(count)) == nil) }
        }
    }

    @Test func allConditionsSurviveTheirBytes() {
        for data in 0..<8 {
            for trailer in 0..<8 {
                guard let data = ClassicAccess.Data(rawValue: UInt8(data)),
                    let trailer = ClassicAccess.Trailer(rawValue: UInt8(trailer))
                else { Issue.record("eight conditions each"); return }
                let access = ClassicAccess(data: data, trailer: trailer)
                #expect(ClassicAccess(access.bytes) == access)
            }
        }
    }

    @Test(arguments: [(UInt8(0x08), 16, 64), (0x09, 5, 20), (0x18, 40, 256), (0x19, 32, 128), (0x88, 16, 64)])
    func selResTellsTheSize(sak: UInt8, sectors: Int, blocks: Int) {
        let layout = ClassicLayout(selRes: sak)
        #expect(layout.sectorCount == sectors)
        #expect(layout.blockCount == blocks)
        for block in 0..<blocks { #expect(layout.blocks(of: layout.sector(of: block)).contains(block)) }
        #expect((0..<blocks).filter { layout.isTrailer($0) }.count == sectors)
    }

    // MARK: Reading

    @Test func detectionOpensSectorZeroAndTheFirstNDEFSector() throws {
        let empty = String(repeating: "00", count: 13)
        let channel = ScriptedChannel(
            .classic,
            [
                .exchange(.handled, command: "60 03 A0A1A2A3A4A5 11223344", answer: ""),
                .exchange(.handled, command: "30 03", answer: "000000000000 787788 C1 000000000000"),
                .exchange(.handled, command: "30 01", answer: "C4 01 03E103E103E103E103E1 00000000"),
                .exchange(.handled, command: "30 02", answer: String(repeating: "00", count: 16)),
                .exchange(.handled, command: "60 07 D3F7D3F7D3F7 11223344", answer: ""),
                .exchange(.handled, command: "30 07", answer: "000000000000 7F0788 40 000000000000"),
                .exchange(.handled, command: "30 04", answer: "0300FE" + empty),
            ])
        let tag = ClassicTag(on: channel)
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: 5 * 48 - 2, messageLength: 0))
        #expect(channel.isFinished)
    }

    @Test func aFull1KIsReadIn65Exchanges() throws {
        let card = ClassicCard.ndef(tlv(message(716)))
        let channel = RecordingChannel(card, target: .classic)
        #expect(try ClassicTag(on: channel).readNDEF() == message(716))
        #expect(channel.commands.count == 65)
        #expect(card.authentications == 16)
    }

    @Test(arguments: [(5, 190), (16, 716), (40, 3356)])
    func theCapacityIsAllOfTheSectors(sectors: Int, capacity: Int) throws {
        let card = ClassicCard.ndef(bytes("0300FE"), sectors: sectors)
        let sak: UInt8 = sectors == 5 ? 0x09 : sectors == 16 ? 0x08 : 0x18
        let target = Target.nfcA(NFCATarget(sensRes: [0, 4], selRes: sak, nfcID1: ClassicCard.uid))
        let tag = ClassicTag(on: RecordingChannel(card, target: target))
        #expect(try tag.detect() == NDEFState(status: .readWrite, capacity: capacity, messageLength: 0))
        try tag.writeNDEF(message(capacity))
        #expect(try ClassicTag(on: RecordingChannel(card, target: target)).readNDEF() == message(capacity))
        #expect(
            error { () throws(TagError) in try tag.writeNDEF(message(capacity + 1)) }
                == .tooLong(length: capacity + 1, capacity: capacity))
    }

    @Test func aLongUIDTakesPartWithItsLastFourBytes() throws {
        #expect(try tag(.ndef(tlv(message(3000)), sectors: 40)).readNDEF() == message(3000))
    }

    @Test func onlyTheFirstContiguousSectorsCount() throws {
        let card = ClassicCard.ndef(tlv(message(20)))
        var identifiers = (1..<16).flatMap { [1, 2, 3, 7].contains($0) ? bytes("03E1") : bytes("0000") }
        card.memory.replaceSubrange(16..<48, with: ClassicCard.withCRC([0] + identifiers))
        #expect(try tag(card).detect().capacity == 3 * 48 - 2)
        identifiers = Array(repeating: 0, count: 30)
        card.memory.replaceSubrange(16..<48, with: ClassicCard.withCRC([0] + identifiers))
        #expect(try tag(card).detect().reason == "its MIFARE application directory assigns no sector to NDEF")
    }

    @Test(arguments: [
        (
            "A0A1A2A3A4A5 787788 69 FFFFFFFFFFFF", 0,
            "it has no MIFARE application directory of a known version (general purpose byte 69)"
        ),
        (
            "A0A1A2A3A4A5 787788 C3 FFFFFFFFFFFF", 0,
            "it has no MIFARE application directory of a known version (general purpose byte C3)"
        ),
        ("112233445566 787788 C1 FFFFFFFFFFFF", 0, "sector 0 opens neither with the MAD key nor with the factory key"),
        ("112233445566 7F0788 40 FFFFFFFFFFFF", 1, "sector 1 does not open with the NDEF key"),
        ("D3F7D3F7D3F7 7F0788 80 FFFFFFFFFFFF", 1, "its mapping version is 2; only 1 is supported"),
        (
            "D3F7D3F7D3F7 7F0788 4C FFFFFFFFFFFF", 1,
            "its NDEF sectors do not allow unrestricted reading (general purpose byte 4C)"
        ),
    ])
    func whatIsMissingIsNamed(trailer: String, sector: Int, reason: String) throws {
        let card = ClassicCard.ndef(tlv(message(20)))
        card.setTrailer(of: sector, bytes(trailer))
        let state = try tag(card).detect()
        #expect(state.status == .notSupported)
        #expect(state.reason == reason)
        #expect(!state.isBlank)
        let isClosed = reason.contains("open")
        let isForeign = reason.contains("directory of a known version")
        #expect(state.hasForeignDirectory == isForeign)
        #expect(
            error { () throws(TagError) in try tag(card).readNDEF() }
                == (isClosed
                    ? .keyNeeded(sector: sector) : .notNDEF(reason: reason, hasForeignDirectory: isForeign)))
        #expect(
            error { () throws(TagError) in try tag(card).initialise() }
                == (isClosed ? .keyNeeded(sector: sector) : .notBlank))
        #expect(card.writes.isEmpty)
    }

    @Test func aWrongCRCIsAViolation() {
        let card = ClassicCard.ndef(tlv(message(20)))
        card.memory[16] ^= 1
        let found = format(card.memory[16])
        #expect(
            error { () throws(TagError) in try tag(card).detect() }
                == .protocolViolation(
                    field: "CRC of the MAD", found: found, expected: format(card.memory[16] ^ 1), offset: 16))
    }

    private func format(_ byte: UInt8) -> String { byte.hex }

    @Test func accessIsKnownBeforeWriting() throws {
        for (sector, trailer) in [(1, "7F0788 43"), (1, "078F0F 40"), (3, "078F0F 40")] {
            let card = ClassicCard.ndef(tlv(message(20)))
            card.setTrailer(of: sector, bytes("D3F7D3F7D3F7 \(trailer) FFFFFFFFFFFF"))
            #expect(try tag(card).detect().status == (sector == 1 ? .readOnly : .readWrite))
            let failure = error { () throws(TagError) in try tag(card).writeNDEF(message(200)) }
            guard case .readOnly? = failure else { Issue.record("\(String(describing: failure))"); return }
            #expect(card.writes.isEmpty)
        }
    }

    @Test func oneLostAnswerDoesNotStopReading() throws {
        for number in 0..<65 {
            #expect(
                try tag(.ndef(tlv(message(716))), fault: .silence(at: number, after: false)).readNDEF() == message(716),
                "at \(number)")
        }
    }

    @Test func aTagThatLeavesIsLostAtEachExchange() {
        for number in 0..<65 {
            let tag = tag(.ndef(tlv(message(716))), fault: .lost(at: number, after: true))
            #expect(error(tag.readNDEF) == .reader(.tagLost), "at \(number)")
        }
    }

    @Test(arguments: 0..<16) func anAnswerOfTheWrongLengthIsNamed(length: Int) {
        let channel = ScriptedChannel(
            .classic,
            [
                .exchange(.handled, command: "60 03 A0A1A2A3A4A5 11223344", answer: ""),
                .exchange(.handled, command: "30 03", answer: String(repeating: "00", count: length)), .reselect,
                .exchange(.handled, command: "60 03 A0A1A2A3A4A5 11223344", answer: ""),
                .exchange(.handled, command: "30 03", answer: String(repeating: "00", count: length)), .reselect,
                .exchange(.handled, command: "60 03 A0A1A2A3A4A5 11223344", answer: ""),
                .exchange(.handled, command: "30 03", answer: String(repeating: "00", count: length)),
            ])
        #expect(
            error(ClassicTag(on: channel).detect)
                == .protocolViolation(
                    field: "the answer to READ", found: length == 1 ? "1 byte" : "\(length) bytes",
                    expected: "16 bytes",
                    offset: 48))
    }

    // MARK: Writing

    @Test func theLengthIsZeroFirstAndCommittedLast() throws {
        let card = ClassicCard.ndef(tlv(message(60)))
        let channel = RecordingChannel(card, target: .classic)
        let tag = ClassicTag(on: channel)
        try tag.writeNDEF(message(61, seed: 5))
        #expect(card.writes == [4, 5, 6, 8, 4])
        // One for the directory, two for reading sectors 1 and 2, and five for writing and verifying them.
        #expect(card.authentications == 8)
        #expect(try self.tag(card).readNDEF() == message(61, seed: 5))
    }

    @Test func oneLostAnswerDoesNotStopWriting() throws {
        let whole = RecordingChannel(ClassicCard.ndef(tlv(message(60))), target: .classic)
        try ClassicTag(on: whole).writeNDEF(message(100, seed: 5))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = ClassicCard.ndef(tlv(message(60)))
                try tag(card, fault: .silence(at: number, after: after)).writeNDEF(message(100, seed: 5))
                #expect(try tag(card).readNDEF() == message(100, seed: 5), "at \(number)")
            }
        }
    }

    @Test func everyCutOfAWriteLeavesTheOldAnEmptyOrTheNewMessage() throws {
        let (old, new) = (message(60), message(300, seed: 5))
        let whole = RecordingChannel(ClassicCard.ndef(tlv(old)), target: .classic)
        try ClassicTag(on: whole).writeNDEF(new)
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = ClassicCard.ndef(tlv(old))
                let failure = error { () throws(TagError) in
                    try tag(card, fault: .lost(at: number, after: after)).writeNDEF(new)
                }
                let held = try tag(card).readNDEF()
                switch failure {
                case .writeInterrupted(.empty, _, 300, .reader(.tagLost))?: #expect(held.isEmpty)
                case .writeInterrupted(.unchangedOrEmpty, _, 300, .reader(.tagLost))?:
                    #expect(held.isEmpty || held == old)
                case .writeInterrupted(.emptyOrNew, _, 300, .reader(.tagLost))?: #expect(held.isEmpty || held == new)
                case .reader(.tagLost)?: #expect(held == old)
                default: Issue.record("at \(number): \(String(describing: failure))")
                }
            }
        }
    }

    @Test func everyCutOfAWriteAtOnceLeavesTheOldOrTheNewMessage() throws {
        let (old, new) = (message(60), message(300, seed: 5))
        let whole = RecordingChannel(ClassicCard.ndef(tlv(old)), target: .classic)
        let plan = try ClassicTag(on: whole).planWrite(new, .atOnce)
        let first = whole.commands.count
        try ClassicTag(on: whole).carryOut(plan, .forward)
        for number in 0..<whole.commands.count - first {
            for after in [false, true] {
                let card = ClassicCard.ndef(tlv(old))
                let failure = error { () throws(TagError) in
                    try tag(card, fault: .lost(at: number, after: after)).carryOut(plan, .forward)
                }
                #expect(failure != nil)
                #expect([old, new].contains(try tag(card).readNDEF()), "at \(number)")
                try tag(card).carryOut(plan, .forward)
                #expect(try tag(card).readNDEF() == new)
            }
        }
        #expect(
            error { () throws(TagError) in try ClassicTag(on: whole).planWrite(message(400), .atOnce) }
                == .noRoomBeside(length: 400, room: 348))
    }

    @Test func aWipeLeavesNothingOfTheMessage() throws {
        let card = ClassicCard.ndef(tlv(message(500)))
        let tag = tag(card)
        try tag.carryOut(try tag.planWipe(), .forward)
        #expect(card.dataAddresses.map { card.memory[$0] } == bytes("0300FE") + Array(repeating: 0, count: 717))
        #expect(try tag.detect() == Self.readWrite)
    }

    @Test func randomMemoriesGiveAnAnswerOrATypedErrorInBoundedTime() {
        var random = SplitMix(state: 7)
        for round in 0..<Campaign.count(2_000, long: 10_000) {
            let card = ClassicCard.ndef(bytes("0300FE"), sectors: round % 50 == 0 ? 40 : 16)
            switch round % 4 {
            case 0:
                let aids = (1..<16).flatMap { _ in Bool.random(using: &random) ? bytes("03E1") : bytes("0000") }
                card.memory.replaceSubrange(16..<48, with: ClassicCard.withCRC([0] + aids))
            case 1: card.memory[.random(in: 16..<64, using: &random)] = .random(in: 0...255, using: &random)
            case 2: card.memory[.random(in: 112..<128, using: &random)] = .random(in: 0...255, using: &random)
            default: break
            }
            for address in card.dataAddresses.prefix(round % 3 == 0 ? 8 : 60) where round % 4 != 1 {
                card.memory[address] =
                    [0x00, 0x01, 0x02, 0x03, 0xFD, 0xFE, 0xFF, .random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            let channel = RecordingChannel(card, target: card.memory.count > 1024 ? .classic4K : .classic)
            let tag = ClassicTag(on: channel)
            if let state = try? tag.detect(), let length = state.messageLength {
                #expect(length <= state.capacity)
                #expect((try? tag.readNDEF())?.count == length)
                let wanted = message(min(state.capacity, 40), seed: round)
                if round % 5 == 0, state.status == .readWrite, (try? tag.writeNDEF(wanted)) != nil {
                    #expect((try? self.tag(card).readNDEF()) == wanted)
                }
            }
            if round % 20 == 0 { _ = try? tag.memoryMap() }
            #expect(channel.commands.count < 2000)
        }
    }
}
