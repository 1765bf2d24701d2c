// Raw commands: how they are parsed, how each kind of tag receives them, and where a sequence ends

import Hexadecimal
import ReaderInterface
import TagTypes
import Testing

@Suite struct RawCommandTests {
    @Test(arguments: ["30 04", "3004", "30:04", " 30\t04 "])
    func spacesAndColonsMayStandBetweenBytes(_ text: String) throws {
        #expect(try RawCommand.own(text) == RawCommand(bytes: [0x30, 0x04], expected: nil))
    }

    @Test(arguments: [
        ("", RawCommandError.empty), (" ", .empty), ("3", .notHex(HexTextError(offset: 1, isCutOff: true))),
        ("30x4", .notHex(HexTextError(offset: 2, isCutOff: false))), ("3000=", .statusOfOwnCommand),
    ])
    func whatIsNoCommandIsRefused(text: String, error: RawCommandError) {
        #expect(throws: error) { try RawCommand.own(text) }
    }

    @Test(arguments: [
        ("=9000", RawCommandError.empty), ("00A404=9000", .noAPDU(length: 3)), ("00A40400=900", .noStatus("900")),
        ("00A40400=90000", .noStatus("90000")), ("00A40400=9000=9000", .noStatus("9000=9000")),
        ("00A40400=90 0", .noStatus("90 0")), ("00A40400=９000", .noStatus("９000")),
    ])
    func whatIsNoAPDUIsRefused(text: String, error: RawCommandError) {
        #expect(throws: error) { try RawCommand.apdu(text) }
    }

    @Test(arguments: ["00A40400", "00A40400=", "00 A4 04 00 ="])
    func withoutAStatusWordAnyWillDo(_ text: String) throws {
        #expect(try RawCommand.apdu(text) == RawCommand(bytes: [0x00, 0xA4, 0x04, 0x00], expected: nil))
    }

    @Test(
        arguments: [
            ("9000", 0x9000, true), ("9000", 0x9001, false), ("90xx", 0x90AF, true), ("90XX", 0x91AF, false),
            ("6a82", 0x6A82, true), ("x1xx", 0x6100, true), ("x1xx", 0x6000, false), ("xxxx", 0x0000, true),
        ] as [(String, UInt16, Bool)])
    func anXStandsForAnyDigit(pattern: String, status: UInt16, matches: Bool) throws {
        #expect(try #require(StatusPattern(pattern)).matches(StatusWord(rawValue: status)) == matches)
    }
}

