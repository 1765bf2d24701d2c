// A card with applications — ISO/IEC 7816-4: SELECT, GET RESPONSE, command chaining, extended length

import Testing

@testable import VirtualPN532

@Suite struct ApplicationCardTests {
    private static let name = "A0 00 00 02 47 10 01"
    private static let select = "00 A4 04 0C 07 " + name

    private func card(
        selecting command: String? = select, _ change: (inout ApplicationCardConfiguration) -> Void = { _ in }
    ) -> ApplicationCard {
        var configuration = ApplicationCardConfiguration()
        change(&configuration)
        var card = ApplicationCard(configuration)
        if let command { #expect(card.execute(bytes(command)) == [0x90, 0x00]) }
        return card
    }

    private func pieces(_ most: Int) -> ApplicationCard { card { $0.delivery = .pieces(most) } }

    private func send(_ card: inout ApplicationCard, _ command: String) -> String { hex(card.execute(bytes(command))) }

    /// Returns the bytes `00 01 02 …` at these positions.
    private func counting(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0) } }

    // MARK: SELECT

    @Test(arguments: [
        ("00 A4 04 00 07 \(name) 00", "6F 09 84 07 \(name) 90 00"), ("00 A4 04 00 07 \(name)", "90 00"),
        ("00 A4 04 0C 07 \(name)", "90 00"), ("00 A4 04 0C 07 \(name) 00", "90 00"),
        ("00 A4 04 00 07 \(name) 0B", "6F 09 84 07 \(name) 90 00"), ("00 A4 04 00 07 \(name) 05", "6C 0B"),
        ("00 A4 04 00 05 A0 00 00 02 47 00", "6F 09 84 07 \(name) 90 00"),
        ("00 A4 04 00 00", "6F 09 84 07 \(name) 90 00"), ("00 A4 04 00", "90 00"),
        ("00 A4 04 00 07 D2 76 00 00 85 01 01 00", "6A 82"), ("00 A4 04 00 08 \(name) 00 00", "6A 82"),
        ("00 A4 04 02 05 A0 00 00 02 47 00", "6F 09 84 07 \(name) 90 00"), ("00 A4 04 01 02 A0 00", "6A 86"),
        ("00 A4 04 04 02 A0 00", "6A 86"), ("00 A4 00 0C 02 3F 00", "6A 82"), ("00 A4 02 0C 02 01 1E", "6A 82"),
        ("80 A4 04 00 00", "6D 00"), ("00 B0 00 00 00", "6D 00"), ("00 E0 00 00 01 AA 01", "6D 00"),
        ("00 E1 00 01 01", "6D 00"), ("90 60 00 00 00", "90 00"), ("01 A4 04 00 00", "6E 00"),
        ("A0 A4 00 00 02 3F 00", "6E 00"), ("00 C0 00 00 00", "69 85"), ("00 A4 04 00 07 A0", "67 00"), ("", "67 00"),
    ])
    func anUnselectedCardAnswers(command: String, answer: String) {
        var card = card(selecting: nil)
        #expect(send(&card, command) == answer)
    }

    @Test func partialNamesFindOneApplicationAfterTheOther() {
        let names = ["A0 00 00 00 03 10 10", "D2 76 00 00 85 01 01", "A0 00 00 00 03 20 10", "A0 00 00 00 04"]
        var card = ApplicationCard(ApplicationCardConfiguration(names: names.map(bytes)))
        func answer(_ index: Int) -> String {
            let name = bytes(names[index])
            return hex([0x6F, UInt8(name.count + 2), 0x84, UInt8(name.count)] + name + [0x90, 0x00])
        }
        let (first, next) = ("00 A4 04 00 05 A0 00 00 00 03 00", "00 A4 04 02 05 A0 00 00 00 03 00")
        #expect(send(&card, next) == answer(0))
        #expect(send(&card, next) == answer(2))
        #expect(send(&card, next) == "6A 82")
        // The selection is kept.
        #expect(send(&card, "00 E0 00 00 01 AA 01") == "AA 90 00")
        #expect(send(&card, first) == answer(0))
        #expect(send(&card, "00 A4 04 00 07 D2 76 00 00 85 01 01 00") == answer(1))
        card.powerOff()
        #expect(send(&card, "00 E0 00 00 01 AA 01") == "6D 00")
    }

    // MARK: Echo and counting

    @Test(arguments: [
        ("80 E0 00 00 03 01 02 03 00", "01 02 03 90 00"), ("00 E0 12 34 03 01 02 03 03", "01 02 03 90 00"),
        ("80 E0 00 00 03 01 02 03", "90 00"), ("80 E0 00 00 03 01 02 03 02", "6C 03"),
        ("80 E0 00 00 03 01 02 03 04", "6C 03"), ("80 E0 00 00", "90 00"), ("80 E0 00 00 00", "90 00"),
        ("80 E0 00 00 00 00 03 01 02 03 00 00", "01 02 03 90 00"),
        ("80 E0 00 00 00 00 03 01 02 03 00 03", "01 02 03 90 00"),
        ("80 E0 00 00 00 00 03 01 02 03 00 04", "6C 03"), ("80 E1 00 05 05", "00 01 02 03 04 90 00"),
        ("80 E1 00 05 00", "00 01 02 03 04 90 00"), ("80 E1 00 05 04", "6C 05"), ("80 E1 00 05 06", "6C 05"),
        ("80 E1 00 05", "90 00"), ("80 E1 00 00 00", "90 00"), ("80 E1 01 00 10", "6C 00"),
        ("80 E1 01 01 00", "67 00"), ("80 E1 00 05 01 AA 05", "67 00"), ("80 E2 00 00", "6D 00"),
        ("84 E0 00 00 01 AA 01", "6E 00"),
    ])
    func aSelectedApplicationAnswers(command: String, answer: String) {
        var card = card()
        #expect(send(&card, command) == answer)
    }

    @Test(arguments: [1, 255, 256, 257, 65_535])
    func anExtendedCommandGetsAllInOnePiece(count: Int) {
        var card = card()
        let parameters = UInt16(count).bigEndianBytes
        #expect(card.execute([0x80, 0xE1] + parameters + [0, 0, 0]) == counting(0..<count) + [0x90, 0x00])
        #expect(card.execute([0x80, 0xE1] + parameters + [0] + parameters) == counting(0..<count) + [0x90, 0x00])
        let data = counting(7..<7 + count)
        #expect(card.execute([0x80, 0xE0, 0, 0, 0] + parameters + data + [0, 0]) == data + [0x90, 0x00])
    }

    @Test func limitsAreKept() {
        var card = card { ($0.mostCommandData, $0.mostResponseData) = (10, 8) }
        let ten = String(repeating: " AA", count: 10)
        #expect(send(&card, "80 E0 00 00 0A\(ten)") == "6A 86")
        #expect(send(&card, "80 E0 00 00 0B\(ten) AA 00") == "67 00")
        #expect(send(&card, "90 E0 00 00 08 01 02 03 04 05 06 07 08") == "90 00")
        #expect(send(&card, "80 E0 00 00 03 01 02 03 00") == "67 00")
        #expect(send(&card, "80 E1 00 08 00") == "00 01 02 03 04 05 06 07 90 00")
        #expect(send(&card, "80 E1 00 09 00") == "6A 86")
    }

    // MARK: GET RESPONSE

    @Test func aLongAnswerComesInPieces() {
        var card = pieces(256)
        #expect(card.execute(bytes("80 E1 02 58 00")) == counting(0..<256) + [0x61, 0x00])
        #expect(card.execute(bytes("00 C0 00 00 00")) == counting(256..<512) + [0x61, 0x58])
        #expect(send(&card, "00 C0 00 00 59") == "6C 58")
        #expect(card.execute(bytes("00 C0 00 00 50")) == counting(512..<592) + [0x61, 0x08])
        #expect(card.execute(bytes("00 C0 00 00 08")) == counting(592..<600) + [0x90, 0x00])
        #expect(send(&card, "00 C0 00 00 00") == "69 85")
    }

    @Test(arguments: [
        // Without Le, the answer contains no data yet.
        ("80 E0 00 00 03 01 02 03", "61 03"), ("80 E0 00 00 03 01 02 03 00", "01 02 61 01"),
        ("80 E1 00 02 02", "00 01 90 00"), ("80 E1 00 02 03", "6C 02"), ("80 E1 00 05 01", "00 61 04"),
        ("80 E1 01 05 02", "00 01 61 00"), ("80 E1 00 00 00", "90 00"), ("80 E1 00 05 00 00 00", "00 01 61 03"),
    ])
    func piecesMayBeSmall(command: String, answer: String) {
        var card = pieces(2)
        #expect(send(&card, command) == answer)
    }

    @Test func anotherCommandLosesTheRest() {
        var card = pieces(2)
        #expect(send(&card, "80 E1 00 05 00") == "00 01 61 03")
        #expect(send(&card, "80 E1 00 01 01") == "00 90 00")
        #expect(send(&card, "00 C0 00 00 00") == "69 85")
        #expect(send(&card, "80 E1 00 05 00") == "00 01 61 03")
        card.powerOff()
        #expect(send(&card, "00 C0 00 00 00") == "69 85")
        #expect(send(&card, "00 C0 01 00 00") == "6A 86")
    }

    // MARK: Command chaining

    @Test func chainedCommandsAreOne() {
        var card = card()
        #expect(send(&card, "90 E0 00 00 02 01 02") == "90 00")
        #expect(send(&card, "90 E0 00 00 01 03") == "90 00")
        #expect(send(&card, "80 E0 00 00 02 04 05 00") == "01 02 03 04 05 90 00")
        #expect(send(&card, "80 E0 00 00 02 04 05 00") == "04 05 90 00")
        // The name in two parts.
        #expect(send(&card, "10 A4 04 00 03 A0 00 00") == "90 00")
        #expect(send(&card, "00 A4 04 00 04 02 47 10 01 00") == "6F 09 84 07 \(Self.name) 90 00")
    }

    @Test func anotherCommandBreaksAChain() {
        var card = card()
        for breaker in ["80 E1 00 01 01", "80 E0 00 01 01 AA 00", "00 E0 00 00 01 AA 00"] {
            #expect(send(&card, "90 E0 00 00 02 01 02") == "90 00")
            #expect(send(&card, breaker) == "68 83")
            #expect(send(&card, "80 E0 00 00 01 03 00") == "03 90 00")
        }
        #expect(send(&card, "90 E0 00 00 02 01 02") == "90 00")
        #expect(send(&card, "80 E0 00") == "67 00")
        #expect(send(&card, "80 E0 00 00 01 03 00") == "03 90 00")
    }

    @Test func everyTruncationHasAStatusWord() {
        for command in [
            "80 E0 00 00 03 01 02 03 00", "00 A4 04 00 07 \(Self.name) 00", "80 E0 00 00 00 00 02 01 02 00 00",
        ] {
            let whole = bytes(command)
            for length in 0..<whole.count {
                var card = card()
                let answer = card.execute(Array(whole.prefix(length)))
                // A name that is truncated to its length looks like an Le that requests 7 bytes, although there are 11.
                let status = hex(answer.suffix(2))
                #expect(["90 00", "67 00", "6C 0B"].contains(status), "\(command) \(length)")
            }
        }
    }

    @Test func randomCommandsNeverTrap() {
        var random = TearNoise(seed: [0x78, 0x16])
        var statuses: Set<[UInt8]> = []
        for delivery in [ApplicationCardConfiguration.Delivery.whole, .pieces(0), .pieces(40), .pieces(1000)] {
            var card = card { ($0.delivery, $0.mostCommandData) = (delivery, 200) }
            for _ in 0..<5_000 {
                let cla: UInt8 = [0x00, 0x10, 0x80, 0x90, 0x01].randomElement(using: &random) ?? 0
                let ins: UInt8 = [0xA4, 0xC0, 0xE0, 0xE1, 0xB0].randomElement(using: &random) ?? 0
                let rest = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random) >> UInt8.random(in: 0...8, using: &random)
                }
                statuses.insert(Array(card.execute([cla, ins] + rest).suffix(2)))
            }
        }
        #expect(statuses.count > 20)
    }

    // MARK: Activation and the air

    /// The chip's list: SENS_RES, SEL_RES, NFCID1, ATS.
    @Test(arguments: [
        (
            VirtualTagKind.applicationCard, "04 31 57 1F 00 01 80",
            "00 44 20 07 04 31 57 1F 00 01 80 0A 78 80 71 02 80 73 C0 01 C0"
        ),
        (.passport, "08 01 02 03", "00 04 20 04 08 01 02 03 05 78 80 71 02"),
        (
            .mifarePlus, "04 31 57 1F 00 01 80",
            "00 42 20 07 04 31 57 1F 00 01 80 0C 75 77 80 02 C1 05 21 30 00 77 C1"
        ),
    ])
    func typeACardsAreListed(kind: VirtualTagKind, uid: String, data: String) {
        let bench = ChipBench([kind.make(uid: bytes(uid))])
        #expect(bench.answer("4A 01 00") == "4B 01 01 " + data)
    }

    @Test func theSameApplicationIsReachedByBothTypes() {
        for (kind, list) in [
            (VirtualTagKind.applicationCard, "4A 01 00"), (.passport, "4A 01 00"), (.applicationCardB, "4A 01 03 00"),
        ] {
            let bench = ChipBench([kind.make()])
            _ = bench.answer("32 05 FF 01 02")
            #expect(bench.answer(list).hasPrefix("4B 01 01"))
            #expect(bench.answer("40 01 00 A4 04 00 07 D2 76 00 00 85 01 01 00") == "41 00 6A 82")
            #expect(bench.answer("40 01 00 A4 04 00 07 \(Self.name) 00") == "41 00 6F 09 84 07 \(Self.name) 90 00")
            #expect(bench.answer("40 01 80 E0 00 00 03 01 02 03 00") == "41 00 01 02 03 90 00")
        }
    }

    /// Blocks have 16 bytes in both directions, and the data is more than the chip accepts in one command.
    @Test func longCommandsAndAnswersAreChained() {
        var configuration = ApplicationCardConfiguration()
        configuration.fsci = 0
        let bench = ChipBench([
            VirtualApplicationCard(nfcID1: bytes("04 01 02 03 04 05 06"), configuration: configuration)
        ])
        #expect(bench.answer("4A 01 00").hasSuffix("0A 70 80 71 02 80 73 C0 01 C0"))
        #expect(bench.answer("40 01 " + Self.select) == "41 00 90 00")
        let data = counting(0..<500)
        let command = [0x80, 0xE0, 0x00, 0x00, 0x00] + UInt16(data.count).bigEndianBytes + data + [0x00, 0x00]
        #expect(bench.answer("40 41 " + hex(command.prefix(250))) == "41 00")
        let first = bytes(bench.answer("40 41 " + hex(command[250..<500])))
        #expect(first == [0x41, 0x00])
        var received: [UInt8] = []
        var answer = bytes(bench.answer("40 01 " + hex(command[500...])))
        // More information follows while bit 6 of the status is set.
        for _ in 0..<4 where answer.count > 1 && answer[1] == 0x40 {
            received += answer.dropFirst(2)
            answer = bytes(bench.answer("40 01"))
        }
        received += answer.dropFirst(2)
        #expect(received == data + [0x90, 0x00])
    }

    @Test func deselectForgetsTheApplication() {
        let tag = VirtualApplicationCard(nfcID1: bytes("04 01 02 03 04 05 06"))
        tag.activate().send("E0 80")
        #expect(tag.send("02 " + Self.select) == "02 90 00")
        #expect(tag.send("03 80 E0 00 00 01 AA 00") == "03 AA 90 00")
        #expect(tag.send("C2") == "C2")
        _ = tag.poll(wakeUp: true)
        tag.select()
        tag.send("E0 80")
        #expect(tag.send("02 80 E0 00 00 01 AA 00") == "02 6D 00")
        tag.receiveTorn(bytes("03 80 E0 00 00 01 AA 00"))
        #expect(tag.send("02 80 E0 00 00 01 AA 00") == "-")
    }
}
