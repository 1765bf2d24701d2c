// Tests of anticollision, and of tags that arrive and leave — ISO/IEC 14443-3

import Testing

@testable import VirtualPN532

struct FieldTests {
    static let first = "04 10 57 1F 00 01 80"
    static let second = "04 10 57 1F 00 02 80"

    static func tag(_ serial: Int = 1, _ kind: VirtualTagKind = .ntag213) -> any VirtualTag {
        kind.make(serial: serial)
    }

    private func finite(_ tags: [any VirtualTag]) -> ChipBench {
        let bench = ChipBench(tags)
        _ = bench.answer("32 05 FF 01 02")
        return bench
    }

    private func uid(_ answer: String) -> String {
        answer.hasPrefix("4B 01") ? String(answer.dropFirst("4B 01 01 00 44 00 07 ".count)) : answer
    }

    @Test func anticollisionChoosesOneOfManyAndHaltListsThemAll() {
        let bench = finite((1...40).map { Self.tag($0 * 1237) })
        var found: Set<String> = []
        for _ in 0..<40 {
            found.insert(uid(bench.answer("4A 01 00")))
            #expect(bench.answer("44 00") == "45 00")
        }
        #expect(found.count == 40)
        #expect(bench.answer("4A 01 00") == "4B 00")
    }

    @Test func aHaltedTagAnswersToItsUIDOnly() {
        let bench = finite([Self.tag(1), Self.tag(2)])
        #expect(bench.answer("4A 01 00 88 04 10 57 1F 00 01 80").hasSuffix(Self.first))
        #expect(bench.answer("44 00") == "45 00")
        #expect(uid(bench.answer("4A 01 00")) == Self.second)
        #expect(bench.answer("44 00") == "45 00")
        #expect(bench.answer("4A 01 00") == "4B 00")
        #expect(uid(bench.answer("4A 01 00 88 04 10 57 1F 00 01 80")) == Self.first)
        #expect(bench.answer("44 00") == "45 00")
        #expect(bench.answer("4A 01 00 88 04 10 57 1F 00 09 80") == "4B 00")
        // After the field was off and on, all tags are in IDLE again.
        #expect(bench.answer("32 01 00") == "33")
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
    }

    @Test func twoTargetsAreListedAndServedByNumber() {
        let bench = finite([Self.tag(1), Self.tag(2)])
        let answer = bench.answer("4A 02 00")
        #expect(answer.hasPrefix("4B 02 01 00 44 00 07"))
        let uids = [String(answer.dropFirst(21).prefix(20)), String(answer.suffix(20))]
        #expect(Set(uids) == [Self.first, Self.second])
        for (number, uid) in [(1, uids[0]), (2, uids[1]), (1, uids[0])] {
            let block = bench.answer("40 0\(number) 30 00")
            #expect(block.hasPrefix("41 00 " + uid.prefix(8)))
            #expect(block.dropFirst(6 + 12).prefix(11) == uid.suffix(11))
        }
    }

    @Test func aTagThatWasActiveIsFoundAgain() {
        let bench = finite([Self.tag()])
        #expect(uid(bench.answer("4A 01 00")) == Self.first)
        #expect(uid(bench.answer("4A 01 00")) == Self.first)
    }

    @Test func aSelectedType4TagIgnoresNewPolls() {
        let bench = finite([Self.tag(1, .type4)])
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        #expect(bench.answer("4A 01 00") == "4B 00")
    }

