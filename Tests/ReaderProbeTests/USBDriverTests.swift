// nfctool's reader with libnfc's real USB drivers on an emulated bus: sizes, times, faults, lamp and buzzer

import Testing
import USBBus
import VirtualPN532

@Suite(.serialized, .timeLimit(.minutes(5))) struct USBDriverTests {
    private func probe(
        _ model: EmulatedReader.Model, tags: [any VirtualTag] = [VirtualTagKind.ntag216.make(serial: 1)],
        latency: Latency = .none, faults: [String] = [], steps: String...
    ) async throws -> (lines: [String], outcome: USBBus.Outcome) {
        let reader = try EmulatedReader(model, tags: tags, latency: latency)
        let outcome = try await USBBus([reader], faults: faults).run(["ReaderProbe"] + steps)
        return (outcome.output.split(separator: "\n").map(String.init), outcome)
    }

    /// Returns the answer to a step, by its number.
    private func answers(_ lines: [String]) -> [String] {
        lines.map { line in line.split(separator: " → ", maxSplits: 1).last.map(String.init) ?? line }
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aTagIsFoundAndRead(_ model: EmulatedReader.Model) async throws {
        let (lines, outcome) = try await probe(model, steps: "poll", "connect", "handled:3004", "raw:60", "poll")
        let answers = answers(lines)
        #expect(answers.count == 6)
        #expect(answers[0] == answers[4])
        #expect(answers[2].count == 32)
        #expect(answers[3].count == 16)
        #expect(answers[5] == "closed")
        #expect(outcome.status == 0)
    }

    /// With a time-out of 200 ms or less, libnfc would not wait for an answer, which would be left for the next
    /// command.
    @Test(arguments: EmulatedReader.Model.allCases)
    func aShortTimeOutStillSeesTheAnswer(_ model: EmulatedReader.Model) async throws {
        let (lines, _) = try await probe(
            model, steps: "poll", "connect", "handled:3000@1", "handled:3004@50", "raw:3C00@200", "handled:3008@201")
        let answers = answers(lines)
        #expect(answers[2].hasPrefix("04"))
        #expect([answers[3], answers[5]].allSatisfy { $0.count == 32 })
        #expect(answers[4].count == 64)
    }

    /// The tag is slower than the time-out.
    ///
    /// Its late answer is never mistaken for the answer to the next command.
    @Test(arguments: EmulatedReader.Model.allCases)
    func aLateAnswerIsNobodysAnswer(_ model: EmulatedReader.Model) async throws {
        let tag = try SlowTag(block: 4, delay: .milliseconds(700))
        let (lines, outcome) = try await probe(
            model, tags: [tag], latency: .real,
            steps: "poll", "connect", "handled:3000@100", "handled:3004@100", "select", "handled:3000@100",
            "handled:3000@100")
        let answers = answers(lines)
        #expect(answers[3] == "The tag did not answer.", "\(outcome.errors)")
        #expect(answers[4] == "ok")
        #expect(answers[5] == answers[2])
        #expect(answers[6] == answers[2])
    }

    /// The tag is slow, but not slower than the requested time-out.
    @Test(arguments: EmulatedReader.Model.allCases)
    func aSlowTagGetsTheTimeThatWasAskedFor(_ model: EmulatedReader.Model) async throws {
        let tag = try SlowTag(block: 4, delay: .milliseconds(900))
        let (lines, _) = try await probe(
            model, tags: [tag], latency: .real, steps: "poll", "connect", "handled:3004@8000")
        #expect(answers(lines)[2].count == 32)
    }

    @Test func theLongestCommandsAndAnswersOfAnACR122UFit() async throws {
        // FAST_READ of 62 blocks is 248 bytes, and the limit is 250. 63 blocks are 252 bytes, more than the message's
        // length byte can express.
        let (lines, _) = try await probe(
            .acr122u, steps: "poll", "connect", "limits", "raw:3A003D", "raw:3A003E", "select", "handled:3000")
        let answers = answers(lines)
        #expect(answers[2] == "252 250")
        #expect(answers[3].count == 2 * 248)
        #expect(answers[4] == "The tag did not answer.")
        #expect(answers[5] == "ok")
        #expect(answers[6].hasPrefix("04"))
    }

    @Test(arguments: [250, 251, 252, 253, 254])
    func aCommandIsSentWholeOrRefused(_ length: Int) async throws {
        let command = "handled:00D6000000" + String(repeating: "00", count: length - 5)
        let (lines, outcome) = try await probe(
            .acr122u, tags: [VirtualTagKind.type4.make(serial: 1)], steps: "poll", "connect", command,
            "handled:00A4040007D276000085010100")
        let answers = answers(lines)
        if length > 252 {
            #expect(answers[2] == "The command is \(length) bytes long; this reader can send at most 252.")
        } else {
            // The tag answers with any status word, because it has received the whole command but does not support it.
            #expect(answers[2].count == 4, "\(outcome.errors)")
        }
        #expect(answers[3] == "9000")
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aPulledTagIsSilentAndTheNextOneIsFound(_ model: EmulatedReader.Model) async throws {
        let (lines, _) = try await probe(
            model, tags: [VirtualTagKind.ntag213.make(serial: 1)], steps: "poll", "connect", "handled:3000",
            "raw:3AFFFF", "handled:3000",
            "select", "handled:3000")
        let answers = answers(lines)
        // The tag answers NAK, is silent in its new state, and is selected again.
        #expect(answers[3] == "The tag did not answer.")
        #expect(answers[4] == "The tag did not answer.")
        #expect(answers[6] == answers[2])
    }

    // MARK: Faults

    /// The chip acknowledges and never answers again.
    ///
    /// This is the reader's failure, not the tag's, and is reported immediately.
    @Test(arguments: EmulatedReader.Model.allCases)
    func aChipThatHangsIsAReaderThatFails(_ model: EmulatedReader.Model) async throws {
        var faults = Faults()
        faults.hang = 2
        let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag216.make(serial: 1)], faults: faults)
        let outcome = try await USBBus([reader]).run(["ReaderProbe", "poll", "connect", "handled:3000", "handled:3004"])
        let answers = answers(outcome.output.split(separator: "\n").map(String.init))
        #expect(answers[2].hasPrefix("04"))
        #expect(answers[3].hasPrefix("The reader failed while sending a tag command"), "\(outcome.errors)")
        #expect(answers[4] == "closed")
        print("\(model), chip hangs: \(outcome.duration)")
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aReaderThatIsUnpluggedIsNotThereAnyMore(_ model: EmulatedReader.Model) async throws {
        let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag216.make(serial: 1)])
        let commands = ["handled:3000"] + [String](repeating: "handled:3004", count: 400)
        let outcome = try await USBBus([reader]).run(["ReaderProbe", "poll", "connect"] + commands) { program in
            try await program.wait(for: "the first commands") { program.errors.contains("< 04") }
            try program.unplug()
        }
        let failures = answers(outcome.output.split(separator: "\n").map(String.init)).filter { $0.contains("failed") }
        #expect(failures.first?.contains("it is no longer connected") == true, "\(failures.prefix(2))")
        #expect(outcome.status == 0)
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aReaderThatIsMuteUntilItIsResetOpens(_ model: EmulatedReader.Model) async throws {
        // libnfc itself resets an ACR122U at each opening, so nfctool must reset it only if two resets are needed.
        let resets = model == .acr122u ? 2 : 1
        let (lines, outcome) = try await probe(model, faults: ["mute-until-reset=\(resets)"], steps: "poll")
        #expect(outcome.status == 0, "\(lines)")
        #expect(lines.last == "closed")
        #expect(outcome.log[0].resets == (model == .acr122u ? 3 : 1))
        #expect(outcome.errors.contains("did not open: resetting it and trying once more"))
    }

    /// After a reset, the device number may differ, but the port stays the same.
    @Test(arguments: EmulatedReader.Model.allCases)
    func aReaderThatComesBackUnderAnotherNumberOpens(_ model: EmulatedReader.Model) async throws {
        let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag216.make(serial: 1)])
        let connection = "\(model.driver):001:002"
        let outcome = try await USBBus([reader], faults: ["mute"]).run(["ReaderProbe", connection, "poll"]) { program in
            try await program.wait(for: "libnfc's first message") { program.errors.contains("TX:") }
            try program.unplug()
            try program.clear()
            try program.plug()
        }
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("after its reset it is \(model.driver):001:003"))
    }

    /// A device that is gone answers ENODEV at once, and its node disappears 50 ms later.
    @Test(arguments: EmulatedReader.Model.allCases)
    func theNodeOfAnUnpluggedReaderIsNotTakenForTheReaderThatComesBack(_ model: EmulatedReader.Model) async throws {
        let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag216.make(serial: 1)])
        let connection = "\(model.driver):001:002"
        let bus = USBBus([reader], faults: ["unplug-at=1"])
        let outcome = try await bus.run(["ReaderProbe", connection, "poll"]) { program in
            try await program.wait(for: "the first command") { program.errors.contains("TX:") }
            try await program.wait(for: "the removal of the node") { (try? program.plug()) != nil }
        }
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("after its reset it is \(model.driver):001:003"))
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aMuteReaderIsToldAndNotWaitedFor(_ model: EmulatedReader.Model) async throws {
        let (lines, outcome) = try await probe(model, faults: ["mute"], steps: "poll")
        #expect(lines == ["open → The reader failed while opening: it did not answer (error -1)."])
        print("\(model), mute: \(outcome.duration)")
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aReaderInTheKernelsHandIsNotReset(_ model: EmulatedReader.Model) async throws {
        let (lines, outcome) = try await probe(
            model, faults: ["driver=pn533_usb"], steps: "\(model.driver):001:002", "poll")
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix("is in use by the kernel driver pn533_usb.") == true, "\(lines)")
        #expect(outcome.log[0].resets == 0)
    }

    @Test(arguments: EmulatedReader.Model.allCases)
    func aReaderInAnotherHandIsNotReset(_ model: EmulatedReader.Model) async throws {
        let (lines, outcome) = try await probe(
            model, faults: ["claim=EBUSY"], steps: "\(model.driver):001:002", "poll")
        #expect(lines.first?.contains("is in use") == true, "\(lines)")
        // libnfc itself resets an ACR122U before it claims the interface.
        #expect(outcome.log[0].resets <= 1)
    }

    /// Each answer is corrupted in one of many ways.
    ///
    /// In any case, the call ends in time, without wrong bytes.
    @Test(arguments: EmulatedReader.Model.allCases, 1...4)
    func garbageEndsInAnErrorOrAGoodResult(_ model: EmulatedReader.Model, _ seed: Int) async throws {
        let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag216.make(serial: 1)])
        let outcome = try await USBBus([reader], faults: ["garbage=\(seed)"]).run([
            "ReaderProbe", "poll", "poll", "poll",
        ])
        #expect([0, 1].contains(outcome.status), "\(outcome.output) \(outcome.errors)")
    }

    // MARK: Lamp and buzzer

    @Test func anACR122UShowsWhatHappensWithOneCommandEach() async throws {
        let (lines, outcome) = try await probe(
            .acr122u, steps: "poll", "connect", "success", "handled:3000", "failure", "handled:3000", "idle",
            "handled:3000")
        let answers = answers(lines)
        try #require(answers.count >= 8, "\(lines) \(outcome.errors)")
        #expect([answers[2], answers[4], answers[6]] == ["true", "true", "true"], "\(outcome.errors)")
        #expect(answers[3].hasPrefix("04"))
        #expect(Set([answers[3], answers[5], answers[7]]).count == 1)
        #expect(
            outcome.log[0].shown == [
                "FF 00 40 0E 04 01 00 01 01", "FF 00 40 0D 04 01 01 02 01", "FF 00 40 0C 04 00 00 00 00",
                // At the end, there is no sound when the reader itself looks for cards again.
                "FF 00 52 00 00",
            ])
        #expect(outcome.errors.contains("> FF 00 51 FF 00\n"))
        #expect(outcome.log[0].claims == outcome.log[0].releases)
    }

    @Test(arguments: [EmulatedReader.Model.pn533, .scl3711])
    func aReaderWithoutLampAndBuzzerSaysSo(_ model: EmulatedReader.Model) async throws {
        let (lines, outcome) = try await probe(model, steps: "success", "poll")
        #expect(answers(lines)[0] == "false")
        #expect(answers(lines)[1] != "")
        #expect(outcome.log[0].shown == [])
    }
}
