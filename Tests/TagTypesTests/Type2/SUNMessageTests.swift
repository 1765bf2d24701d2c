// SUN message of an NTAG 22x DNA: shown, and never written over

import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct SUNMessageTests {
    /// An NTAG 223 DNA with these blocks of configuration, and a message of 40 bytes.
    private func card(_ configuration: String, version: String = "0004040204000F03") throws -> ChipCard {
        let last = version == "0004040205001003" ? 75 : 59
        let card = ChipCard([0...last], version: version, secret: .none, cc: "E1101200", tlvs: "0300FE")
        let first = last - 18
        card.blocks[first]?[3] = 0xFF
        try Type2Tag(on: RecordingChannel(card)).writeNDEF(message(40))
        for (index, byte) in bytes(configuration).enumerated() { card.blocks[first + index / 4]?[index % 4] = byte }
        return card
    }

    @Test func itIsReadFromTheSettings() throws {
        let tag = Type2Tag(on: RecordingChannel(try card("98000804" + "80000000" + "0000000000000000" + "80000000")))
        let sun = try #require(try tag.memoryMap().sun)
        #expect(sun.isOn && sun.block == 8 && sun.byte == 3 && sun.length == 38 && !sun.hasStatus)
        #expect(sun.messageOffset == 17 && sun.isKeyLocked == true)
        #expect(sun.firstProtected == 4 && sun.protectsReading)
        #expect(tag.chip?.name == "NTAG 223 DNA")
        let status = Type2Tag(on: RecordingChannel(try card("0000003C", version: "0004040804000F03")))
        let off = try #require(try status.memoryMap().sun)
        #expect(!off.isOn && off.length == 49 && off.messageOffset == nil && off.firstProtected == nil)
        let other = Type2Tag(on: RecordingChannel(try card("0000004C", version: "0004040205001003")))
        #expect(try other.memoryMap().sun?.firstProtected == nil)
        #expect(try Type2Tag(on: RecordingChannel(ChipCard.ntag213())).memoryMap().sun == nil)
    }

    @Test(arguments: ["9800083C", "00000004", "00000008"])
    func nothingIsWrittenOverASignedMessageOrAGuardedOne(configuration: String) throws {
        let card = try card(configuration)
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect().status == .readOnly)
        let thrown: TagError? = error { () throws(TagError) in try tag.writeNDEF(message(40)) }
        guard case .readOnly? = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(!channel.commands.contains { $0[0] == 0xA2 })
        #expect(try tag.readNDEF() == message(40))
    }

    /// AUTH0 in front of the settings and PROT: whether the message is signed cannot be known.
    @Test func nothingIsWrittenWhereTheSettingsCannotBeRead() throws {
        let card = ChipCard([0...39], version: "0004040204000F03", secret: .none, cc: "E1101200", tlvs: "0300FE")
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(try tag.detect().status == .readOnly)
        #expect(throws: TagError.unknownSUNMessage) { try tag.writeNDEF(message(40)) }
        #expect(!channel.commands.contains { $0[0] == 0xA2 })
    }

    @Test func aMessageStaysInTheUserMemoryWhateverTheContainerClaims() throws {
        let card = try card("0000003C")
        card.blocks[3] = bytes("E1103E00")
        let channel = RecordingChannel(card)
        let tag = Type2Tag(on: channel)
        #expect(throws: TagError.tooLong(length: 190, capacity: 142)) { try tag.writeNDEF(message(190)) }
        #expect(!channel.commands.contains { $0[0] == 0xA2 })
    }

    @Test func theBlockBehindTheUserMemoryIsNoData() throws {
        let card = try card("0000003C")
        card.blocks[4] = bytes("03FFFFFF")
        let map = try Type2Tag(on: RecordingChannel(card)).memoryMap()
        #expect(map.blocks[39].role == .free && map.blocks[40].role == .reserved)
    }

    @Test func aLockIsRefusedBeforeABlankTagIsWritten() throws {
        let card = ChipCard([0...59], version: "0004040204000F03", secret: .none, cc: "E1101200", tlvs: "FE")
        card.blocks[41] = bytes("0000003C")
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(try tag.detect().isBlank)
        #expect(throws: TagError.self) { try tag.requireLock() }
    }

    @Test func aMessageThatIsNotSignedIsWritten() throws {
        let tag = Type2Tag(on: RecordingChannel(try card("0000003C")))
        try tag.writeNDEF(message(20))
        #expect(try tag.readNDEF() == message(20))
    }
}
