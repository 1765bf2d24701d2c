// Tests of the chip as a target, command by command

import Testing

@testable import VirtualPN532

/// The host's bytes are from the command descriptions of UM0701-02 and from transcripts of libnfc 1.8.0.
///
/// The blocks are from ISO/IEC 14443-4.
struct TargetModeTests {
    static let ats = "05 75 33 92 03"

    // MARK: Activation

    @Test func theChipIsFoundAsTheHostSays() throws {
        let bench = try AirBench()
        #expect(bench.chip.answer("12 30") == "13")
        #expect(bench.chip.answer("8C 05 \(AirBench.parameters)") == "no answer")
        let listener = AntennaSignal.Listener(
            epoch: 1, sensRes: [0x04, 0x00], nfcID1: [0x08, 0x00, 0xB0, 0x0B], selRes: 0x20)
        #expect(bench.signals() == [.listening(listener)])
    }

    /// `D5 8D 08 E0 80`: a PN532's own answer, quoted at stackoverflow.com/questions/24777810.
    @Test func ratsIsAnsweredByTheChipAndToldToTheHost() throws {
        let bench = try AirBench()
        _ = bench.chip.answer("12 30")
        _ = bench.chip.answer("8C 05 \(AirBench.parameters)")
        _ = bench.signals()
        #expect(bench.air("E0 80") == Self.ats)
        #expect(bench.late() == "8D 08 E0 80")
        #expect(bench.chip.answer("8A") == "8B 81 00")
    }

    @Test func historicalBytesEndTheATS() throws {
        let bench = try AirBench()
        _ = bench.chip.answer("12 20")
        let parameters = AirBench.parameters.dropLast(3)
        #expect(bench.chip.answer("8C 04 \(parameters) 03 80 31 C0") == "no answer")
        _ = bench.signals()
        #expect(bench.air("E0 50") == "08 75 33 92 03 80 31 C0")
        #expect(bench.late() == "8D 08 E0 50")
    }

    @Test func aPICCWaitsForRATS() throws {
        let bench = try AirBench()
        _ = bench.chip.answer("12 30")
        _ = bench.chip.answer("8C 05 \(AirBench.parameters)")
        _ = bench.signals()
        for frame in ["30 00", "50 00", "02 00 A4", "E0", "E0 8F", "D4 00"] {
            #expect(bench.air(frame) == "silence")
            #expect(bench.late() == "no answer")
        }
        #expect(bench.air("E0 80") == Self.ats)
    }

    @Test func nobodyHereActivatesByATR() throws {
        let bench = try AirBench()
        #expect(bench.chip.answer("8C 02 \(AirBench.parameters)") == "no answer")
        #expect(bench.signals().isEmpty)
    }

    @Test func aShortOrLongTgInitAsTargetIsASyntaxError() throws {
        let whole = octets("8C 05 \(AirBench.parameters)")
        for length in 1..<37 {
            let bench = try AirBench()
            #expect(bench.chip.answer(hex(whole.prefix(length))) == "7F")
        }
        for length in [37, 38] {
            let bench = try AirBench()
            #expect(bench.chip.answer(hex(whole.prefix(length))) == "no answer")
        }
        let bench = try AirBench()
        let fixed = hex(whole.prefix(36))
        for (tail, answer) in [
            ("00 00 00", "7F"), ("00 01", "7F"), ("01 00", "no answer"), ("01 00 00", "no answer"), ("02 00", "7F"),
            ("30" + String(repeating: " 00", count: 0x30) + " 00", "7F"), ("FF", "7F"),
            ("2F" + String(repeating: " 46", count: 0x2F) + " 30" + String(repeating: " 80", count: 0x30), "no answer"),
            ("00 31" + String(repeating: " 80", count: 0x31), "7F"),
        ] {
            #expect(bench.chip.answer("\(fixed) \(tail)") == answer)
        }
    }

    // MARK: APDUs

