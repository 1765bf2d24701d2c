// Tests of the time from power to the first answer — NFC Forum Digital, guard times

import Testing

@testable import VirtualPN532

struct PowerUpTests {
    /// Returns InListPassiveTarget for the technology of a kind.
    private static func poll(_ kind: VirtualTagKind) -> String {
        switch kind.make() {
        case is any FeliCaTag: "4A 01 01 00 FF FF 00 00"
        case is any TypeBTag: "4A 01 03 00"
        case is any Type1Tag: "4A 01 04"
        default: "4A 01 00"
        }
    }

    private func bench(_ kind: VirtualTagKind, _ option: String) throws -> ChipBench {
        try ChipBench(parsing: "\(kind.rawValue)?powerup=\(option)", retries: "00")
    }

    @Test(arguments: VirtualTagKind.allCases)
    func aTagIsMuteForItsGuardTimeAfterFieldOn(kind: VirtualTagKind) throws {
        let guardTime: Duration = kind.make() is any FeliCaTag ? .milliseconds(20) : .milliseconds(5)
        for _ in 0..<2 {
            let bench = try bench(kind, "on")
            #expect(bench.answer("32 01 01") == "33")
            // The host's command has taken 2 ms.
            bench.clock.advance(by: guardTime - .milliseconds(4))
            #expect(bench.answer(Self.poll(kind)) == "4B 00")
            bench.clock.advance(by: .milliseconds(4))
            #expect(bench.answer(Self.poll(kind)).hasPrefix("4B 01"))
            // The same applies after the field was off.
            #expect(bench.answer("32 01 00") == "33")
            #expect(bench.answer(Self.poll(kind)) == "4B 00")
            bench.clock.advance(by: guardTime)
            #expect(bench.answer(Self.poll(kind)).hasPrefix("4B 01"))
        }
    }

    @Test func aTagIsMuteAfterItArrived() throws {
        let bench = ChipBench()
        bench.faults.faults.coupling.powerUp = .after(.milliseconds(100))
        _ = bench.answer("32 05 FF 01 00")
        #expect(bench.answer("4A 01 00") == "4B 00")
        bench.clock.advance(by: .seconds(1))
        bench.field.place(VirtualTagKind.ntag213.make())
        #expect(bench.answer("4A 01 00") == "4B 00")
        bench.clock.advance(by: .milliseconds(50))
        #expect(bench.answer("4A 01 00") == "4B 00")
        bench.clock.advance(by: .milliseconds(50))
        #expect(bench.answer("4A 01 00").hasPrefix("4B 01"))
    }

    @Test func theHostCanWaitOutTheGuardTime() throws {
        let bench = try ChipBench(parsing: "type3?powerup=on", retries: "00")
        #expect(bench.answer("32 01 01") == "33")
        bench.clock.advance(by: .milliseconds(20))
        #expect(bench.answer("4A 01 01 00 FF FF 00 00").hasPrefix("4B 01"))
    }

    @Test func anEndlessSearchFindsATagThatWakesUp() throws {
        let bench = try ChipBench(parsing: "ntag213?powerup=50", retries: "FF")
        #expect(bench.answer("4A 01 00") == "no answer")
        bench.clock.advance(by: .milliseconds(50))
        #expect(bench.lateAnswer().hasPrefix("4B 01"))
    }

    @Test func powerUpTakesTimeAtRealLatencyUnlessItIsSwitchedOff() throws {
        func muted(_ options: String, _ kind: VirtualTagKind = .ntag213) throws -> Duration {
            let spec = try VirtualReaderSpec(parsing: "\(kind.rawValue)?\(options)")
            return spec.faults.coupling.mutedTime(of: kind.make(), latency: spec.latency)
        }
        #expect(try muted("latency=none") == .zero)
        #expect(try muted("latency=real") == .milliseconds(5))
        #expect(try muted("latency=real", .type4b) == .milliseconds(5))
        #expect(try muted("latency=real", .type3) == .milliseconds(20))
        #expect(try muted("latency=real&powerup=off") == .zero)
        #expect(try muted("powerup=on", .type3) == .milliseconds(20))
        #expect(try muted("powerup=7", .type3) == .milliseconds(7))
    }
}