@Suite struct RawSequenceTests {
    private static let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]
    private static let type2 = Target.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: uid))
    private static let type4 = Target.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x20, nfcID1: uid, ats: [0x75]))
    private static let classic = Target.nfcA(NFCATarget(sensRes: [0x00, 0x04], selRes: 0x08, nfcID1: uid))
    private static let type3 = Target.nfcF(NFCFTarget(nfcID2: uid + [7], pad: uid + [7], systemCode: [0x12, 0xFC]))
    private static let type1 = Target.jewel(JewelTarget(sensRes: [0x0C, 0x00], uid: [1, 2, 3, 4]))

    private static func play(
        _ commands: [String], as language: RawSequence.Language = .own, on channel: TapeChannel
    ) throws -> RawTranscript {
        let commands = try commands.map { try language == .own ? RawCommand.own($0) : .apdu($0) }
        return try RawSequence(language: language, commands: commands).play(on: channel)
    }

    /// A kind of tag, a command as typed, and the bytes for the channel.
    private static let framings: [(target: Target, command: String, sent: String)] = [
        (type2, "3000", "frame 3000"),
        (type2, "A204 01020304", "frame A20401020304"),
        (type4, "60", "handled 60"),
        (classic, "60 04 FFFFFFFFFFFF 01020304", "handled 6004FFFFFFFFFFFF01020304"),
        (type3, "06 00 FFFF 00 00", "raw 0600FFFF0000"),
        (type1, "0100", "handled 0100"),
        (type1, "54 10 0102030405060708", "raw 5410010203040506070801020304"),
        (type1, "02 10 0000000000000000 0A0B0C0D", "raw 021000000000000000000A0B0C0D"),
    ]

    @Test func eachKindOfTagGetsItsCommandAsTheReaderCarriesIt() throws {
        for row in Self.framings {
            let channel = TapeChannel(row.target)
            #expect(try Self.play([row.command], on: channel).failure == nil)
            #expect(channel.sent == [row.sent])
        }
    }

    @Test func aNAKEndsTheSequenceAndIsKept() throws {
        let channel = TapeChannel(Self.type2, [.success(.nibble(0xA)), .success(.nibble(0x0)), .success(.bytes([1]))])
        let transcript = try Self.play(["A20401020304", "30FF", "3000"], on: channel)
        #expect(transcript.exchanges.map(\.answer) == [.nibble(0xA), .nibble(0x0)])
        let failure = try #require(transcript.failure)
        #expect(failure.kind == .brokenRules)
        #expect(failure.description == "Command 2 of 3 (30FF) was refused with NAK 0. Nothing more was sent.")
        #expect(failure.reason == .nak(0) && failure.number == 2)
        #expect(channel.sent.count == 2)
    }

    @Test(arguments: [
        (ReaderError.noAnswer, FailureKind.tagGone), (.tagLost, .tagGone), (.aborted, .interrupted),
        (.readerFailed(operation: "sending a tag command", reason: "it did not answer", code: -1), .readerGone),
    ])
    func aFailureKeepsWhatWasSaidBefore(error: ReaderError, kind: FailureKind) throws {
        let channel = TapeChannel(Self.type2, [.success(.bytes([1, 2])), .failure(error)])
        let transcript = try Self.play(["60", "3000"], on: channel)
        #expect(transcript.exchanges == [RawExchange(command: [0x60], answer: .bytes([1, 2]))])
        #expect(transcript.failure?.kind == kind)
        #expect(transcript.failure?.description == "Command 2 of 2 (3000): \(error)")
    }

    @Test(arguments: [
        (classic, "60 04 FFFFFFFFFFFF 01020304", true), (classic, "61 04 FFFFFFFFFFFF 01020304", true),
        (classic, "3004", false), (type2, "60", false),
    ])
    func anAuthenticationWithoutAnAnswerIsMarked(target: Target, command: String, isMarked: Bool) throws {
        let transcript = try Self.play([command], on: TapeChannel(target, [.failure(.noAnswer)]))
        #expect(transcript.failure?.isAuthentication == isMarked)
    }

    /// NFC Forum T2T, SECTOR SELECT: silence is the answer to the second packet, and to no other command.
    @Test func silenceIsTheAnswerToTheSecondPacketOfSectorSelect() throws {
        let silence = Result<FrameAnswer, ReaderError>.failure(.noAnswer)
        let selected = TapeChannel(Self.type2, [.success(.nibble(0xA)), silence, .success(.bytes([1]))])
        let transcript = try Self.play(["C2FF", "01000000", "3000"], on: selected)
        #expect(transcript.failure == nil)
        #expect(transcript.exchanges.map(\.answer) == [.nibble(0xA), .passive, .bytes([1])])
        for sequence in [["C2FE", "01000000"], ["C2FF", "0100"]] {
            let channel = TapeChannel(Self.type2, [.success(.nibble(0xA)), silence])
            #expect(try Self.play(sequence, on: channel).failure?.kind == .tagGone)
        }
    }

    @Test func aStatusWordThatWasNotWantedEndsTheSequence() throws {
        let answers: [[UInt8]] = [[0x90, 0x00], [0x01, 0x6A, 0x82], [0x90, 0x00]]
        let channel = TapeChannel(Self.type4, answers.map { .success(.bytes($0)) })
        let transcript = try Self.play(
            ["00A40400=90xx", "00A4000C02E103=9000", "00B000000F"], as: .apdu, on: channel)
        #expect(transcript.exchanges.count == 2)
        let failure = try #require(transcript.failure)
        #expect(failure.kind == .brokenRules)
        #expect(
            failure.description == """
                Command 2 of 3 (00A4000C02E103) was answered with 6A82 (file or application not found); expected 9000. \
                Nothing more was sent.
                """)
        #expect(channel.sent.count == 2)
    }

    @Test func anyStatusWordWillDoWhereNoneIsAskedFor() throws {
        let channel = TapeChannel(Self.type4, [.success(.bytes([0x6A, 0x82])), .success(.bytes([0x61, 0x10]))])
        #expect(try Self.play(["00A40400", "00A40400="], as: .apdu, on: channel).failure == nil)
    }

    @Test func anAnswerWithoutStatusBytesIsNone() throws {
        let channel = TapeChannel(Self.type4, [.success(.bytes([0x90]))])
        let transcript = try Self.play(["00A40400"], as: .apdu, on: channel)
        #expect(transcript.exchanges.map(\.answer) == [.bytes([0x90])])
        #expect(transcript.failure?.kind == .brokenRules)
    }

    @Test func nothingIsSentWhenOneOfTheCommandsCannotBe() throws {
        let tooLong = String(repeating: "00", count: 261)
        let type2 = TapeChannel(Self.type2)
        #expect(throws: UnsendableCommand.self) { try Self.play(["3000", tooLong], on: type2) }
        let type4 = TapeChannel(Self.type4)
        #expect(throws: UnsendableCommand.self) { try Self.play(["00A40400", tooLong + "0000"], as: .apdu, on: type4) }
        let type3 = TapeChannel(Self.type3)
        #expect(throws: UnsendableCommand.self) { try Self.play(["0600FFFF0000", "0006"], on: type3) }
        let others = [Self.type2, Self.classic, Self.type3, Self.type1].map { TapeChannel($0) }
        for channel in others {
            #expect(throws: TagError.self) { try Self.play(["00A40400"], as: .apdu, on: channel) }
        }
        let sent = (others + [type2, type4, type3]).flatMap(\.sent)
        #expect(sent == [])
    }
}

/// Gives the answers on its tape in order, and no answer after that.
///
/// It records how it received each command.
private final class TapeChannel: TagChannel {
    let target: Target
    let maxCommandLength = 262
    let maxResponseLength = 262
    private var answers: ArraySlice<Result<FrameAnswer, ReaderError>>
    private(set) var sent: [String] = []

    init(_ target: Target, _ answers: [Result<FrameAnswer, ReaderError>] = []) {
        self.target = target
        self.answers = answers[...]
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard case .bytes(let bytes) = try next("\(framing)", command) else { throw .noAnswer }
        return bytes
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        try next("frame", command)
    }

    func reselect() throws(ReaderError) { throw .tagLost }

    private func next(_ kind: String, _ command: [UInt8]) throws(ReaderError) -> FrameAnswer {
        sent.append("\(kind) \(command.hex)")
        return try answers.popFirst()?.get() ?? .bytes([])
    }
}
