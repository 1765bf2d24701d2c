// Tests of lost frames — ISO/IEC 14443-3, NXP UM0701-02

import Testing

@testable import VirtualPN532

extension ChipBench {
    /// Creates the reader that `virtual:` and this string describe, with a limited number of retries per poll.
    convenience init(parsing text: String, retries: String = "02") throws {
        let spec = try VirtualReaderSpec(parsing: text)
        self.init(spec.makeField(), faults: spec.faults, latency: spec.latency)
        _ = answer("32 05 FF 01 \(retries)")
    }

    /// Polls until a type A target is found, at most 50 times.
    func activate() -> Bool { (0..<50).contains { _ in answer("4A 01 00").hasPrefix("4B 01") } }
}

/// Noise and the edge of the field, in frames and in commands.
struct CouplingTests {
    /// InCommunicateThru, FAST_READ of 65 blocks: 262 bytes with CRC.
    static let fastRead = "42 3A 04 44"
    static let read = "42 30 04"

    private func isNear(_ count: Int, _ share: Double, of tries: Int) -> Bool {
        let (mean, variance) = (share * Double(tries), share * (1 - share) * Double(tries))
        return abs(Double(count) - mean) <= 3 * variance.squareRoot()
    }

    @Test(arguments: [0.05, 0.2, 0.5], [UInt64(1), 2])
    func framesOf260BytesAreLostAsOftenAsAsked(share: Double, seed: UInt64) {
        var coupling = Coupling()
        coupling.bitErrorRate = Coupling.bitErrorRate(losing: share)
        coupling.seed = seed
        var interference = Interference()
        let tries = 20_000
        func lost(_ bytes: Int) -> Int {
            let frame = AirFrame(bytes: [UInt8](repeating: 0, count: bytes))
            return (0..<tries).count { _ in interference.loses(frame, coupling, isAtEdge: false) }
        }
        #expect(isNear(lost(260), share, of: tries))
        // 65 bytes have 587 bits, and 260 bytes have 2342.
        var root = 1 - share
        root.formSquareRoot()
        root.formSquareRoot()
        #expect(abs(Double(lost(65)) / Double(tries) - (1 - root)) < 0.01)
    }

    @Test(arguments: [(5, 0.05), (20, 0.2), (50, 0.5)])
    func longReadsFailAsOftenAsTheNoiseSays(percent: Int, share: Double) throws {
        let bench = try ChipBench(parsing: "ntag216?noise=\(percent)%", retries: "40")
        let tries = 1_500
        var successes = 0
        for _ in 0..<tries {
            #expect(bench.activate())
            if bench.answer(Self.fastRead).hasPrefix("43 00") { successes += 1 }
        }
        // The command of 5 bytes is also lost, with the same probability per bit.
        let rate = Coupling.bitErrorRate(losing: share)
        var arrives = 1.0
        for _ in 0..<(5 * 9 + 2 + 262 * 9 + 2) { arrives *= 1 - rate }
        #expect(isNear(successes, arrives, of: tries))
        let statistics = bench.statistics.value
        #expect(statistics.framesLost > 0)
        #expect(statistics.answersLost >= tries - successes - statistics.framesLost)
    }

    @Test func shortReadsMostlyPassWhereLongOnesFail() throws {
        let bench = try ChipBench(parsing: "ntag216?noise=50%", retries: "40")
        let passed = (0..<300).count { _ in bench.activate() && bench.answer(Self.read).hasPrefix("43 00") }
        #expect(passed > 270)
    }

    @Test func theSameSeedLosesTheSameFrames() throws {
        func answers(_ options: String) throws -> [String] {
            let bench = try ChipBench(parsing: "ntag216?noise=30%\(options)", retries: "40")
            return (0..<100).map { _ in bench.activate() ? bench.answer(Self.fastRead) : "lost" }
        }
        let first = try answers("")
        #expect(try answers("") == first)
        #expect(try answers("&seed=1") == first)
        #expect(try answers("&seed=2") != first)
    }

