// Record options of any value

import Composing
import NDEF
import Testing

@Suite struct RecordComposerTests {
    @Test func valuesOfAnyBytesNeverTrap() throws {
        var random = SplitMix(state: 0x7265_636F_7264_7331)
        let pieces = [
            "ssid=", "password=", ";", "\\", "=", ":", ",", "+", "@", "hex:", "é", "\u{301}", "\u{0}", "1", "a/b", "-",
            "\"",
        ]
        var made = 0
        for _ in 0..<2000 {
            let value = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            // Not as a file name.
            guard !value.contains("@") else { continue }
            for name in RecordOption.Name.allCases {
                do throws(RecordOptionError) {
                    let option = RecordOption(name: name, value: value)
                    made += try RecordComposer.message(of: [option], language: "en").records.count
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
        #expect(made > 1000)
    }
}

/// A generator with a seed — Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
