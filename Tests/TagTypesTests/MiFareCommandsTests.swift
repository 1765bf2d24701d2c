// Native commands, wrapped commands and raw APDUs — NXP MF3ICDx21_41_81 (frames AF), AN10833 (families); ISO/IEC 7816-4

import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct MiFareCommandsTests {
    @Test(
        arguments: [
            ("00 44", 0x00, "", .ultralight), ("03 44", 0x20, "75 77 81 02 80", .desfire),
            ("03 44", 0x20, "77 77 71 02 80", .desfire), ("00 44", 0x20, "75 77 80 02 C1 05 21 30 10 F6 D1", .plus),
            ("00 04", 0x20, "78 80 70 02 00", nil), ("00 04", 0x08, "", nil), ("00 02", 0x11, "", .plus),
        ] as [(String, UInt8, String, MiFareFamily?)])
    func theFamilyIsInTheActivation(_ sensRes: String, _ selRes: UInt8, _ ats: String, _ family: MiFareFamily?) {
        let target = NFCATarget(
            sensRes: bytes(sensRes), selRes: selRes, nfcID1: [4, 1, 2, 3, 4, 5, 6], ats: bytes(ats))
        #expect(MiFareFamily(target) == family)
    }

    @Test(
        arguments: [
            ("", ""), ("00", ""), ("75 77 81 02 80", "80"), ("78 80 70 02 A5 46", "A5 46"), ("05 41 42", "41 42"),
            ("70 01", ""), ("15 AA 41", "41"),
        ])
    func historicalBytesAreBehindTheInterfaceBytes(_ ats: String, _ historical: String) {
        let target = NFCATarget(sensRes: [0, 4], selRes: 0x20, nfcID1: [1, 2, 3, 4], ats: bytes(ats))
        #expect(target.historicalBytes == bytes(historical))
    }

    @Test func framesOfANativeAnswerAreJoined() throws {
        let channel = ScriptedChannel(
            .type4,
            [
                .exchange(.handled, command: "60", answer: "AF 01 02"),
                .exchange(.handled, command: "AF", answer: "AF 03"),
                .exchange(.handled, command: "AF", answer: "00 04"),
            ])
        #expect(try MiFareCommands(over: channel).sendNative([0x60]) == bytes("00 01 02 03 04"))
        #expect(channel.isFinished)
    }

    /// `AF` is data in this answer.
    @Test(arguments: [("00 B0 00 00 03", "AF 01 02 90 00"), ("90 BD 00 00 01 02 00", "AF 01 91 00")])
    func anAPDUThatIsSentAsANativeCommandIsAnsweredAsItIs(_ command: String, _ answer: String) throws {
        let channel = ScriptedChannel(.type4, [.exchange(.handled, command: command, answer: answer)])
        #expect(try MiFareCommands(over: channel).sendNative(bytes(command)) == bytes(answer))
        #expect(channel.isFinished)
    }

    @Test(arguments: ["0A 00", "1A 00", "AA 00", "71 00 00", "AF 11 22", "3D 01 00 00 00 01 00 00 41"])
    func anAFThatWaitsForTheHostIsItsOwn(_ command: String) throws {
        let channel = ScriptedChannel(.type4, [.exchange(.handled, command: command, answer: "AF 01 02")])
        #expect(try MiFareCommands(over: channel).sendNative(bytes(command)) == bytes("AF 01 02"))
        let wrapped = "90 \(command.prefix(2)) 00 00 00"
        let other = ScriptedChannel(.type4, [.exchange(.handled, command: wrapped, answer: "01 02 91 AF")])
        let apdu = CommandAPDU(cla: 0x90, ins: bytes(command)[0], p1: 0, p2: 0, ne: 256)
        #expect(try MiFareCommands(over: other).sendAPDU(apdu) == ResponseAPDU(data: [1, 2], sw: StatusWord(0x91AF)))
    }

    @Test func aCardThatNeverEndsItsFramesIsLeft() {
        let channel = ScriptedChannel(
            .type4,
            [.exchange(.handled, command: "60", answer: "AF")]
                + Array(repeating: .exchange(.handled, command: "AF", answer: "AF"), count: 4_096))
        #expect(throws: TagError.self) { try MiFareCommands(over: channel).sendNative([0x60]) }
    }

    @Test(
        arguments: [
            (CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 256), false, "00 B0 00 00 00"),
            (CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 16), true, "00 B0 00 00 00 00 10"),
            (CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 65_536), false, "00 B0 00 00 00 01 04"),
            (CommandAPDU(ins: 0xCB, p1: 0, p2: 0, ne: 65_536), false, "00 CB 00 00 00 00 00"),
            (CommandAPDU(ins: 0xCB, p1: 0, p2: 0, ne: 1_000), false, "00 CB 00 00 00 01 04"),
            (CommandAPDU(ins: 0xD6, p1: 0, p2: 0, data: [1, 2]), true, "00 D6 00 00 00 00 02 01 02"),
            (CommandAPDU(ins: 0xD6, p1: 0, p2: 0, data: [1, 2], ne: 3), true, "00 D6 00 00 00 00 02 01 02 00 03"),
        ])
    func anAPDUHasTheFormThatItNeeds(_ command: CommandAPDU, _ isExtended: Bool, _ frame: String) throws {
        let channel = ScriptedChannel(.type4, [.exchange(.handled, command: frame, answer: "61 10")])
        let answer = try RawAPDUExchange(over: channel).send(command, isExtended: isExtended)
        #expect(answer == ResponseAPDU(data: [], sw: StatusWord(0x6110)))
        #expect(channel.isFinished)
    }

    @Test func dataThatIsTooLongForTheReaderGoesAsAChain() throws {
        let data = [UInt8](repeating: 0x41, count: 600)
        let part = Array(repeating: "41", count: 253).joined()
        let rest = Array(repeating: "41", count: 94).joined()
        let channel = ScriptedChannel(
            .type4,
            [
                .exchange(.handled, command: "10 D6 00 00 FD \(part)", answer: "90 00"),
                .exchange(.handled, command: "10 D6 00 00 FD \(part)", answer: "90 00"),
                .exchange(.handled, command: "00 D6 00 00 5E \(rest) 00", answer: "AA 90 00"),
            ])
        let command = CommandAPDU(ins: 0xD6, p1: 0, p2: 0, data: data, ne: 256)
        #expect(try RawAPDUExchange(over: channel).send(command).data == [0xAA])
        #expect(channel.isFinished)
    }

    /// In CLA 90, bit 5 has no meaning, so the card would treat every part as a separate command.
    @Test func aWrappedNativeCommandIsNeverChained() {
        let channel = ScriptedChannel(.type4, [])
        let data = [UInt8](repeating: 0x41, count: 300)
        let command = CommandAPDU(cla: 0x90, ins: 0x3D, p1: 0, p2: 0, data: data, ne: 256)
        let tooLong = TagError.reader(.commandTooLong(length: 300, limit: 253))
        #expect(error { () throws(TagError) in try MiFareCommands(over: channel).sendAPDU(command) } == tooLong)
    }

    @Test func aChainEndsWhereTheCardRefusesIt() throws {
        let part = Array(repeating: "41", count: 253).joined()
        let channel = ScriptedChannel(
            .type4, [.exchange(.handled, command: "10 D6 00 00 FD \(part)", answer: "68 84")])
        let command = CommandAPDU(ins: 0xD6, p1: 0, p2: 0, data: [UInt8](repeating: 0x41, count: 600))
        #expect(try RawAPDUExchange(over: channel).send(command).sw == StatusWord(0x6884))
        #expect(channel.isFinished)
    }

    @Test(arguments: ["", "90"])
    func anAnswerWithoutStatusWordIsNone(_ answer: String) {
        let channel = ScriptedChannel(.type4, [.exchange(.handled, command: "00 B0 00 00 00", answer: answer)])
        #expect(throws: TagError.self) {
            try RawAPDUExchange(over: channel).send(CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 256))
        }
    }
}