    @Test func withoutNoiseNothingIsLost() throws {
        let bench = try ChipBench(parsing: "ntag216")
        #expect(bench.activate())
        for _ in 0..<200 { #expect(bench.answer(Self.fastRead).hasPrefix("43 00")) }
        #expect(bench.statistics.value.framesLost == 0)
        #expect(bench.statistics.value.answersLost == 0)
    }

    @Test func lostAnswersAreTimeOutsAndErrorsOfTheReceiver() throws {
        let bench = try ChipBench(parsing: "ntag216?noise=50%", retries: "40")
        var statuses: Set<String> = []
        for _ in 0..<400 where bench.activate() { statuses.insert(String(bench.answer(Self.fastRead).prefix(5))) }
        #expect(statuses == ["43 00", "43 01", "43 02", "43 03", "43 05"])
    }

    @Test func whatArrivesIsRight() throws {
        let bench = try ChipBench(parsing: "ntag216?noise=50%", retries: "40")
        let contents = try #require(VirtualTagKind.ntag216.make() as? VirtualType2Tag).contents
        let expected = "43 00 " + hex(contents[16..<276])
        for _ in 0..<300 where bench.activate() {
            let answer = bench.answer(Self.fastRead)
            if answer.hasPrefix("43 00") { #expect(answer == expected) }
        }
    }

    // MARK: Reactions of tags to damaged frames

    @Test(arguments: VirtualTagKind.allCases.filter { $0.isType2 || $0.isClassic })
    func aBrokenCommandGetsANakAndTheTagFallsBack(kind: VirtualTagKind) throws {
        let tag = try #require(kind.make() as? any TypeATag)
        tag.activate()
        #expect(tag.receiveGarbled().answer == .nibble(0x1))
        #expect(tag.receive([0x30, 0x00]).answer == .silence)
        #expect(tag.receiveGarbled().answer == .silence)
        #expect(tag.poll(wakeUp: false))
        // A tag that was woken from HALT falls back to HALT.
        tag.select()
        tag.halt()
        #expect(tag.poll(wakeUp: true))
        tag.select()
        #expect(tag.receiveGarbled().answer == .nibble(0x1))
        #expect(!tag.poll(wakeUp: false))
        #expect(tag.poll(wakeUp: true))
    }

    @Test(arguments: VirtualTagKind.allCases.filter(\.isType2))
    func aNakSendsEachType2TagBackToIdle(kind: VirtualTagKind) throws {
        let tag = try kind.type2()
        // An address and a command that no chip has. NTAG I2C 2k has all addresses except those from E1 on in sector 1.
        #expect(tag.send("FE") == "NAK 0")
        #expect(tag.send("30 00") == "-")
        #expect(tag.poll(wakeUp: false))
    }

    @Test(arguments: [VirtualTagKind.type4, .desfire, .applicationCard, .mifarePlus])
    func aBrokenBlockMeansNothingToAnISODEPCard(kind: VirtualTagKind) throws {
        let tag = try #require(kind.make() as? any TypeATag)
        tag.activate()
        guard case .bytes = tag.receive([0xE0, 0x50]).answer else {
            Issue.record("no ATS")
            return
        }
        #expect(tag.receiveGarbled().answer == .silence)
        // R(NAK) is still answered.
        #expect(tag.receive([0xB2]).answer == .bytes([0xA2]) || tag.receive([0xB3]).answer == .bytes([0xA3]))
    }

    // MARK: The chip's retries

    @Test func theChipRepeatsBlocksOfISODEP() throws {
        let bench = try ChipBench(parsing: "type4?noise=20%", retries: "40")
        #expect(bench.activate())
        for _ in 0..<300 {
            #expect(bench.answer("40 01 00 A4 04 00 07 D2 76 00 00 85 01 01 00") == "41 00 90 00")
            #expect(bench.answer("40 01 00 A4 00 0C 02 E1 03") == "41 00 90 00")
            #expect(bench.answer("40 01 00 B0 00 00 0F").hasPrefix("41 00 00 0F 20"))
        }
        #expect(bench.statistics.value.framesLost > 0)
        #expect(bench.statistics.value.answersLost > 0)
    }

    @Test func activationIsTriedAgainAsOftenAsTheHostAsks() throws {
        func found(retries: String) throws -> Int {
            let bench = try ChipBench(parsing: "ntag213?ber=3e-3", retries: retries)
            return (0..<200).count { _ in bench.answer("4A 01 00").hasPrefix("4B 01") }
        }
        let (once, thrice, often) = try (found(retries: "00"), found(retries: "02"), found(retries: "30"))
        #expect((1..<150).contains(once))
        #expect((once + 20..<200).contains(thrice))
        #expect(often > 195)
    }

    @Test func anEndlessSearchGoesOnInNoise() throws {
        let bench = try ChipBench(parsing: "ntag213?ber=5e-3", retries: "FF")
        var answer = bench.answer("4A 01 00")
        var tries = 0
        while answer == "no answer", tries < 500 {
            #expect(bench.uart.wakeUpTime == bench.clock.now + .milliseconds(5))
            bench.clock.advance(by: .milliseconds(5))
            answer = bench.lateAnswer()
            tries += 1
        }
        #expect(answer.hasPrefix("4B 01"))
    }

    @Test(arguments: [("00", 1), ("03", 4)])
    func communicateThruIsTriedAgainAsOftenAsTheHostAsks(retries: String, frames: Int) {
        let bench = ChipBench()
        _ = bench.answer("32 01 01")
        _ = bench.answer("32 04 \(retries)")
        #expect(bench.answer("42 30 00") == "43 01")
        #expect(bench.statistics.value.rfFrames == frames)
    }

    // MARK: The edge

    @Test func onlyShortFramesPassWhileATagIsPlaced() throws {
        let bench = try ChipBench(parsing: "ntag216?edge=1s", retries: "20")
        #expect(bench.activate())
        #expect(!bench.answer(Self.fastRead).hasPrefix("43 00"))
        var short = 0
        for _ in 0..<3 where bench.activate() && bench.answer(Self.read).hasPrefix("43 00") { short += 1 }
        #expect(short > 0)
        #expect(bench.activate())
        #expect(!bench.answer(Self.fastRead).hasPrefix("43 00"))
        bench.clock.advance(by: .seconds(1))
        for _ in 0..<20 {
            #expect(bench.activate())
            #expect(bench.answer(Self.fastRead).hasPrefix("43 00"))
        }
    }

    @Test func theModelledTimeBringsTheTagNearer() throws {
        let bench = try ChipBench(parsing: "ntag216?edge=80ms", retries: "20")
        var tries = 0
        repeat {
            _ = bench.activate()
            tries += 1
        } while !bench.answer(Self.fastRead).hasPrefix("43 00") && tries < 100
        #expect((2..<40).contains(tries))
    }

    @Test func aTagThatReturnsIsPlacedAnew() throws {
        let bench = try ChipBench(parsing: "ntag216?edge=80&loss=1&back=10ms", retries: "20")
        bench.clock.advance(by: .milliseconds(1))
        #expect(bench.activate())
        bench.clock.advance(by: .milliseconds(80))
        #expect(bench.activate())
        #expect(bench.answer(Self.fastRead).hasPrefix("43 00"))
        bench.clock.advance(by: .milliseconds(10))
        #expect(bench.activate())
        #expect(!bench.answer(Self.fastRead).hasPrefix("43 00"))
        bench.clock.advance(by: .milliseconds(80))
        #expect(bench.activate())
        #expect(bench.answer(Self.fastRead).hasPrefix("43 00"))
    }

    @Test func anUnansweredCommandKeepsATagOfAStreamInPlace() throws {
        let spec = try VirtualReaderSpec(parsing: "ntag216*2?stream&dwell=400ms&edge=10s")
        let bench = ChipBench(spec.makeField(), faults: spec.faults)
        _ = bench.answer("32 05 FF 01 20")
        #expect(bench.activate())
        var uids: Set<String> = []
        for end in ["44", "45", "44", "45", "44", "45"] {
            _ = bench.answer("42 3A 04 \(end)")
            bench.clock.advance(by: .milliseconds(300))
            let answer = bench.answer("4A 01 00")
            if answer.hasPrefix("4B 01") { uids.insert(String(answer.suffix(20))) }
        }
        #expect(uids == [FieldTests.first.replacing("10 57", with: "12 57")])
    }

    // MARK: Time

    @Test(arguments: [("0A", 51_200), ("0B", 102_400), ("07", 6_400), ("01", 100)])
    func aSilentTagCostsTheTimeOutThatWasSet(index: String, microseconds: Int) {
        for command in ["42 30 00", "40 01 30 00"] {
            let bench = ChipBench([VirtualTagKind.ntag213.make()])
            _ = bench.answer("32 05 FF 01 02")
            #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
            if index != "0A" { _ = bench.answer("32 02 00 0B \(index)") }
            bench.field.remove()
            bench.statistics.reset()
            #expect(bench.answer(command).hasSuffix(" 01"))
            let air = Modulation.typeA106.bitTime * Modulation.typeA106.bitCount(bytes: 4)
            let statistics = bench.statistics.value
            let time = statistics.modelledTime - statistics.lineTime
            #expect(time == .milliseconds(2) + air + .microseconds(microseconds))
        }
    }

    @Test func sectorSelectIsAcknowledgedBySilence() throws {
        let bench = try ChipBench(parsing: "ntag-i2c-2k")
        #expect(bench.activate())
        // The ACK has no CRC.
        _ = bench.answer("08 63 03 00")
        #expect(bench.answer("42 C2 FF") == "43 00 0A")
        bench.statistics.reset()
        #expect(bench.answer("42 01 00 00 00") == "43 01")
        #expect(bench.statistics.value.modelledTime > .microseconds(53_200))
        _ = bench.answer("08 63 03 80")
        #expect(bench.answer("42 30 E0").hasPrefix("43 00"))
    }
}