    @Test func rawAnticollisionFollowsTheStandard() {
        let bench = finite([Self.tag()])
        _ = bench.answer("08 63 02 00 63 03 00 63 3D 07")
        #expect(bench.answer("42 26") == "43 00 44 00")
        _ = bench.answer("08 63 3D 00")
        // CT, UID bytes 0 to 2, BCC, followed by SELECT with the host's CRC_A.
        #expect(bench.answer("42 93 20") == "43 00 88 04 10 57 CB")
        #expect(
            bench.answer("42 93 70 88 04 10 57 CB " + hex(Checksum.typeA(octets("93 70 88 04 10 57 CB"))))
                == "43 00 04 DA 17")
        #expect(bench.answer("42 95 20") == "43 00 1F 00 01 80 9E")
        _ = bench.answer("08 63 02 80 63 03 80")
        #expect(bench.answer("42 95 70 1F 00 01 80 9E") == "43 00 00")
        #expect(bench.answer("42 30 00").hasPrefix("43 00 04 10 57"))
        #expect(bench.answer("42 50 00") == "43 01")
        #expect(bench.answer("42 30 00") == "43 01")
    }

    @Test func rawAnticollisionOfTwoTagsIsACollision() {
        let bench = finite([Self.tag(1), Self.tag(2)])
        _ = bench.answer("08 63 02 00 63 03 00 63 3D 07")
        #expect(bench.answer("42 52") == "43 00 44 00")
        _ = bench.answer("08 63 3D 00")
        _ = bench.answer("42 93 20")
        _ = bench.answer("42 93 70 88 04 10 57 CB " + hex(Checksum.typeA(octets("93 70 88 04 10 57 CB"))))
        #expect(bench.answer("42 95 20") == "43 06")
        // With the first 16 bits, and 1 as the next bit, one of the tags is left.
        _ = bench.answer("08 63 3D 01")
        #expect(bench.answer("42 95 41 1F 00 01") == "43 00 00 80 9E")
    }

    @Test func framesOfOtherModulationsAreNotHeard() {
        let bench = finite([Self.tag()])
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
        _ = bench.answer("08 63 02 83 63 03 83")
        #expect(bench.answer("42 30 00") == "43 01")
        _ = bench.answer("08 63 02 80 63 03 80")
        #expect(bench.answer("42 30 00").hasPrefix("43 00 04 10 57"))
    }

    @Test func aRemovedTagIsSilent() {
        let bench = finite([Self.tag()])
        _ = bench.answer("4A 01 00")
        #expect(bench.field.remove(identifier: octets(Self.first)))
        #expect(!bench.field.remove(identifier: octets(Self.first)))
        #expect(bench.answer("40 01 30 00") == "41 01")
        bench.field.replaceAll(with: [Self.tag(2)])
        #expect(uid(bench.answer("4A 01 00")) == Self.second)
    }

    @Test func aStreamShowsTheNextTagWhenOneWasUsedAndLeftAlone() {
        let field = Field(
            stream: [Self.tag(1), Self.tag(2)], dwell: .milliseconds(400), gap: .milliseconds(100))
        let bench = ChipBench(field)
        _ = bench.answer("32 05 FF 01 02")
        #expect(uid(bench.answer("4A 01 00")) == Self.first)
        bench.clock.advance(by: .seconds(60))
        // The tag was never used, so it stays for any length of time.
        #expect(uid(bench.answer("4A 01 00")) == Self.first)
        #expect(bench.answer("40 01 30 04").hasPrefix("41 00"))
        bench.clock.advance(by: .milliseconds(300))
        #expect(bench.answer("40 01 30 08").hasPrefix("41 00"))
        bench.clock.advance(by: .milliseconds(300))
        // Repetitions do not count as use, but as looks.
        for _ in 0..<3 { #expect(bench.answer("40 01 30 08").hasPrefix("41 00")) }
        bench.clock.advance(by: .milliseconds(100))
        #expect(bench.answer("40 01 30 08") == "41 01")
        #expect(bench.answer("4A 01 00") == "4B 00")
        _ = bench.answer("32 05 FF 01 FF")
        #expect(bench.answer("4A 01 00") == "no answer")
        #expect(bench.uart.wakeUpTime == bench.clock.now + .milliseconds(100))
        bench.clock.advance(by: .milliseconds(100))
        #expect(uid(bench.lateAnswer()) == Self.second)
        _ = bench.answer("40 01 30 04")
        bench.clock.advance(by: .seconds(1))
        // The host did not look for tags in this time, so it was only delayed.
        for _ in 0..<2 { #expect(uid(bench.answer("4A 01 00")) == Self.second) }
        #expect(bench.answer("4A 01 00") == "no answer")
        #expect(bench.uart.wakeUpTime == nil)
    }

    @Test func aChipThatWaitsForAnotherTagLooksAllTheTime() {
        let field = Field(
            stream: [Self.tag(1), Self.tag(2)], dwell: .milliseconds(400), gap: .milliseconds(100))
        let bench = ChipBench(field)
        #expect(uid(bench.answer("4A 01 00")) == Self.first)
        #expect(bench.answer("40 01 30 04").hasPrefix("41 00"))
        // No tag in the stream has type B.
        #expect(bench.answer("4A 01 03 00") == "no answer")
        #expect(bench.uart.wakeUpTime == bench.clock.now + .milliseconds(400))
    }

    /// `stream&tear=N&repeat&back=TIME`: a torn or lost tag returns before the next tag arrives.
    @Test(arguments: ["tear", "loss"])
    func aStreamWithRepeatedFaultsLosesNoTag(fault: String) throws {
        let spec = try VirtualReaderSpec(parsing: "ntag213*2?stream&\(fault)=3&repeat&back=200ms&gap=50ms")
        let bench = ChipBench(spec.makeField(), faults: spec.faults)
        _ = bench.answer("32 05 FF 01 02")
        for _ in 0..<3 {
            #expect(uid(bench.answer("4A 01 00")) == Self.first)
            for block in ["04", "08", "0C"] { _ = bench.answer("40 01 30 " + block) }
            #expect(bench.answer("4A 01 00") == "4B 00")
            bench.clock.advance(by: .milliseconds(199))
            #expect(bench.answer("4A 01 00") == "4B 00")
            bench.clock.advance(by: .milliseconds(1))
        }
        #expect(uid(bench.answer("4A 01 00")) == Self.first)
        #expect(bench.answer("40 01 30 04").hasPrefix("41 00"))
        bench.clock.advance(by: .milliseconds(400))
        for _ in 0..<2 { #expect(uid(bench.answer("4A 01 00")) == Self.first) }
        #expect(bench.answer("4A 01 00") == "4B 00")
        bench.clock.advance(by: .milliseconds(50))
        #expect(uid(bench.answer("4A 01 00")) == Self.second)
    }
}