    @Test func apdusGoBothWays() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        #expect(bench.chip.answer("86") == "no answer")
        #expect(bench.air("02 00 A4 04 00") == "nothing")
        #expect(bench.late() == "87 00 00 A4 04 00")
        #expect(bench.chip.answer("8E 90 00") == "8F 00")
        #expect(bench.heard() == "02 90 00")
        #expect(bench.air("03 00 B0 00 00 0F") == "nothing")
        #expect(bench.chip.answer("86") == "87 00 00 B0 00 00 0F")
        #expect(bench.chip.answer("8E 6A 82") == "8F 00")
        #expect(bench.heard() == "03 6A 82")
    }

    @Test func blocksWithACIDAreAnsweredWithIt() throws {
        let bench = try AirBench(activatedWithRATS: "E0 81")
        #expect(bench.air("0A 01 00 A4") == "nothing")
        #expect(bench.chip.answer("86") == "87 00 00 A4")
        bench.pass(.milliseconds(80))
        #expect(bench.heard() == "FA 01 01")
        #expect(bench.chip.answer("8E 90 00") == "no answer")
        #expect(bench.air("FA 01 01") == "0A 01 90 00")
        #expect(bench.late() == "8F 00")
        #expect(bench.air("CA 01") == "CA 01")
    }

    @Test func aChainedCommandComesWhole() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        #expect(bench.chip.answer("86") == "no answer")
        #expect(bench.air("12 00 D6 00") == "A2")
        #expect(bench.late() == "no answer")
        #expect(bench.air("13 00 02 AA") == "A3")
        #expect(bench.air("02 BB") == "nothing")
        #expect(bench.late() == "87 00 00 D6 00 00 02 AA BB")
    }

    @Test func aLongCommandIsFetchedInPieces() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        let command = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        var number: UInt8 = 0
        for start in stride(from: 0, to: 300, by: 60) {
            let isLast = start == 240
            let block = [0x02 | number | (isLast ? 0 : 0x10)] + command[start..<start + 60]
            #expect(bench.air(hex(block)) == (isLast ? "nothing" : hex([0xA2 | number])))
            number ^= 1
        }
        #expect(bench.chip.answer("86") == "87 40 " + hex(command.prefix(262)))
        // libnfc repeats the command with one byte too many.
        #expect(bench.chip.answer("86 00") == "87 00 " + hex(command.dropFirst(262)))
        #expect(bench.chip.answer("86") == "no answer")
    }

    /// FSDI 5 means 64 bytes.
    @Test func aLongAnswerIsChainedAndThenToldToBeSent() throws {
        let bench = try AirBench(activatedWithRATS: "E0 50")
        let answer = (0..<150).map { UInt8($0) }
        _ = bench.air("02 00 B0 00 00 94")
        _ = bench.chip.answer("86")
        #expect(bench.chip.answer("8E " + hex(answer)) == "no answer")
        #expect(bench.heard() == "12 " + hex(answer[..<61]))
        #expect(bench.air("A3") == "13 " + hex(answer[61..<122]))
        #expect(bench.late() == "no answer")
        // The block was lost, so it is sent again.
        #expect(bench.air("B3") == "13 " + hex(answer[61..<122]))
        #expect(bench.air("A2") == "02 " + hex(answer[122...]))
        #expect(bench.late() == "8F 00")
    }

    @Test func metaDataIsTheBeginningOfAnAnswer() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.air("02 00 B0 00 00 00")
        _ = bench.chip.answer("86")
        #expect(bench.chip.answer("94 01 02") == "95 00")
        #expect(bench.heard() == "nothing")
        #expect(bench.chip.answer("94 03") == "95 00")
        #expect(bench.chip.answer("8E 90 00") == "8F 00")
        #expect(bench.heard() == "02 01 02 03 90 00")
        #expect(bench.chip.answer("94 01") == "95 27")
    }

    @Test func metaDataHasABound() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.air("02 00 B0 00 00 00")
        let piece = "94" + String(repeating: " 00", count: 262)
        let answers = (0..<260).map { _ in bench.chip.answer(piece) }
        #expect(answers.first == "95 00")
        #expect(answers.last == "95 0E")
        #expect(answers.firstIndex(of: "95 0E") == 65_538 / 262)
    }

    // MARK: Time

    /// FWI 9 means 154.7 ms.
    ///
    /// The firmware requests more time after half of it.
    @Test func aSlowHostIsGivenTime() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.air("02 00 A4")
        bench.pass(.milliseconds(77))
        #expect(bench.heard() == "nothing")
        bench.pass(.milliseconds(1))
        #expect(bench.heard() == "F2 01")
        #expect(bench.air("F2 01") == "nothing")
        bench.pass(.milliseconds(78))
        #expect(bench.heard() == "F2 01")
        #expect(bench.chip.answer("86") == "87 00 00 A4")
        // The chip may send only after the initiator has granted the time.
        #expect(bench.chip.answer("8E 90 00") == "no answer")
        #expect(bench.heard() == "nothing")
        #expect(bench.air("F2 01") == "02 90 00")
        #expect(bench.late() == "8F 00")
        bench.pass(.seconds(10))
        #expect(bench.heard() == "nothing")
        #expect(bench.air("F2 01") == "silence")
    }

    @Test func anImpatientInitiatorIsAskedForTime() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.air("02 00 A4")
        #expect(bench.air("B2") == "F2 01")
        #expect(bench.air("B2") == "F2 01")
        #expect(bench.chip.answer("8E 90 00") == "no answer")
        #expect(bench.air("F2 01") == "02 90 00")
        #expect(bench.late() == "8F 00")
    }

    @Test func aPresenceCheckIsTheChipsOwnAffair() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        #expect(bench.chip.answer("86") == "no answer")
        for _ in 0..<3 { #expect(bench.air("B2") == "A3") }
        #expect(bench.late() == "no answer")
    }

    // MARK: The end of a session

    @Test func deselectReleasesTheHost() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        #expect(bench.chip.answer("86") == "no answer")
        #expect(bench.air("C2") == "C2")
        #expect(bench.late() == "87 29")
        #expect(bench.chip.answer("8A") == "8B 82 00")
        for command in ["86", "8E 90 00", "94 90 00"] {
            #expect(bench.chip.answer(command).hasSuffix(" 29"))
        }
        #expect(bench.air("02 00 A4") == "silence")
    }

    /// The host's commands, the blocks on the air, and the host's last answer when the field goes off.
    @Test(arguments: [
        (["86"], [], "87 29"), (["86"], ["12 00"], "87 29"), ([], [], "no answer"), ([], ["02 00 A4"], "no answer"),
        (["86"], ["02 00 A4"], "87 00 00 A4"),
        (["8E" + String(repeating: " 00", count: 100)], ["02 00 B0"], "8F 29"),
    ])
    func aLostFieldReleasesTheHost(commands: [String], blocks: [String], answer: String) throws {
        for isTakenAway in [false, true] {
            let bench = try AirBench(activatedWithRATS: "E0 50")
            let respondsFirst = commands.first?.hasPrefix("86") ?? false
            var last = "no answer"
            func go() { for command in commands { last = bench.chip.answer(command) } }
            if respondsFirst { go() }
            for block in blocks {
                _ = bench.air(block)
                let late = bench.late()
                if late != "no answer" { last = late }
            }
            if !respondsFirst { go() }
            isTakenAway ? bench.takeAway() : bench.fieldOff()
            let late = bench.late()
            #expect((late == "no answer" ? last : late) == answer)
            #expect(bench.chip.answer("86") == "87 29")
            #expect(bench.chip.answer("8E 90 00") == "8F 29")
            #expect(bench.chip.answer("8A") == "8B 80 00")
        }
    }

    @Test func anInitiatorThatIsBackBeforeTheHostIsKept() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.air("C2")
        #expect(bench.air("E0 50") == Self.ats)
        #expect(bench.air("02 00 A4") == "nothing")
        #expect(bench.chip.answer("86") == "87 29")
        #expect(bench.chip.answer("8C 05 \(AirBench.parameters)") == "8D 08 E0 50")
        #expect(bench.signals().isEmpty)
        #expect(bench.chip.answer("86") == "87 00 00 A4")
        #expect(bench.chip.answer("8E 90 00") == "8F 00")
        #expect(bench.heard() == "02 90 00")
    }

    @Test func tgInitAsTargetInASessionBeginsAnew() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.signals()
        #expect(bench.chip.answer("8C 05 \(AirBench.parameters)") == "no answer")
        #expect(bench.signals().count == 2)
        #expect(bench.air("02 00 A4") == "silence")
        #expect(bench.air("E0 80") == Self.ats)
        #expect(bench.late() == "8D 08 E0 80")
    }

    // MARK: Aborting

    @Test func anACKEndsTgInitAsTarget() throws {
        let bench = try AirBench()
        _ = bench.chip.answer("8C 01 \(AirBench.parameters)")
        _ = bench.signals()
        #expect(bench.chip.uart.receive(HostFrame.ack.encoded).isEmpty)
        #expect(bench.signals() == [.silent])
        #expect(bench.air("E0 80") == "silence")
        #expect(bench.late() == "no answer")
    }

    @Test func anACKEndsTgGetDataAndNotTheSession() throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        #expect(bench.chip.answer("86") == "no answer")
        #expect(bench.chip.uart.receive(HostFrame.ack.encoded).isEmpty)
        #expect(bench.air("02 00 A4") == "nothing")
        #expect(bench.late() == "no answer")
        #expect(bench.chip.answer("86") == "87 00 00 A4")
    }

    @Test(arguments: ["4A 01 00", "60 01 01 00", "42 30 00", "32 01 01", "52 00", "16 F0"])
    func anInitiatorsCommandEndsTargetMode(command: String) throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.signals()
        _ = bench.chip.answer(command)
        #expect(bench.signals() == [.silent])
        #expect(bench.chip.answer("86") == "87 27")
        #expect(bench.chip.answer("8A") == "8B 00 00")
        #expect(bench.air("02 00 A4") == "silence")
    }

    @Test(arguments: [
        "02", "04", "06 63 05", "08 63 02 80", "12 30", "32 01 00", "32 05 FF 01 02", "14 01", "00 00 01",
    ])
    func aCommandOfTheChipItselfDoesNot(command: String) throws {
        let bench = try AirBench(activatedWithRATS: "E0 80")
        _ = bench.chip.answer(command)
        #expect(bench.air("02 00 A4") == "nothing")
        #expect(bench.chip.answer("86") == "87 00 00 A4")
    }

    @Test func outsideTargetModeItsCommandsAreNotAcceptable() throws {
        let bench = try AirBench()
        for (command, answer) in [
            ("86", "87 27"), ("88", "89 27"), ("8E 90 00", "8F 27"), ("90 90 00", "91 27"), ("94 90", "95 27"),
            ("92 46", "93 27"), ("8A", "8B 00 00"), ("8A 00", "7F"), ("90", "7F"),
        ] {
            #expect(bench.chip.answer(command) == answer)
        }
        let other = try AirBench(activatedWithRATS: "E0 80")
        #expect(other.chip.answer("88") == "89 27")
        #expect(other.chip.answer("90 90 00") == "91 27")
        #expect(other.chip.answer("8E 90 00") == "8F 27")
    }
}
